// Compiles the packages for the runtime, whose Python is not that of the build: node compile.mjs MODULES SOURCES TARGET
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, sources, target] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${modules}/pyodide/pyodide.mjs`).href);
const python = await loadPyodide();
python.unpackArchive(new Uint8Array(readFileSync(sources)), "zip", { extractDir: "/sources" });
python.runPython(`
import compileall, pathlib, py_compile, zipfile
unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
assert compileall.compile_dir("/sources", quiet=1, legacy=True, optimize=1, invalidation_mode=unchecked, stripdir="/sources")
with zipfile.ZipFile("/packages.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in sorted(pathlib.Path("/sources").rglob("*")):
        if path.is_file() and path.suffix != ".py":
            name = path.relative_to("/sources").as_posix()
            archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
`);
writeFileSync(target, python.FS.readFile("/packages.zip"));
