--- The client that speaks with the server, whatever Neovim's version.
local config = require("agent_edit.config")

local M = {}

local NEWER = vim.fn.has("nvim-0.11") == 1

---@param client vim.lsp.Client
---@return boolean
function M.is_stopped(client)
  if NEWER then
    return client:is_stopped()
  end
  return client.is_stopped()
end

---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  if NEWER then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

---@alias agent_edit.Answer fun(err: lsp.ResponseError?, result: any)

---@param client vim.lsp.Client
---@param method string
---@param params table
---@param answer agent_edit.Answer
---@return boolean sent, integer? id
function M.request(client, method, params, answer)
  -- A request flushes what was typed in the buffer it is about; this one may be about any.
  for bufnr in pairs(client.attached_buffers) do
    M.flush(client, bufnr)
  end
  local function handler(err, result)
    answer(err, result)
  end
  if NEWER then
    return client:request(method, params, handler)
  end
  return client.request(method, params, handler)
end

--- Tells the server now of what has changed in a buffer. Neovim would otherwise do so some time later.
---@param client vim.lsp.Client
---@param bufnr integer
function M.flush(client, bufnr)
  local found, tracking = pcall(require, "vim.lsp._changetracking")
  if found and client.attached_buffers[bufnr] then
    tracking.flush(client, bufnr)
  end
end

--- The running client, if there is one.
---@param bufnr? integer the one this buffer is attached to
---@return vim.lsp.Client?
function M.get(bufnr)
  local clients = vim.lsp.get_clients({ name = config.NAME, bufnr = bufnr })
  return clients[1]
end

---@param client vim.lsp.Client
---@param feature string
---@return boolean whether both sides named it
function M.has_feature(client, feature)
  local offered = vim.tbl_get(client.server_capabilities, "experimental", "agentEdit", "features")
  local named = vim.tbl_get(client.capabilities or client.config.capabilities, "experimental", "agentEdit", "features")
  return vim.list_contains(offered or {}, feature) and vim.list_contains(named or {}, feature)
end

---@param client vim.lsp.Client
---@param command string
---@return boolean
function M.has_command(client, command)
  local commands = vim.tbl_get(client.server_capabilities, "executeCommandProvider", "commands")
  return vim.list_contains(commands or {}, command)
end

---@param client vim.lsp.Client
---@param command string
---@param argument table?
---@param answer agent_edit.Answer
function M.command(client, command, argument, answer)
  M.request(client, "workspace/executeCommand", { command = command, arguments = { argument } }, answer)
end

--- By client, the folders that came while it started: what `initialize` says was settled before.
---@type table<integer, lsp.WorkspaceFolder[]>
local untold = {}

---@param client vim.lsp.Client
---@param folders lsp.WorkspaceFolder[]
local function tell_folders(client, folders)
  M.notify(client, "workspace/didChangeWorkspaceFolders", { event = { added = folders, removed = {} } })
end

---@param client vim.lsp.Client
---@param folder string
function M.add_folder(client, folder)
  local uri = vim.uri_from_fname(folder)
  for _, it in ipairs(client.workspace_folders or {}) do
    if it.uri == uri then
      return
    end
  end
  local added = { uri = uri, name = folder }
  client.workspace_folders = vim.list_extend(client.workspace_folders or {}, { added })
  if client.initialized then
    tell_folders(client, { added })
  else
    untold[client.id] = vim.list_extend(untold[client.id] or {}, { added })
  end
end

--- Where the server's diagnostics are kept.
---@param client vim.lsp.Client
---@return integer namespace
function M.namespace(client)
  return vim.lsp.diagnostic.get_namespace(client.id)
end

--- What is due once a client has come up.
---@param client vim.lsp.Client
function M.started(client)
  if untold[client.id] then
    tell_folders(client, untold[client.id])
    untold[client.id] = nil
  end
  require("agent_edit.conflicts").configure(M.namespace(client))
end

return M
