// Prints the words of the F2CSP files that are named, each with its scope in the TextMate grammar, one JSON line for each file.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
const onigLib = Promise.resolve({
  createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (text) => new oniguruma.OnigString(text),
});
const source = new URL("../../f2csp.tmLanguage.json", import.meta.url);
const loadGrammar = async () => textmate.parseRawGrammar(readFileSync(source, "utf8"), "f2csp.json");
const grammar = await new textmate.Registry({ onigLib, loadGrammar }).loadGrammar("source.f2csp");

for (const file of process.argv.slice(2)) {
  const words = [];
  let state = textmate.INITIAL;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const token of tokens) {
      const text = line.slice(token.startIndex, token.endIndex).replace(/^[ \t\r]+|[ \t\r]+$/g, "");
      if (text) words.push([text, token.scopes.at(-1)]);
    }
    state = ruleStack;
  }
  console.log(JSON.stringify(words));
}
