// Runs pytest inside Pyodide: node run.mjs MODULES SITE ROOT ARGUMENTS...
import { pathToFileURL } from "node:url";

const [modules, site, root, ...args] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
const python = await loadPyodide();
python.mountNodeFS("/site", site);
python.mountNodeFS("/repository", root);
python.globals.set("given", python.toPy(args));
const failed = (error) => console.log(String(error.message ?? error).slice(-2000)) ?? 70;
const code = await python.runPythonAsync(`
import os, sys
sys.path[:0] = ["/site", "/repository"]
sys.dont_write_bytecode = True
os.chdir("/repository")
import pytest
int(pytest.main(list(given)))
`).catch(failed);
process.exit(code);
