--- Conflicts as a person sees them. Which there are, the server says, by diagnostics.
local client_of = require("agent_edit.client")
local config = require("agent_edit.config")

local M = {}

---@param text string
---@param width integer
---@return string
local function wrapped(text, width)
  local lines, line = {}, ""
  for word in text:gmatch("%S+") do
    if line ~= "" and vim.api.nvim_strwidth(line .. " " .. word) > width then
      lines[#lines + 1], line = line, ""
    end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = line
  return table.concat(lines, "\n")
end

--- Conflicts are sentences: they stand below their lines, where the window is wide enough for none of them beside.
---@param namespace integer
function M.configure(namespace)
  if vim.fn.has("nvim-0.11") == 0 or config.options().virtual_lines == false then
    return
  end
  vim.diagnostic.config({
    virtual_text = false,
    virtual_lines = {
      format = function(diagnostic)
        local width = vim.api.nvim_win_get_width(0) - vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff
        return wrapped(diagnostic.message, math.max(width - diagnostic.col - 8, 30))
      end,
    },
  }, namespace)
end

---@return vim.Diagnostic[]
function M.all()
  local client = client_of.get()
  return client and vim.diagnostic.get(nil, { namespace = client_of.namespace(client) }) or {}
end

--- Puts them all into the quickfix list.
function M.to_quickfix()
  local items = vim.diagnostic.toqflist(M.all())
  vim.fn.setqflist({}, " ", { title = "Conflicts of agents' edits", items = items })
  if #items == 0 then
    vim.notify("No conflicts", vim.log.levels.INFO)
  else
    vim.cmd("botright copen")
  end
end

--- The conflict at the cursor: the batch and the edit it is of.
---@return { batchId: string, uri: string, edit: integer }?
function M.at_cursor()
  local client = client_of.get()
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  for _, it in ipairs(client and vim.diagnostic.get(0, { namespace = client_of.namespace(client) }) or {}) do
    local data = vim.tbl_get(it, "user_data", "lsp", "data")
    if data and it.lnum <= line and line <= (it.end_lnum or it.lnum) then
      return { batchId = data.batchId, uri = vim.uri_from_bufnr(0), edit = data.edit }
    end
  end
end

return M
