--- `agentEdit/save`: documents are written as a person would write them, if they still are what was meant.
local client_of = require("agent_edit.client")
local document = require("agent_edit.document")

local M = {}

---@param client vim.lsp.Client
---@param it lsp.VersionedTextDocumentIdentifier
---@return boolean
local function save(client, it)
  local bufnr = document.open_buffer(client, it.uri)
  if not bufnr or (type(it.version) == "number" and vim.lsp.util.buf_versions[bufnr] ~= it.version) then
    return false
  end
  -- Neovim would ask whether what somebody else wrote is to be overwritten: nobody may be there to answer.
  if vim.api.nvim_buf_get_name(bufnr) == "" or document.is_changed_on_disk(bufnr) then
    return false
  end
  local ok = pcall(vim.api.nvim_buf_call, bufnr, function()
    vim.cmd("silent update")
  end)
  client_of.flush(client, bufnr)
  return ok and not vim.bo[bufnr].modified
end

---@param params { textDocuments: lsp.VersionedTextDocumentIdentifier[] }
---@param context { client_id: integer }
---@return { saved: boolean[] }
function M.handler(_, params, context)
  local client = assert(vim.lsp.get_client_by_id(context.client_id))
  return {
    saved = vim.tbl_map(function(it)
      return save(client, it)
    end, params.textDocuments),
  }
end

return M
