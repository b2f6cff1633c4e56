// Runs Python. A question is {id, question, given}; the answer {id, answer}. Before that, {stage, part} of the loading.
import { Cadical, createModule } from "cadical-wasm";
import { loadPyodide } from "./pyodide.mjs";

const stage = (words, part) => postMessage({ stage: words, part });

// NumPy asks for the stack before it reuses a large array, and does without where it finds none; here the function is missing.
const withoutBacktrace = (python) => (python._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0);

async function load() {
  stage("Loading Python", 0.05);
  const [python, packages, module] = await Promise.all([
    loadPyodide({ indexURL: new URL(".", import.meta.url).href }),
    fetch("packages.zip").then((found) => found.arrayBuffer()),
    createModule(),
  ]);
  stage("Unpacking the packages", 0.6);
  withoutBacktrace(python);
  python.registerJsModule("cadical", { Cadical, module });
  const site = python.runPython("import site; site.getsitepackages()[0]");
  python.unpackArchive(packages, "zip", { extractDir: site });
  stage("Starting", 0.75);
  await python.runPythonAsync("import importlib; importlib.invalidate_caches(); from f2csp_page import ask");
  const ask = python.globals.get("ask");
  stage("Ready", 1);
  return ask;
}

const ready = load();
ready.catch((error) => postMessage({ failure: String(error) }));

onmessage = async ({ data: { id, question, given } }) => {
  try {
    const ask = await ready;
    postMessage({ id, answer: JSON.parse(ask(question, JSON.stringify(given))) });
  } catch (error) {
    const words = String(error).trim().split("\n").at(-1);
    // What overflows the stack, such as a text of a hundred thousand brackets, ends the runtime.
    postMessage({ id, answer: { error: `internal error: ${words}` }, isDead: Boolean(error?.pyodide_fatal_error) });
  }
};
