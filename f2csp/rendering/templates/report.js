"use strict";

const show = document.querySelector("[aria-controls=solution]");
show?.addEventListener("click", () => {
  const solution = document.getElementById("solution");
  solution.hidden = !solution.hidden;
  show.setAttribute("aria-expanded", String(!solution.hidden));
  show.textContent = solution.hidden ? "Show the solution" : "Hide the solution";
});

const player = document.getElementById("player");
if (player) {
  const { domains, variables, steps } = JSON.parse(document.getElementById("steps").textContent);
  const range = player.querySelector("input");
  const output = player.querySelector("output");
  const play = player.querySelector("[data-move=play]");
  const shown = [...player.querySelectorAll("[data-variable]")];
  let timer = null;

  // The domains at the node of a step: those of the root, changed by the steps on the way to the node.
  function stateAfter(n) {
    const changes = new Map([[0, { parent: null, steps: [] }]]);
    for (const step of steps.slice(0, n)) {
      if (step.event === "assign") changes.set(step.node, { parent: step.parent, steps: [step] });
      else if (step.event === "prune") changes.get(step.node).steps.push(step);
    }
    const path = [];
    for (let node = n ? steps[n - 1].node : 0; node !== null; node = changes.get(node).parent) path.unshift(node);
    const left = new Map(Object.entries(variables).map(([name, domain]) => [name, domains[domain]]));
    const assigned = new Set();
    for (const step of path.flatMap((node) => changes.get(node).steps)) {
      const values = left.get(step.variable);
      if (step.event === "assign") assigned.add(step.variable);
      left.set(step.variable, step.event === "assign" ? [step.value] : values.filter((one) => !step.values.includes(one)));
    }
    const last = steps[n - 1];
    for (const [name, value] of Object.entries((last && last.solution) || {})) left.set(name, [value]);
    return { left, assigned };
  }

  function draw() {
    const n = Number(range.value);
    const { left, assigned } = stateAfter(n);
    const step = steps[n - 1];
    output.textContent = `Step ${n} of ${steps.length}${step ? ": " + step.words : ": before the search"}`;
    range.setAttribute("aria-valuetext", `${n} of ${steps.length}`);
    for (const element of shown) {
      const name = element.dataset.variable;
      const values = left.get(name).map(String);
      element.classList.toggle("changed", Boolean(step) && step.variable === name);
      element.classList.toggle("assigned", assigned.has(name));
      element.classList.toggle("empty", !values.length);
      const cell = element.querySelector("td");
      if (cell) cell.textContent = values.join(" ") || "none";
      else {
        const large = element.querySelector(".large text");
        if (large) large.textContent = values.length === 1 ? values[0] : "";
        for (const small of element.querySelectorAll(".small")) {
          small.classList.toggle("off", values.length === 1 || !values.includes(small.textContent));
        }
      }
    }
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }

  function go(n) {
    range.value = n;
    draw();
    if (Number(range.value) === steps.length) stop();
  }

  const moves = {
    first: () => go(0),
    back: () => go(Number(range.value) - 1),
    forward: () => go(Number(range.value) + 1),
    last: () => go(steps.length),
    play: () => {
      if (timer !== null) return stop();
      if (Number(range.value) === steps.length) go(0);
      timer = setInterval(moves.forward, 400);
      play.textContent = "Pause";
      play.setAttribute("aria-pressed", "true");
    },
  };
  for (const button of player.querySelectorAll("[data-move]")) {
    button.addEventListener("click", () => {
      if (button !== play) stop();
      moves[button.dataset.move]();
    });
  }
  range.addEventListener("input", () => {
    stop();
    draw();
  });
  draw();
}
