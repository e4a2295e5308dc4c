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

---@param diagnostic vim.Diagnostic
---@return { batchId: string, edit: integer }?
local function data_of(diagnostic)
  return vim.tbl_get(diagnostic, "user_data", "lsp", "data")
end

--- What is said of an edit is said at the first of its places; the others are short.
---@param diagnostic vim.Diagnostic
---@return string
local function text_of(diagnostic)
  local data = data_of(diagnostic)
  for _, it in ipairs(vim.diagnostic.get(diagnostic.bufnr, { namespace = diagnostic.namespace })) do
    local is_before = it.lnum < diagnostic.lnum or (it.lnum == diagnostic.lnum and it.col < diagnostic.col)
    if is_before and data and vim.deep_equal(data_of(it), data) then
      return (diagnostic.message:match("^(.-[^:]): ") or diagnostic.message) .. ": here, too"
    end
  end
  return diagnostic.message
end

--- Conflicts are sentences: they stand below their lines, where the window is wide enough for none of them beside.
---@param namespace integer
function M.configure(namespace)
  vim.api.nvim_create_autocmd("DiagnosticChanged", {
    group = vim.api.nvim_create_augroup("agent_edit.statusline", {}),
    desc = "The statusline may count conflicts",
    command = "redrawstatus!",
  })
  if vim.fn.has("nvim-0.11") == 0 or config.options().virtual_lines == false then
    return
  end
  vim.diagnostic.config({
    virtual_text = false,
    virtual_lines = {
      format = function(diagnostic)
        local width = vim.api.nvim_win_get_width(0) - vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff
        return wrapped(text_of(diagnostic), math.max(width - diagnostic.col - 8, 30))
      end,
    },
  }, namespace)
end

---@return vim.Diagnostic[]
function M.all()
  local client = client_of.get()
  return client and vim.diagnostic.get(nil, { namespace = client_of.namespace(client) }) or {}
end

--- How many edits do not fit, each of which may be shown in several places.
---@return integer
function M.count()
  local edits = {} ---@type table<string, true>
  for _, it in ipairs(M.all()) do
    local data = data_of(it) or {}
    edits[("%d %s %s"):format(it.bufnr, data.batchId, data.edit)] = true
  end
  return vim.tbl_count(edits)
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
    local data = data_of(it)
    if data and it.lnum <= line and line <= (it.end_lnum or it.lnum) then
      return { batchId = data.batchId, uri = vim.uri_from_bufnr(0), edit = data.edit }
    end
  end
end

return M
