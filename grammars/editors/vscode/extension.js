// Starts the language server `f2csp lsp`, and shows the answers of its lenses.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const [command, ...args] = vscode.workspace.getConfiguration("f2csp").get("command");
  // Of XML and JSON, the server leaves alone what is no problem.
  const documentSelector = ["f2csp", "f2csp-puzzle", "xml", "json"].map((language) => ({ language }));
  const synchronize = { fileEvents: vscode.workspace.createFileSystemWatcher("**/pyproject.toml") };
  client = new LanguageClient("f2csp", "F2CSP", { command, args }, { documentSelector, synchronize });
  try {
    await client.start();
  } catch {
    const text = "The language server of F2CSP did not start. Install it with: pip install 'f2csp[lsp]'";
    vscode.window.showErrorMessage(`${text}, or set f2csp.command.`);
  }
}

async function restart() {
  await client?.stop();
  await start();
}

exports.activate = async (context) => {
  context.subscriptions.push(vscode.commands.registerCommand("f2csp.restart", restart));
  await start();
};

exports.deactivate = () => client?.stop();
