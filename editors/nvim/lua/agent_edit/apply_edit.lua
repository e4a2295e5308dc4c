--- `workspace/applyEdit` for this client: all documents are looked at before any is touched, and the answer says what
--- was done. Neovim's own handler looks at the first document alone and skips it in silence.
local document = require("agent_edit.document")
local edits = require("agent_edit.text_edits")

local M = {}

---@class (exact) agent_edit.Applied
---@field applied boolean
---@field failureReason? string
---@field failedChange? integer from 0

---@class (exact) agent_edit.Planned
---@field document agent_edit.Document
---@field plan agent_edit.Plan

---@param client vim.lsp.Client
---@param it { textDocument: lsp.OptionalVersionedTextDocumentIdentifier, edits: lsp.TextEdit[] }
---@return agent_edit.Planned? planned, string? reason
local function planned(client, it)
  if it.kind then
    return nil, ("a %s is not something this client does"):format(it.kind)
  end
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
  return { document = found, plan = plan }
end

--- All of it, or nothing.
---@param client vim.lsp.Client
---@param edit lsp.WorkspaceEdit
---@return agent_edit.Applied
local function apply(client, edit)
  if not edit.documentChanges then
    return { applied = false, failureReason = "an edit without versions" }
  end
  local all = {} ---@type agent_edit.Planned[]
  local seen = {} ---@type table<integer, true>
  for number, it in ipairs(edit.documentChanges) do
    local one, reason = planned(client, it)
    if one and seen[one.document.bufnr] then
      one, reason = nil, ("%s is there twice"):format(one.document.name)
    end
    if not one then
      return { applied = false, failureReason = reason, failedChange = number - 1 }
    end
    seen[one.document.bufnr] = true
    all[number] = one
  end
  for number, it in ipairs(all) do
    local ok, fault = edits.apply(client, it.plan)
    if not ok then
      for undone = number, 1, -1 do
        edits.take_back(client, all[undone].plan)
      end
      local reason = ("%s: %s; nothing was changed"):format(it.document.name, fault)
      return { applied = false, failureReason = reason, failedChange = number - 1 }
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
