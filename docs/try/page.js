// The page: an editor, a worker that runs Python, and what it answers.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { packed, unpacked } from "./link.js";

const at = (id) => document.getElementById(id);
const MAX_LINK = 8000; // characters of an address that mail programs carry
const DELAY = 250; // milliseconds after the last key

// ---- The worker: one question after the other; Stop ends it, and another one takes its place -------------------------

let worker, waiting, number = 0;

function startWorker() {
  for (const resolve of waiting?.values() ?? []) resolve({ error: "Stopped.", isStopped: true });
  waiting = new Map();
  worker = new Worker("worker.js", { type: "module" });
  at("loading").hidden = false;
  worker.onmessage = ({ data }) => {
    if (data.failure) return fail(data.failure);
    if (data.stage) {
      at("stage").textContent = data.stage;
      at("progress").value = data.part;
      at("loading").hidden = data.part === 1;
      return;
    }
    waiting.get(data.id)?.(data.answer);
    waiting.delete(data.id);
    if (!data.isDead) return;
    worker.terminate();
    startWorker();
  };
  worker.onerror = (event) => fail(event.message);
  return ask("start", {}).then((found) => {
    at("version").textContent = `f2csp ${found.version}. Nothing of what you write leaves this computer.`;
  });
}

function fail(words) {
  at("stage").textContent = `Python could not be loaded: ${words}`;
}

function ask(question, given) {
  const id = ++number;
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, question, given });
  });
}

// The text, or how it is read, is another one: what was answered goes, and what is still asked is asked for nothing.
let edition = 0, running = null;

function changed() {
  edition += 1;
  document.body.dataset.state = "reading";
  say({});
  at("player").hidden = true;
  clearTimeout(timer);
  timer = setTimeout(look, DELAY);
}

// The answer to a question about the text as it is now; null if the text has changed before the answer comes.
async function answerTo(question, more = {}) {
  const asked = edition;
  const found = await ask(question, { ...given(), ...more });
  return asked === edition && !found.isStopped ? { ...found, edition } : null;
}

// The same, for what takes time: meanwhile no other question can be asked, and Stop ends it.
async function answerInTime(question, more) {
  busy({ edition });
  const found = await answerTo(question, more);
  busy(null);
  return found;
}

function stop() {
  worker.terminate();
  busy(null);
  startWorker().then(look);
}

at("stop").onclick = () => {
  say({ words: "Stopped." });
  stop();
};

function busy(question) {
  running = question;
  at("stop").disabled = !running;
  document.body.dataset.busy = running ? "yes" : "no";
  for (const button of document.querySelectorAll("[data-question], #new, #download, #into")) button.disabled = Boolean(running);
}

// ---- The editor ------------------------------------------------------------------------------------------------------

const words = StreamLanguage.define({
  token(stream) {
    if (stream.sol() && stream.match(/(domains|variables|constraints|vars|reject|accept|goal)[ \t]*:/i)) return "keyword";
    if (stream.sol() && stream.match(/[^\s:,(){}=]+(?=[ \t]*:[ \t]*\S)/)) return "labelName";
    if (stream.match(/-?\d+(?![^\s:,(){}=])/)) return "number";
    if (!stream.match(/[^\s:,(){}=]+/)) stream.next();
    return null;
  },
});

// What the language server knows is asked at a place of an F2CSP text.
function askAt(question, state, place, more = {}) {
  const line = state.doc.lineAt(place);
  return ask(question, { text: state.doc.toString(), line: line.number - 1, character: place - line.from, ...more });
}

const isF2csp = () => seen.kind === "f2csp";

const hovered = hoverTooltip(async (view, pos) => {
  if (!isF2csp()) return null;
  const { words: said } = await askAt("hover", view.state, pos);
  const create = () => ({ dom: Object.assign(document.createElement("div"), { className: "said", textContent: said }) });
  return said ? { pos, create } : null;
});

async function completions({ state, pos, explicit, aborted }) {
  if (!isF2csp() || !(explicit || /\S/.test(state.sliceDoc(pos - 1, pos)))) return null;
  const { options, start, error } = await askAt("complete", state, pos);
  return error || aborted ? null : { from: state.doc.lineAt(pos).from + start, options, filter: false };
}

function rename({ state }) {
  const { from, to } = state.wordAt(state.selection.main.head) ?? state.selection.main;
  const name = isF2csp() ? window.prompt("New name", state.sliceDoc(from, to)) : null;
  if (name) askAt("rename", state, state.selection.main.head, { name }).then((found) => {
    if (found.error) return say({ words: found.error });
    const place = (line, character) => state.doc.line(line + 1).from + character;
    const changes = found.places.map(([line, start, end]) => ({ from: place(line, start), to: place(line, end), insert: name }));
    if (editor.state.doc.eq(state.doc)) editor.dispatch({ changes });
  });
  return true;
}

let timer;
const editor = new EditorView({
  parent: at("editor"),
  state: EditorState.create({
    extensions: [
      lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(), words,
      syntaxHighlighting(classHighlighter), EditorView.lineWrapping,
      hovered, autocompletion({ override: [completions] }),
      keymap.of([{ key: "F2", run: rename }, ...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
      EditorView.contentAttributes.of({ "aria-label": "Text of the problem", spellcheck: "false" }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        update.changes.iterChanges((from, to) => isOverAll(update.startState.doc, from, to) && forgetReading());
        changed();
      }),
    ],
  }),
});
editor.scrollDOM.tabIndex = 0; // it scrolls by keys, too
const text = () => editor.state.doc.toString();

// A text that a sample, a link or an answer has brought comes with how it is read. That goes when the user writes
// another text over all of it; what the user chose stays.
let isReadingOfText = false;

function readAs({ form = "auto", index = 1, options: values = {} }) {
  at("form").value = form;
  at("index").value = index;
  for (const input of inputs()) input.value = { true: "yes", false: "no" }[values[input.name]] ?? values[input.name] ?? "";
  isReadingOfText = true;
}

// Whether a change leaves no line of a text, and nothing of a single line. Where the browser has changed the text by itself,
// the editor takes what the old and the new one have in common at both ends, such as a line end, for unchanged.
function isOverAll(doc, from, to) {
  const [before, after] = [doc.sliceString(0, from), doc.sliceString(to)];
  const lines = [...before.split("\n").slice(0, -1), ...after.split("\n").slice(1)];
  return !lines.join("").trim() && (doc.toString().trim().includes("\n") || !(before + after).trim());
}

function forgetReading() {
  if (isReadingOfText) readAs({});
  at("index").value = 1;
}

function write(found) {
  editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: found.text } });
  readAs(found);
}

const inputs = () => [...at("fields").querySelectorAll("input, select")];
const options = () => Object.fromEntries(inputs().filter(({ value }) => value.trim()).map(({ name, type, value, tagName }) =>
  [name, tagName === "SELECT" ? value === "yes" : type === "number" ? Number(value) : value.trim()]));

const given = () => ({
  text: text(), form: at("form").value, index: Math.max(1, Number(at("index").value) || 1),
  options: options(), candidates: at("candidates").checked,
});

// ---- What the text is -------------------------------------------------------------------------------------------------

let seen = {}, chosen = null, formats = {};

async function look() {
  if (running && running.edition !== edition) return stop(); // its answer is about a text that is gone
  const found = await answerTo("look");
  if (!found) return;
  seen = found;
  document.body.dataset.state = found.error ? "error" : found.is_valid ? "valid" : "faulty";
  document.body.dataset.kind = found.kind ?? "";
  at("kind").textContent = found.error ?? description(found);
  at("several").hidden = !(found.n > 1);
  at("n").textContent = found.n;
  at("index").max = found.n ?? 1;
  at("mend").hidden = !found.can_mend;
  draw(at("board"), found.board ?? found.picture);
  at("board").setAttribute("aria-label", found.board ? `Board: ${found.title}` : "Picture of the problem");
  at("board-help").hidden = !found.board;
  at("shown").hidden = !(found.board ?? found.picture);
  keys();
  choose(found.board && chosen ? chosen : null);
  list(found.diagnostics ?? []);
  at("stats").replaceChildren(...Object.entries(found.stats ?? {}).filter(([, value]) => value !== "").map(row));
  at("numbers").hidden = !found.stats;
  offer();
}

// The formats to save as: those of the puzzle come first.
function offer() {
  const before = at("to").value;
  at("to").replaceChildren(...Object.keys({ ...seen.formats, ...formats, svg: "", report: "" }).map((name) => option(name)));
  if ([...at("to").options].some(({ value }) => value === before)) at("to").value = before;
}

function description(found) {
  if (!text().trim()) return "";
  const errors = (found.diagnostics ?? []).filter((one) => one.severity === "error").length;
  const what = found.is_valid ? found.title || "A problem without a title" : `${errors} fault${errors === 1 ? "" : "s"}`;
  return `${what}${found.kind ? ` (${found.reading || found.kind})` : ""}`;
}

function row([label, value]) {
  const line = document.createElement("tr");
  const head = Object.assign(document.createElement("th"), { textContent: label, scope: "row" });
  line.append(head, Object.assign(document.createElement("td"), { textContent: value }));
  return line;
}

function draw(place, svg) {
  place.replaceChildren();
  if (svg) place.append(document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true));
}

function list(diagnostics) {
  const length = editor.state.doc.length;
  const marks = diagnostics.map((one) => ({
    from: Math.min(one.from, length), to: Math.min(Math.max(one.to, one.from), length), severity: one.severity,
    source: one.code, message: one.hint ? `${one.message}\n${one.hint}` : one.message,
    actions: one.fix ? [{ name: one.fix.title, apply: () => apply(one) }] : [],
  }));
  editor.dispatch(setDiagnostics(editor.state, marks));
  at("list").replaceChildren(...diagnostics.map(entry));
  at("faults").hidden = !diagnostics.length;
}

function entry(one) {
  const item = document.createElement("li");
  item.className = one.severity;
  const severity = Object.assign(document.createElement("span"), { className: "severity", textContent: `${one.severity} ` });
  const code = Object.assign(document.createElement("a"), { href: `../codes/${one.code}/`, textContent: one.code });
  const place = Object.assign(document.createElement("button"), {
    type: "button", className: "place", textContent: `line ${one.line}`, onclick: () => go(one.from),
  });
  item.append(severity, code, " ", place, ` ${one.message}`);
  if (one.hint) item.append(Object.assign(document.createElement("div"), { className: "small", textContent: one.hint }));
  if (one.fix) {
    const title = one.fix.is_safe ? one.fix.title : `${one.fix.title} (may lose something)`;
    item.append(Object.assign(document.createElement("button"), { type: "button", textContent: title, onclick: () => apply(one) }));
  }
  return item;
}

function go(from) {
  editor.dispatch({ selection: { anchor: Math.min(from, editor.state.doc.length) }, scrollIntoView: true });
  editor.focus();
}

const apply = (one) => seen.edition === edition && editor.dispatch({ changes: one.edits });

at("mend").onclick = async () => {
  const found = await answerTo("mend");
  if (found && !found.error) editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: found.text } });
};

// ---- The board: givens by click, keys, or the buttons below it --------------------------------------------------------

function keys() {
  const values = seen.board && seen.values.length <= 16 ? seen.values : [];
  const button = (label, value) => Object.assign(document.createElement("button"), { type: "button", textContent: label, onclick: () => give(value) });
  at("keys").replaceChildren(...values.map(([value, word]) => button(word, value)), ...(values.length ? [button("Clear", null)] : []));
  at("keys").hidden = !chosen;
}

function geometry() {
  const svg = at("board").querySelector("svg");
  return { ...seen.geometry, scale: svg.getBoundingClientRect().width / Number(svg.getAttribute("width")) };
}

function choose(cell) {
  chosen = cell;
  at("board").querySelector(".chosen")?.remove();
  at("keys").hidden = !cell;
  at("cell").textContent = cell ? `Row ${cell.row}, column ${cell.column}: ${seen.givens[cell.row - 1][cell.column - 1] ?? "blank"}` : "";
  if (!cell) return;
  const { scale, x, y, pitch, size } = geometry();
  const mark = Object.assign(document.createElement("div"), { className: "chosen" });
  mark.style.left = `${(x + (cell.column - 1) * pitch) * scale}px`;
  mark.style.top = `${(y + (cell.row - 1) * pitch) * scale}px`;
  mark.style.width = mark.style.height = `${size * scale}px`;
  at("board").append(mark);
}

at("board").onclick = (event) => {
  if (!seen.board) return;
  const { left, top } = at("board").getBoundingClientRect();
  const { scale, x, y, pitch } = geometry();
  const column = 1 + Math.floor(((event.clientX - left) / scale - x) / pitch);
  const row = 1 + Math.floor(((event.clientY - top) / scale - y) / pitch);
  if (row >= 1 && column >= 1 && row <= seen.rows && column <= seen.columns) choose({ row, column });
};

let typed = "";
at("board").onkeydown = (event) => {
  if (!seen.board || event.ctrlKey || event.metaKey || event.altKey) return;
  const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (move) {
    const { row, column } = chosen ?? { row: 1 - move[0], column: 1 - move[1] };
    const inside = (place, n) => Math.min(Math.max(place, 1), n);
    choose({ row: inside(row + move[0], seen.rows), column: inside(column + move[1], seen.columns) });
    typed = "";
  } else if (chosen && (event.key === "Delete" || event.key === "Backspace")) {
    give(null);
  } else if (chosen && /^\d$/.test(event.key)) {
    const values = seen.values.map(([value]) => value);
    const longer = Number(typed + event.key); // 1 and 2 on a board of 16 values make 12
    const value = values.includes(longer) ? longer : Number(event.key);
    typed = String(value);
    if (!values.includes(value)) return;
    give(value);
  } else return;
  event.preventDefault();
};

// Entries follow one another: each is written into the text that the one before it has left.
let entries = Promise.resolve();

function give(value) {
  const cell = chosen;
  if (cell) entries = entries.then(() => enter(cell, value));
}

async function enter(cell, value) {
  if (seen.edition !== edition) return; // the board is that of an older text
  if (running) stop();
  const found = await answerTo("give", { ...cell, value });
  if (!found) return;
  if (found.error) return say({ words: found.error });
  write(found);
  clearTimeout(timer);
  await look();
}

// ---- Questions --------------------------------------------------------------------------------------------------------

function say(found) {
  at("words").textContent = found.error ?? found.words ?? "";
  draw(at("answer"), found.board);
  const lines = (found.lines ?? []).map((line) => Object.assign(document.createElement("li"), { textContent: line }));
  at("lines").replaceChildren(...lines);
}

at("asked").onclick = async ({ target }) => {
  const question = target.dataset.question;
  if (!question) return;
  choose(null);
  at("player").hidden = true;
  say({ words: "..." });
  const start = performance.now();
  const found = await answerInTime(question);
  if (!found) return;
  document.body.dataset.milliseconds = Math.round(performance.now() - start);
  if (question !== "search" || found.error || !found.n) {
    say(question === "search" && !found.error ? { words: "There is nothing to search." } : found);
  } else {
    at("player").hidden = false;
    at("slider").max = found.n - 1;
    at("slider").value = 0;
    await step();
  }
  at("answered").scrollIntoView({ block: "nearest" });
};

async function step() {
  const place = Number(at("slider").value);
  const found = await answerTo("step", { number: place });
  if (!found || place !== Number(at("slider").value)) return;
  say({ ...found, words: `Step ${place + 1} of ${Number(at("slider").max) + 1}: ${found.words ?? found.error}` });
}

at("slider").oninput = step;
at("back").onclick = () => { at("slider").stepDown(); step(); };
at("forward").onclick = () => { at("slider").stepUp(); step(); };

at("new").onclick = async () => {
  say({ words: "..." });
  const found = await answerInTime("generate", {
    kind: at("new-kind").value, size: Number(at("new-size").value), seed: Number(at("new-seed").value), minimal: at("new-minimal").checked,
  });
  if (!found) return;
  say(found.error ? found : {});
  if (found.error) return;
  write(found);
  at("new-seed").stepUp();
};

// ---- In and out ---------------------------------------------------------------------------------------------------------

at("download").onclick = async () => {
  const to = at("to").value;
  const found = await answerInTime("convert", { to });
  if (!found) return;
  if (found.error) return say(found);
  const address = URL.createObjectURL(new Blob([found.text], { type: "text/plain" }));
  const ending = { svg: ".svg", report: ".html", ...formats, ...seen.formats }[to];
  Object.assign(document.createElement("a"), { href: address, download: `problem${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

at("into").onclick = async () => {
  const found = await answerInTime("convert", { to: at("to").value });
  if (!found) return;
  if (found.error) return say(found);
  write(found);
};

at("link").onclick = async () => {
  const address = `${location.href.split("#")[0]}#${await packed(text())}${reading()}`;
  if (address.length > MAX_LINK) return say({ words: "The text is too long for a link; download it instead." });
  history_.replaceState(null, "", address);
  const is_copied = await navigator.clipboard?.writeText(address).then(() => true, () => false);
  say({ words: is_copied ? "The link is copied; it holds the text." : "The address of this page now holds the text." });
};

// How the text is read, as a part of a link.
function reading() {
  const { form, index, options: values } = given();
  const shown = { ...(form !== "auto" && { form }), ...(index > 1 && { index }), ...(Object.keys(values).length && { options: JSON.stringify(values) }) };
  const parameters = new URLSearchParams(shown).toString();
  return parameters && `&${parameters}`;
}

async function open(content) {
  if (content.size > 5e6) return say({ words: "The file is larger than 5 MB; install the program for it." });
  write({ text: await content.text() });
}

at("file").onchange = ({ target }) => target.files[0] && open(target.files[0]);
document.ondragover = (event) => event.preventDefault();
document.ondrop = (event) => {
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  open(event.dataTransfer.files[0]);
};
at("form").onchange = at("fields").onchange = () => {
  isReadingOfText = false;
  changed();
};
at("index").onchange = changed;
at("candidates").onchange = look;

const history_ = window.history;
const option = (value, label = value) => new Option(label, value);

const groups = (named) => Object.entries(named).map(([label, values]) => {
  const group = Object.assign(document.createElement("optgroup"), { label });
  group.append(...values.map((value) => option(value)));
  return group;
});

function field({ name, label, type, form }) {
  const input = type === "switch"
    ? Object.assign(document.createElement("select"), { name })
    : Object.assign(document.createElement("input"), { name, type, placeholder: form, size: 6, min: 1, autocomplete: "off" });
  if (type === "switch") input.append(option("", "not given"), option("yes"), option("no"));
  const line = document.createElement("label");
  line.append(`${label} `, input);
  return line;
}

async function fromAddress() {
  if (!location.hash.startsWith("#t=")) return;
  try {
    const { t, options: values, ...how } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    write({ ...how, text: await unpacked(t), options: JSON.parse(values ?? "{}") });
  } catch {
    say({ words: "The link is broken: it does not hold a whole text." });
  }
}
window.onhashchange = fromAddress;

const offered = await fetch("offered.json").then((found) => found.json());
formats = offered.formats;
offer();
at("form").append(...groups(offered.read));
at("fields").append(...offered.options.map(field));
at("new-kind").append(...offered.kinds.map((name) => option(name)));
at("sample").append(...Object.keys(offered.samples).map((name) => option(name)));
at("sample").onchange = ({ target }) => target.value && write(offered.samples[target.value]);
write(Object.values(offered.samples)[0]);
startWorker();
await fromAddress();
if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
