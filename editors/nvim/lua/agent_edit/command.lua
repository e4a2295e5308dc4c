--- `:AgentEdit`.
local agent_edit = require("agent_edit")
local client_of = require("agent_edit.client")
local conflicts = require("agent_edit.conflicts")
local show = require("agent_edit.show")
local source = require("agent_edit.source")

local M = {}

---@param message string
---@param is_error? any
local function say(message, is_error)
  vim.notify(message, is_error and vim.log.levels.ERROR or vim.log.levels.INFO)
end

--- A report is for the agent. A person sees the conflicts where they are, and need not confirm that they have read it.
---@param outcome agent_edit.Outcome
local function tell(outcome)
  if vim.tbl_get(outcome, "error", "data", "code") == "EDIT_CONFLICT" then
    say(outcome.message:match("^[^\n]*") .. " :AgentEdit conflicts lists them.", outcome.error)
  else
    say(outcome.message, outcome.error)
  end
end

---@param outcome agent_edit.Outcome
local function show_preview(outcome)
  if outcome.error then
    return show.text("preview", outcome.message, "")
  end
  local diffs = vim.tbl_map(function(it)
    return it.diff or ""
  end, outcome.result.documents)
  show.text(outcome.message, table.concat(diffs), "diff")
end

---@return vim.lsp.Client?
local function running()
  local client = client_of.get()
  if not client then
    say("agent-edit is not running; :checkhealth agent_edit says more", true)
  end
  return client
end

--- Has the server do something that needs no answer but what is said of it.
---@param command string
---@param argument table
local function execute(command, argument)
  local client = running()
  if client and not client_of.has_command(client, command) then
    return say(("this server has no %s"):format(command), true)
  elseif client then
    client_of.command(client, command, argument, function(err, result)
      local message = err and err.message or result and result.status or "done"
      require("agent_edit.log").add(("%s: %s"):format(command, message))
      say(message, err)
    end)
  end
end

---@param send fun(batch: agent_edit.Batch, callback: agent_edit.Callback)
---@param answer agent_edit.Callback
---@return fun(words: string[], arguments: vim.api.keyset.create_user_command.command_args)
local function sends(send, answer)
  return function(words, arguments)
    local batch, reason = source.read(words[1], arguments)
    if batch then
      send(batch, answer)
    else
      say(reason --[[@as string]], true)
    end
  end
end

---@param id string
---@param argument? table
local function discard(id, argument)
  execute(argument and "agentEdit.discard" or "agentEdit.discardAll", argument or { batchId = id })
end

---@type table<string, fun(words: string[], arguments: vim.api.keyset.create_user_command.command_args)>
local COMMANDS = {
  apply = sends(agent_edit.apply, tell),
  preview = sends(agent_edit.preview, show_preview),
  review = sends(agent_edit.review, tell),
  conflicts = function()
    if running() then
      conflicts.to_quickfix()
    end
  end,
  fix = function()
    vim.lsp.buf.code_action({
      filter = function(action)
        local command = type(action.command) == "table" and action.command.command or action.command
        return type(command) == "string" and vim.startswith(command, "agentEdit.")
      end,
    })
  end,
  discard = function(words)
    if words[1] == "all" then
      agent_edit.conflicts(function(batches)
        for _, it in ipairs(batches) do
          discard(it.batchId)
        end
      end)
    elseif words[1] then
      discard(words[1])
    elseif conflicts.at_cursor() then
      local it = conflicts.at_cursor() --[[@as table]]
      discard(it.batchId, it)
    else
      say("no conflict at the cursor; say which batch, or all", true)
    end
  end,
  revert = function(words)
    local id = words[1] or require("agent_edit.log").last_applied()
    if id then
      execute("agentEdit.revert", { batchId = id })
    else
      say("no batch was applied; say which one", true)
    end
  end,
  log = function()
    show.text("log", table.concat(require("agent_edit.log").lines(), "\n"), "")
  end,
}

---@param arguments vim.api.keyset.create_user_command.command_args
function M.run(arguments)
  local words = vim.deepcopy(arguments.fargs)
  local name = table.remove(words, 1) or "conflicts"
  local command = COMMANDS[name]
  if command then
    command(words, arguments)
  else
    say(("there is no :AgentEdit %s"):format(name), true)
  end
end

---@param typed string
---@param line string
---@return string[]
function M.complete(typed, line)
  local words = vim.split(line:match("AgentEdit!?%s*(.*)$") or "", "%s+")
  local all ---@type string[]
  if #words <= 1 then
    all = vim.tbl_keys(COMMANDS)
  elseif words[1] == "apply" or words[1] == "preview" or words[1] == "review" then
    return vim.fn.getcompletion(typed, "file")
  elseif words[1] == "discard" then
    all = { "all" }
    for _, it in ipairs(conflicts.all()) do
      local id = vim.tbl_get(it, "user_data", "lsp", "data", "batchId")
      if id and not vim.list_contains(all, id) then
        all[#all + 1] = id
      end
    end
  elseif words[1] == "revert" then
    all = require("agent_edit.log").applied()
  else
    return {}
  end
  table.sort(all)
  return vim.tbl_filter(function(it)
    return vim.startswith(it, typed)
  end, all)
end

return M
