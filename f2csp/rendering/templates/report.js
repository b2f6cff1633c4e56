"use strict";

// Variables, values and rules are numbers in the data; a state has the values that are left of each variable.
const data = JSON.parse(document.getElementById("data").textContent);
const { variables = [], names, own, values, rules, model } = data;
const texts = data.texts ? data.texts.map(([, text]) => text) : [];
const ASSIGN = 0, PRUNE = 1, WIPEOUT = 2, CONFLICT = 3, BACKTRACK = 4, SOLUTION = 5;
const find = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const number = new Map(variables.map((name, i) => [name, i]));
const plural = (n, thing) => `${n} ${thing}${n === 1 ? "" : "s"}`;

function element(name, attributes = {}, ...children) {
  const isDrawn = ["svg", "path", "circle", "rect", "text", "title"].includes(name);
  const made = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function say(form, parts) {
  return form.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
}

// ---- The constraints: who shares one, and what follows from a state.

const peers = variables.slice(0, own).map(() => new Set());
const on = variables.map(() => []); // the constraints on each variable
for (const [rule, scope] of model ? model.different : []) add({ rule, scope });
for (const { allowed, on: scopes } of model ? model.tables : []) for (const [rule, scope] of scopes) add({ rule, scope, allowed });

function add(constraint) {
  for (const one of constraint.scope) {
    on[one].push(constraint);
    if (constraint.scope.every((other) => other < own)) for (const other of constraint.scope) if (other !== one) peers[one].add(other);
  }
}

// The removals of a constraint: pairs of a variable and the values that stay.
function filtered({ scope, allowed }, left) {
  if (allowed) {
    const support = scope.map(() => new Set());
    for (const row of allowed) if (row.every((value, i) => left[scope[i]].includes(value))) row.forEach((value, i) => support[i].add(value));
    return scope.map((one, i) => [one, left[one].filter((value) => support[i].has(value))]);
  }
  const found = [];
  for (const one of scope) {
    if (left[one].length !== 1) continue;
    for (const other of scope) if (other !== one && left[other].includes(left[one][0])) found.push([other, left[other].filter((value) => value !== left[one][0])]);
    if (found.length) return found;
  }
  const places = new Map();
  for (const one of scope) for (const value of left[one]) places.set(value, [...(places.get(value) || []), one]);
  if (places.size < scope.length) return [[scope[0], []]];
  if (places.size === scope.length) for (const [value, [one, ...others]] of places) if (!others.length && left[one].length > 1) return [[one, [value]]];
  return found;
}

// What follows from a guess: the values that are found, in order, and the rule that is broken, if one is.
function follow(left, variable, value) {
  left = [...left];
  left[variable] = [value];
  const steps = [];
  const queue = [...on[variable]];
  while (queue.length) {
    const constraint = queue.shift();
    for (const [one, kept] of filtered(constraint, left)) {
      if (kept.length === left[one].length) continue;
      left[one] = kept;
      if (!kept.length) return { left, steps, broken: constraint.rule };
      if (kept.length === 1 && one < own) steps.push(`${names[one]} is ${values[kept[0]]}: ${rules[constraint.rule]}`);
      for (const next of [constraint, ...on[one]]) if (!queue.includes(next)) queue.push(next);
    }
  }
  return { left, steps, broken: -1 };
}

// ---- Boards: pictures with a group for each cell, or tables with a row for each variable.

function show(board, left, looks) {
  for (const cell of all("[data-variable]", board)) {
    const variable = number.get(cell.dataset.variable);
    if (variable === undefined) continue;
    const words = left[variable].map((value) => values[value]);
    for (const [look, holds] of Object.entries(looks)) cell.classList.toggle(look, holds(variable));
    cell.classList.toggle("empty", !words.length);
    if (cell.hasAttribute("tabindex")) cell.setAttribute("aria-label", `${names[variable]}: ${words.join(" ") || "no value"}`);
    const text = find("td", cell);
    if (text) text.textContent = words.join(" ") || "none";
    const large = find(".large", cell);
    if (large && find("text", large)) find("text", large).textContent = words.length === 1 ? words[0] : "";
    else if (large) large.classList.toggle("off", words.length !== 1 || words[0] !== "#");
    for (const small of all(".small", cell)) small.classList.toggle("off", words.length === 1 || !words.includes(small.textContent));
  }
}

function lightPeers(board) {
  board.addEventListener("pointerover", ({ target }) => {
    const cell = target.closest("[data-variable]");
    const lit = cell && peers[number.get(cell.dataset.variable)];
    for (const one of all("[data-variable]", board)) one.classList.toggle("peer", Boolean(lit) && lit.has(number.get(one.dataset.variable)));
  });
  board.addEventListener("pointerleave", () => all(".peer", board).forEach((one) => one.classList.remove("peer")));
}

const start = variables.map((_, i) => data.domains[data.domain_of[i]]);
const work = find("#work");
const workBoard = find(".board", work);
const blank = workBoard.cloneNode(true);

// ---- The way of people, and own guesses.

if (variables.length) {
  document.body.classList.add("live");
  all(".scripted").forEach((one) => (one.hidden = false));
  const states = [];
  for (const { left } of data.tour) {
    const next = [...(states.at(-1) || start)];
    for (const [variable, some] of left) next[variable] = some;
    states.push(next);
  }
  if (!states.length) states.push(start);
  const status = find("[role=status]", work);
  const follows = find(".follows", work);
  const choices = find(".choices", work);
  const sentences = all("#tour li").map((one) => one.textContent);
  let at = 0;
  let picked = -1;

  const go = (n) => {
    at = Math.max(0, Math.min(n, states.length - 1));
    const marks = at ? data.tour[at].marks : [];
    show(workBoard, states[at], { mark: (one) => marks.includes(one), changed: (one) => at > 0 && states[at][one].length === 1 && states[at - 1][one].length > 1, guess: () => false });
    status.textContent = at ? `Step ${at} of ${states.length - 1}: ${sentences[at - 1]}` : states.length > 1 ? "Find the next step yourself, or ask for it." : "";
    follows.hidden = true;
    choices.replaceChildren();
  };

  const guess = (variable, value) => {
    const { left, steps, broken } = follow(states[at], variable, value);
    show(workBoard, left, { mark: () => false, changed: (one) => left[one].length === 1 && states[at][one].length > 1, guess: (one) => one === variable });
    const isWhole = left.slice(0, own).every((some) => some.length === 1);
    const end = broken >= 0 ? `a contradiction, as ${rules[broken]}. So it is not ${values[value]}.` : isWhole ? "all values, and this is a solution." : steps.length ? `${plural(steps.length, "further value")}, and no contradiction yet.` : "no further value by the rules one by one.";
    status.textContent = `If ${names[variable]} is ${values[value]}, there ${broken < 0 && !isWhole && steps.length > 1 ? "follow" : "follows"} ${end}`;
    follows.hidden = !steps.length;
    follows.open = steps.length <= 5;
    find("summary", follows).textContent = plural(steps.length, "value") + " on the way";
    find("ol", follows).replaceChildren(...steps.map((step) => element("li", {}, step)));
    const back = element("button", { type: "button" }, "Take it back");
    back.addEventListener("click", () => go(at));
    choices.replaceChildren(back);
  };

  const pick = (variable) => {
    if (!model || states[at][variable].length < 2) return;
    go(at);
    picked = variable;
    status.textContent = `${names[variable]}: which value?`;
    choices.replaceChildren(...states[at][variable].map((value) => {
      const button = element("button", { type: "button" }, values[value]);
      button.addEventListener("click", () => guess(variable, value));
      return button;
    }));
  };

  const cells = all("[data-variable]", workBoard);
  const svg = find("svg", workBoard);
  if (svg) svg.setAttribute("role", "group");
  cells.forEach((cell, i) => {
    if (find("text:not(.small)", cell)?.textContent && svg) return; // a given
    cell.setAttribute("tabindex", "-1");
    if (svg) cell.setAttribute("role", "button");
  });
  const choosable = cells.filter((cell) => cell.hasAttribute("tabindex"));
  choosable[0]?.setAttribute("tabindex", "0");
  const focus = (cell) => {
    choosable.forEach((one) => one.setAttribute("tabindex", one === cell ? "0" : "-1"));
    cell.focus();
  };
  const arrows = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  workBoard.addEventListener("keydown", (event) => {
    const cell = event.target.closest("[data-variable]");
    if (!cell) return;
    if (event.key === "Enter" || event.key === " ") {
      pick(number.get(cell.dataset.variable));
      find("button", choices)?.focus();
    } else if (arrows[event.key]) {
      const [down, across] = arrows[event.key];
      let [, row, column] = (cell.dataset.variable.match(/^V(\d+)-(\d+)$/) || []).map(Number);
      let next = svg ? null : choosable[choosable.indexOf(cell) + down + across];
      for (let tries = 0; svg && !next && tries < variables.length; tries++) {
        row += down;
        column += across;
        next = choosable.find((one) => one.dataset.variable === `V${row}-${column}`);
      }
      if (next) focus(next);
    } else return;
    event.preventDefault();
  });
  workBoard.addEventListener("click", ({ target }) => {
    const cell = target.closest("[data-variable][tabindex]");
    if (!cell) return;
    const variable = number.get(cell.dataset.variable);
    if (model && target.classList.contains("small")) guess(variable, values.indexOf(target.textContent));
    else pick(variable);
  });
  lightPeers(workBoard);
  const tour = { start: () => go(0), back: () => go(at - 1), forward: () => go(at + 1), end: () => go(states.length - 1) };
  for (const button of all("[data-tour]", work)) {
    if (states.length < 2) button.hidden = true;
    button.addEventListener("click", () => tour[button.dataset.tour]());
  }
  if (!model) all(".note", work).forEach((one) => (one.hidden = true));
  go(0);
}

// ---- Searches.

// A search on the page: the domains at a step are those of the root, changed by the steps on the way to its node.
function played(root, steps) {
  const board = find(".board", root);
  if (!board.childElementCount) board.replaceWith(blank.cloneNode(true));
  const nodes = new Map([[0, { parent: null, children: [], step: 0 }]]);
  const counts = [[0, 0, 0, 0]]; // decisions, values lost, wipeouts, steps back; after each step
  steps.forEach(([event, node, , link, some], i) => {
    if (event === ASSIGN) {
      nodes.set(node, { parent: link, children: [], step: i + 1 });
      nodes.get(link).children.push(node);
    }
    if (event === WIPEOUT || event === CONFLICT) nodes.get(node).failed = i + 1;
    if (event === SOLUTION) nodes.get(node).solved = i + 1;
    const [decisions, lost, wipeouts, back] = counts[i];
    counts.push([decisions + (event === ASSIGN), lost + (event === PRUNE ? some.length : 0), wipeouts + (event === WIPEOUT || event === CONFLICT), back + (event === BACKTRACK)]);
  });
  lightPeers(find(".board", root));
  let zoom = 1;

  function words([event, , variable, rule, some]) {
    return say(texts[event], { variable: names[variable] ?? variables[variable], value: values[some[0]], values: some.map((value) => values[value]).join(" "), rule: rules[rule] });
  }

  function pathTo(node) {
    const path = [];
    for (; node !== null; node = nodes.get(node).parent) path.unshift(node);
    return path;
  }

  function stateAfter(n, path) {
    const isOnPath = new Set(path);
    const left = [...start];
    const assigned = new Set();
    for (const [event, node, variable, , some] of steps.slice(0, n)) {
      if (!isOnPath.has(node)) continue;
      if (event === ASSIGN) assigned.add(variable);
      if (event === ASSIGN) left[variable] = some;
      if (event === PRUNE) left[variable] = left[variable].filter((value) => !some.includes(value));
    }
    if (n && steps[n - 1][0] === SOLUTION) steps[n - 1][4].forEach((value, variable) => (left[variable] = [value]));
    return { left, assigned };
  }

  // The tree so far: what is not on the way to the node is folded.
  function drawTree(n, path) {
    const isOnPath = new Set(path);
    const marks = [];
    let lines = "", way = "", width = 0, height = 0;
    const size = (node) => nodes.get(node).children.reduce((sum, child) => sum + (nodes.get(child).step <= n ? size(child) : 0), 1);
    function place(node, depth) {
      const { children, step, failed, solved } = nodes.get(node);
      const born = children.filter((child) => nodes.get(child).step <= n);
      const isFolded = born.length > 0 && !isOnPath.has(node);
      const at = isFolded || !born.length ? [] : born.map((child) => place(child, depth + 1));
      const x = at.length ? (at[0] + at.at(-1)) / 2 : (width += 22);
      const y = 16 + 30 * depth;
      height = Math.max(height, y);
      at.forEach((below, i) => {
        const line = `M${x} ${y}L${below} ${y + 30}`;
        if (isOnPath.has(born[i])) way += line;
        else lines += line;
      });
      const [look, made] = isFolded ? ["folded", element("path", { d: `M${x} ${y - 6}l8 14h-16z` })]
        : failed && failed <= n && !born.length ? ["failed", element("path", { d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10` })]
        : solved && solved <= n ? ["solved", element("rect", { x: x - 6, y: y - 6, width: 12, height: 12 })]
        : ["open", element("circle", { cx: x, cy: y, r: 6 })];
      made.setAttribute("class", look + (node === path.at(-1) ? " here" : ""));
      made.dataset.step = step;
      const inside = isFolded ? `; ${plural(size(node) - 1, "node")} folded` : "";
      made.append(element("title", {}, (step ? words(steps[step - 1]) : "the root") + inside));
      marks.push(made);
      if (isFolded) marks.push(element("text", { x: x - 6, y: y + 19 }, String(size(node) - 1)));
      return x;
    }
    place(0, 0);
    width += 22;
    height += 30;
    const svg = element("svg", { class: "drawn", role: "img", "aria-label": `${plural(size(0), "node")} so far`, viewBox: `0 0 ${width} ${height}`, width: width * zoom, height: height * zoom },
      element("path", { d: lines }), element("path", { d: way, class: "way" }), ...marks);
    const frame = find(".tree .wide", root);
    frame.replaceChildren(svg);
    const here = find(".here", svg);
    if (here) frame.scrollLeft = here.getBBox().x * zoom - frame.clientWidth / 2;
  }

  function draw(n) {
    n = Math.min(n, steps.length);
    const step = steps[n - 1];
    const path = pathTo(step ? step[1] : 0);
    const { left, assigned } = stateAfter(n, path);
    find("output", root).textContent = `Step ${n} of ${steps.length}: ${step ? words(step) : "before the search"}`;
    show(find(".board", root), left, { changed: (one) => Boolean(step) && step[2] === one, assigned: (one) => assigned.has(one) });
    const event = step ? data.texts[step[0]][0] : "";
    for (const line of all(".code li", root)) line.classList.toggle("now", event !== "" && (line.dataset.on || "").split(" ").includes(event));
    const heads = ["decisions", "values lost", "wipeouts", "steps back"];
    find(".counters tbody", root).replaceChildren(...heads.map((head, i) => element("tr", {}, element("th", { scope: "row" }, head), element("td", {}, String(counts[n][i])))));
    const decisions = path.slice(1).map((node) => steps[nodes.get(node).step - 1]).map(([, , variable, , [value]]) => `${names[variable] ?? variables[variable]} = ${values[value]}`);
    find(".path", root).textContent = decisions.length ? `Decisions: ${decisions.length > 6 ? `${decisions.length - 6} others; ` : ""}${decisions.slice(-6).join("; ")}` : "No decisions.";
    if (find(".tree", root).open) drawTree(n, path);
  }
  for (const button of all("[data-zoom]", root)) button.addEventListener("click", () => ((zoom *= Number(button.dataset.zoom)), redraw()));
  find(".tree", root).addEventListener("toggle", () => redraw());
  find(".tree", root).addEventListener("click", ({ target }) => target.dataset?.step !== undefined && move(Number(target.dataset.step)));
  return { draw, steps };
}

const player = find("#player");
let redraw = () => {};
let move = () => {};
if (player && variables.length) {
  const range = find("input", player);
  const play = find("[data-move=play]", player);
  const searches = all(".search", player).map((root, i) => played(root, data.searches[i]));
  const last = Number(range.max);
  let timer = null;
  redraw = () => {
    range.setAttribute("aria-valuetext", `${range.value} of ${last}`);
    for (const { draw } of searches) draw(Number(range.value));
  };

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-pressed", "false");
  }

  move = (n) => {
    range.value = n;
    redraw();
    if (Number(range.value) === last) stop();
  };

  const moves = {
    first: () => move(0),
    back: () => move(Number(range.value) - 1),
    forward: () => move(Number(range.value) + 1),
    last: () => move(last),
    play: () => {
      if (timer !== null) return stop();
      if (Number(range.value) === last) move(0);
      timer = setInterval(moves.forward, 400);
      play.textContent = "Pause";
      play.setAttribute("aria-pressed", "true");
    },
  };
  for (const button of all("[data-move]", player)) {
    button.addEventListener("click", () => {
      if (button !== play) stop();
      moves[button.dataset.move]();
    });
  }
  const events = { assign: [ASSIGN], wipeout: [WIPEOUT, CONFLICT], solution: [SOLUTION] };
  for (const button of all("[data-jump]", player)) {
    const wanted = events[button.dataset.jump];
    button.addEventListener("click", () => {
      stop();
      const found = searches.map(({ steps }) => steps.findIndex(([event], i) => i >= Number(range.value) && wanted.includes(event))).filter((i) => i >= 0);
      if (found.length) move(Math.min(...found) + 1);
    });
  }
  range.addEventListener("input", () => {
    stop();
    redraw();
  });
  redraw();
}
