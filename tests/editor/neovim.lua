-- Drives Neovim (0.7 or later) through a session with the server; arguments: the file, and the command of the server.
-- Prints a line `NAME: value` for each step.
local file, command = _G.arg[1], { unpack(_G.arg, 2) }

local function fail(what)
  io.stdout:write("failure: " .. tostring(what) .. "\n")
  vim.cmd("cquit 1")
end

local function say(name, value)
  io.stdout:write(name .. ": " .. vim.fn.json_encode(value) .. "\n")
end

local function wait(name, condition)
  if not vim.wait(60000, condition, 10) then
    fail("nothing came of " .. name)
  end
end

local function session()
  vim.cmd("edit " .. vim.fn.fnameescape(file))
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({ name = "f2csp", cmd = command, root_dir = vim.fn.fnamemodify(file, ":h") })
  vim.lsp.buf_attach_client(buffer, id)

  local function client()
    return vim.lsp.get_client_by_id(id)
  end

  local function codes()
    return vim.tbl_map(function(found) return found.code end, vim.diagnostic.get(buffer))
  end

  local function ask(method, more)
    local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, client().offset_encoding), more or {})
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    return answers[id].result
  end

  wait("diagnostics", function() return #codes() > 0 end)
  say("diagnostics", codes())

  -- The fix of the fault, at the fault.
  local fault = vim.diagnostic.get(buffer)[1]
  vim.api.nvim_win_set_cursor(0, { fault.lnum + 1, fault.col })
  local here = vim.lsp.util.make_range_params(0, client().offset_encoding)
  here.context = { diagnostics = {} }
  local actions = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", here, 60000)[id].result
  say("actions", vim.tbl_map(function(action) return action.title end, actions))
  vim.lsp.util.apply_workspace_edit(actions[1].edit, client().offset_encoding)
  wait("fix", function() return #codes() == 0 end)
  say("fixed", codes())

  -- The title away, and back.
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, {})
  wait("warning", function() return #codes() == 1 end)
  say("typed", codes())
  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "Map of two countries" })
  wait("the line", function() return #codes() == 0 end)

  -- On the name of the first variable.
  vim.fn.search("^France")
  say("hover", ask("textDocument/hover").contents.value)
  say("references", #ask("textDocument/references", { context = { includeDeclaration = true } }))
  local edit = ask("textDocument/rename", { newName = "Gaul" })
  vim.lsp.util.apply_workspace_edit(edit, client().offset_encoding)
  say("renamed", vim.fn.search("France") == 0 and vim.fn.search("Gaul") > 0)
  vim.lsp.util.apply_text_edits(
    ask("textDocument/formatting", { options = { tabSize = 4, insertSpaces = true } }) or {},
    buffer,
    client().offset_encoding
  )
  say("symbols", vim.tbl_map(function(symbol) return symbol.name end, ask("textDocument/documentSymbol")))
  say("text", table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n"))
  vim.lsp.stop_client(id)
end

xpcall(session, fail)
vim.cmd("qall!")
