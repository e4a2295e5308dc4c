--- What is shown to a person beside the documents: diffs, lists.
local api = vim.api
local M = {}

--- A buffer that holds `text` and is gone when it is no longer shown.
---@param title string
---@param text string
---@param filetype string
---@return integer
local function scratch(title, text, filetype)
  local bufnr = api.nvim_create_buf(false, true)
  api.nvim_buf_set_lines(bufnr, 0, -1, true, vim.split((text:gsub("\r\n", "\n"):gsub("\n$", "")), "\n", { plain = true }))
  -- Numbered: two buffers cannot have one name.
  api.nvim_buf_set_name(bufnr, ("agent-edit://%d/%s"):format(bufnr, (title:gsub("[/%c]", " "))))
  vim.bo[bufnr].bufhidden = "wipe"
  vim.bo[bufnr].modifiable = false
  if filetype ~= "" then
    vim.bo[bufnr].syntax = filetype
  end
  vim.keymap.set("n", "q", "<cmd>tabclose<cr>", { buffer = bufnr, desc = "Close what agent-edit shows" })
  return bufnr
end

---@param title string
---@param text string
---@param filetype string
function M.text(title, text, filetype)
  local bufnr = scratch(title, text, filetype)
  vim.cmd("tab sbuffer " .. bufnr)
end

---@class (exact) agent_edit.Side
---@field title string
---@field text string
---@field uri? string
---@field range? lsp.Range

---@class (exact) agent_edit.Diff
---@field title string
---@field left agent_edit.Side
---@field right agent_edit.Side

--- Has the current window show `side`, with the lines counted as in its document.
---@param side agent_edit.Side
---@param first_line integer from 0
local function show_side(side, first_line)
  vim.wo.winbar = "%=" .. side.title:gsub("%%", "%%%%") .. "%="
  vim.wo.statuscolumn = ("%%C%%=%%{v:virtnum ? '' : v:lnum + %d} "):format(first_line)
  vim.cmd("diffthis")
end

--- Two texts side by side in a tab of their own.
---@param diff agent_edit.Diff
function M.diff(diff)
  local path = diff.left.uri and vim.uri_to_fname(diff.left.uri) or ""
  local filetype = vim.filetype.match({ filename = path }) or ""
  local left = scratch(diff.left.title, diff.left.text, filetype)
  local right = scratch(diff.right.title, diff.right.text, filetype)
  local first_line = diff.left.range and diff.left.range.start.line or 0
  vim.cmd("tab sbuffer " .. left)
  show_side(diff.left, first_line)
  vim.cmd("rightbelow vertical sbuffer " .. right)
  show_side(diff.right, first_line)
end

---@param params agent_edit.Diff
---@return any
function M.handler(_, params)
  M.diff(params)
  return vim.NIL
end

return M
