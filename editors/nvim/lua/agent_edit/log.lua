--- What has passed through the editor since it was started: the last batches and edits.
local M = {}

---@class (exact) agent_edit.Entry
---@field time string
---@field what string

local KEPT = 200
local entries = {} ---@type agent_edit.Entry[]

---@param what string
function M.add(what)
  table.insert(entries, { time = os.date("%H:%M:%S") --[[@as string]], what = what })
  if #entries > KEPT then
    table.remove(entries, 1)
  end
end

---@param params lsp.ApplyWorkspaceEditParams
---@param answer agent_edit.Applied
function M.edit(params, answer)
  local names = {}
  for _, it in ipairs(params.edit.documentChanges or {}) do
    local uri = it.textDocument and it.textDocument.uri or it.uri or it.newUri
    names[#names + 1] = vim.fs.basename(uri)
  end
  local outcome = answer.applied and "applied" or "refused: " .. answer.failureReason
  M.add(("%s in %s: %s"):format(params.label or "edit", table.concat(names, ", "), outcome))
end

local applied = {} ---@type string[]

--- Notes that a batch was applied, which could be reverted.
---@param id string
function M.add_applied(id)
  table.insert(applied, id)
end

---@return string[] ids of batches, the last one last
function M.applied()
  return vim.deepcopy(applied)
end

---@return string? id
function M.last_applied()
  return applied[#applied]
end

---@return string[]
function M.lines()
  return vim.tbl_map(function(it)
    return it.time .. "  " .. it.what:gsub("\n", "\n          ")
  end, entries)
end

return M
