--- `workspace/applyEdit` for this client: all documents are looked at before any is touched, and the answer says what
--- was done. Neovim's own handler looks at the first document alone and skips it in silence.
local document = require("agent_edit.document")
local edits = require("agent_edit.text_edits")
local operations = require("agent_edit.file_operations")

local M = {}

---@class (exact) agent_edit.Applied
---@field applied boolean
---@field failureReason? string
---@field failedChange? integer from 0

---@class (exact) agent_edit.Step One entry of the edit, looked at and ready to be done.
---@field name string for people
---@field bufnr? integer whose text it is about
---@field run fun(): boolean, string? does it; why that failed
---@field take_back? fun()

---@param client vim.lsp.Client
---@param it { textDocument: lsp.OptionalVersionedTextDocumentIdentifier, edits: lsp.TextEdit[] }
---@return agent_edit.Step? step, string? reason
local function text_step(client, it)
  local uri, version = it.textDocument.uri, it.textDocument.version
  local found, reason
  if type(version) == "number" then
    found, reason = document.at_version(client, uri, version)
  else
    found, reason = document.of_file(client, uri)
  end
  if not found then
    return nil, reason
  end
  local plan, misfit = edits.plan(found.bufnr, it.edits, client.offset_encoding)
  if not plan then
    return nil, ("%s: %s"):format(found.name, misfit)
  end
  return {
    name = found.name,
    bufnr = found.bufnr,
    run = function()
      return edits.apply(client, plan)
    end,
    take_back = function()
      edits.take_back(client, plan)
    end,
  }
end

--- What is put into a file that the same edit creates: by one insertion, into nothing.
---@param it table? the entry after the one that creates it
---@param uri string
---@return string? content
local function content_of(it, uri)
  local one = it and not it.kind and it.textDocument.uri == uri and #it.edits == 1 and it.edits[1]
  return one and one.newText or nil
end

---@param client vim.lsp.Client
---@param changes table[] `documentChanges`
---@param number integer of the entry
---@return agent_edit.Step? step, string? reason, boolean? takes_next whether the next entry is a part of it
local function step(client, changes, number)
  local it = changes[number]
  local operation, reason, content
  if not it.kind then
    return text_step(client, it)
  elseif it.kind == "create" then
    content = content_of(changes[number + 1], it.uri)
    operation, reason = operations.create(client, it.uri, content or "")
  elseif it.kind == "rename" then
    operation, reason = operations.rename(it.oldUri, it.newUri)
  elseif it.kind == "delete" then
    operation, reason = operations.delete(it.uri)
  else
    return nil, ("a %s is not something this client does"):format(it.kind)
  end
  if not operation then
    return nil, reason
  end
  return {
    name = operation.name,
    run = function()
      return pcall(operation.run)
    end,
    take_back = operation.take_back,
  }, nil, content ~= nil
end

---@param all { step: agent_edit.Step, number: integer }[]
---@param last integer the one that could not be done
---@return boolean whether all of it was taken back
local function take_back(all, last)
  for number = 1, last - 1 do
    -- A file that is gone stays so, and what belongs to that stays with it.
    if not all[number].step.take_back then
      return false
    end
  end
  for number = last, 1, -1 do
    if all[number].step.take_back then
      all[number].step.take_back()
    end
  end
  return true
end

--- All of it, or nothing.
---@param client vim.lsp.Client
---@param edit lsp.WorkspaceEdit
---@return agent_edit.Applied
local function apply(client, edit)
  local changes = edit.documentChanges
  if not changes then
    return { applied = false, failureReason = "an edit without versions" }
  end
  local all = {} ---@type { step: agent_edit.Step, number: integer }[]
  local seen = {} ---@type table<integer, true>
  local number = 1
  while number <= #changes do
    local one, reason, takes_next = step(client, changes, number)
    if one and one.bufnr and seen[one.bufnr] then
      one, reason = nil, ("%s is there twice"):format(one.name)
    end
    if not one then
      return { applied = false, failureReason = reason, failedChange = number - 1 }
    end
    seen[one.bufnr or 0] = true
    all[#all + 1] = { step = one, number = number }
    number = number + (takes_next and 2 or 1)
  end
  for index, it in ipairs(all) do
    local ok, fault = it.step.run()
    if not ok then
      local rest = take_back(all, index) and "nothing was changed" or "what came before it stays"
      local reason = ("%s: %s; %s"):format(it.step.name, fault, rest)
      return { applied = false, failureReason = reason, failedChange = it.number - 1 }
    end
  end
  return { applied = true }
end

---@param params lsp.ApplyWorkspaceEditParams
---@param context { client_id: integer }
---@return agent_edit.Applied
function M.handler(_, params, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  local answer = apply(client, params.edit)
  require("agent_edit.log").edit(params, answer)
  return answer
end

return M
