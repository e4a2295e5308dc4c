--- What plugins and configurations call.
local client_of = require("agent_edit.client")
local config = require("agent_edit.config")
local log = require("agent_edit.log")

local M = {}

---@alias agent_edit.Batch table AgentEditParams of `workspace/agentEdit`, or the text of a batch in a format the server reads

---@class (exact) agent_edit.Outcome
---@field message string what to tell the agent: the status, or why nothing was changed and how to mend it
---@field result? table AgentEditResult, where the batch was applied or can be
---@field error? lsp.ResponseError where it was refused

---@alias agent_edit.Callback fun(outcome: agent_edit.Outcome)

--- A client that has come up, for a document it is to have open.
---@param callback fun(client: vim.lsp.Client?)
local function with_client(callback)
  local client = client_of.get()
  if client and client.initialized then
    return callback(client)
  end
  M.start(vim.api.nvim_get_current_buf())
  local tries = 0
  local timer = assert(vim.uv.new_timer())
  timer:start(10, 20, function()
    tries = tries + 1
    vim.schedule(function()
      client = client_of.get()
      if timer:is_closing() or not (client and client.initialized or tries > 500) then
        return
      end
      timer:close()
      callback(client)
    end)
  end)
end

---@param what string
---@param callback agent_edit.Callback
---@return agent_edit.Answer
local function told(what, callback)
  return function(err, result)
    local message = err and err.message or result and result.status or "done"
    log.add(("%s: %s"):format(what, message))
    if result and result.applied then
      log.add_applied(result.batchId)
    end
    callback({ message = message, result = result, error = err })
  end
end

---@param message string
---@return agent_edit.Outcome
local function failed(message)
  return { message = message, error = { code = -32803, message = message } }
end

--- Reads the batch in a text, in whatever format: the server's part.
local APPLY_TEXT = "agentEdit.applyDocument"

---@param client vim.lsp.Client
---@param text string
---@param mode string?
---@param answer agent_edit.Answer
local function send_text(client, text, mode, answer)
  local is_json, params = pcall(vim.json.decode, text)
  if is_json and type(params) == "table" then
    params.mode = mode or params.mode
    client_of.request(client, "workspace/agentEdit", params, answer)
  elseif client_of.has_command(client, APPLY_TEXT) then
    client_of.command(client, APPLY_TEXT, { text = text, mode = mode }, answer)
  else
    answer(failed("not a batch: this server reads JSON alone").error)
  end
end

---@param mode string?
---@return fun(batch: agent_edit.Batch, callback: agent_edit.Callback)
local function sender(mode)
  return function(batch, callback)
    local answer = told(mode or "apply", callback)
    with_client(function(client)
      if not client then
        answer(failed("agent-edit is not running; :checkhealth agent_edit says more").error)
      elseif type(batch) == "string" then
        send_text(client, batch, mode, answer)
      else
        local params = mode and vim.tbl_extend("force", batch, { mode = mode }) or batch
        client_of.request(client, "workspace/agentEdit", params, answer)
      end
    end)
  end
end

--- Applies a batch, all of it or nothing.
M.apply = sender()
--- Says what a batch would do: `result.documents[].diff`.
M.preview = sender("preview")
--- Applies a batch once the person has agreed.
M.review = sender("review")

--- What waits for a person.
---@param callback fun(batches: table[], err: lsp.ResponseError?)
function M.conflicts(callback)
  with_client(function(client)
    if not client then
      return callback({}, failed("agent-edit is not running").error)
    end
    client_of.command(client, "agentEdit.conflicts", nil, function(err, result)
      callback(result or {}, err)
    end)
  end)
end

--- For a statusline: how many edits do not fit; nothing if all do.
---@return string
function M.statusline()
  local count = require("agent_edit.conflicts").count()
  return count == 0 and "" or ("%s %d"):format(config.options().sign or "agent-edit", count)
end

--- Attaches a buffer, and starts the server if it does not run. With Neovim 0.11, `vim.lsp.enable` does so by itself.
---@param bufnr integer
---@param overrides? table of the configuration, see |vim.lsp.ClientConfig|
function M.start(bufnr, overrides)
  if not require("agent_edit.document").can_attach(bufnr) then
    return
  end
  local settings = vim.tbl_deep_extend("force", config.of_person(), overrides or {})
  vim.lsp.start(config.start(bufnr, settings), { bufnr = bufnr, reuse_client = config.reuse })
end

--- For Neovim 0.10, what `vim.lsp.enable("agent_edit")` is from 0.11 on; the same there.
---@param overrides? table of the configuration, see |vim.lsp.ClientConfig|
function M.enable(overrides)
  if vim.lsp.config then
    vim.lsp.config(config.NAME, overrides or {})
    vim.lsp.enable(config.NAME)
    return
  end
  config.overrides = overrides or {}
  vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufEnter" }, {
    group = vim.api.nvim_create_augroup("agent_edit.enable", {}),
    callback = function(event)
      M.start(event.buf)
    end,
  })
  M.start(vim.api.nvim_get_current_buf())
end

return M
