--- The edits of one document: checked as a whole, then made as one step that a person can undo.
local client_of = require("agent_edit.client")

local api = vim.api
local M = {}

---@class (exact) agent_edit.Change A replacement in API coordinates: lines and bytes from 0.
---@field from [integer, integer]
---@field to [integer, integer]
---@field lines string[]
---@field whole boolean whole lines: `from` to `to` are lines, the columns mean nothing

---@class (exact) agent_edit.Plan
---@field bufnr integer
---@field changes agent_edit.Change[] sorted, disjoint
---@field before string[] the lines as they were
---@field adds_ending boolean the document ends in a line break afterwards, which it did not before

local NEWER = vim.fn.has("nvim-0.11") == 1

---@param line string
---@param encoding string
---@param column integer
---@return integer? byte nil where the line has no such place between two characters
local function byte_of(line, encoding, column)
  if column == 0 then
    return 0
  elseif encoding == "utf-8" then
    if column > #line then
      return nil
    end
    -- Not a continuation byte.
    local next = line:byte(column + 1)
    return not (next and next >= 0x80 and next < 0xC0) and column or nil
  end
  local ok, byte, back
  if NEWER then
    ok, byte = pcall(vim.str_byteindex, line, encoding, column, true)
    back = ok and vim.str_utfindex(line, encoding, byte, true)
  else
    local wide = encoding == "utf-16"
    ok, byte = pcall(vim.str_byteindex, line, column, wide)
    if ok then
      local utf32, utf16 = vim.str_utfindex(line, byte)
      back = wide and utf16 or utf32
    end
  end
  return ok and back == column and byte or nil
end

--- A position in lines and bytes. The line after the last one is where a document that ends in a line break ends.
---@param bufnr integer
---@param position lsp.Position
---@param encoding string
---@param count integer lines of the buffer
---@return [integer, integer]?
local function place(bufnr, position, encoding, count)
  if position.line == count and position.character == 0 then
    return { count, 0 }
  elseif position.line >= count then
    return nil
  end
  local line = api.nvim_buf_get_lines(bufnr, position.line, position.line + 1, true)[1]
  local column = byte_of(line, encoding, position.character)
  return column and { position.line, column }
end

---@param a [integer, integer]
---@param b [integer, integer]
---@return boolean
local function is_after(a, b)
  return a[1] > b[1] or (a[1] == b[1] and a[2] > b[2])
end

---@param bufnr integer
---@param text string
---@return string[]? lines, string? misfit
local function lines_of(bufnr, text)
  if vim.bo[bufnr].fileformat == "dos" then
    local breaks = select(2, text:gsub("\n", ""))
    text = text:gsub("\r\n", "\n")
    if text:find("\r", 1, true) or breaks ~= select(2, text:gsub("\n", "")) then
      return nil, "line breaks that are not those of DOS, which the document has"
    end
  end
  return vim.split(text, "\n", { plain = true })
end

--- A change that reaches the end of a document behind its last line break, in terms of the lines there are.
---@param change agent_edit.Change
---@param count integer lines of the buffer
---@param last string the last of them
---@return string? misfit
local function at_the_end(change, count, last)
  local ends_in_break = change.lines[#change.lines] == ""
  if change.from[1] == count then
    -- Behind everything: further lines.
    if not ends_in_break then
      return "the last line would lose its line break, which Neovim keeps"
    end
    table.remove(change.lines)
    change.whole = true
    return nil
  end
  if ends_in_break and #change.lines > 1 then
    table.remove(change.lines)
    change.to = { count - 1, #last }
    return nil
  elseif #change.lines == 1 and change.lines[1] == "" and change.from[2] == 0 then
    change.lines = {}
    change.whole = true
    return nil
  end
  return "the last line would lose its line break, which Neovim keeps"
end

--- What `text_edits` mean in a buffer as it is now. Nothing is changed.
---@param bufnr integer
---@param text_edits lsp.TextEdit[]
---@param encoding string
---@return agent_edit.Plan? plan, string? misfit
function M.plan(bufnr, text_edits, encoding)
  local count = api.nvim_buf_line_count(bufnr)
  local before = api.nvim_buf_get_lines(bufnr, 0, -1, true)
  local changes = {} ---@type agent_edit.Change[]
  local order = {} ---@type table<agent_edit.Change, integer>
  for number, it in ipairs(text_edits) do
    local from = place(bufnr, it.range.start, encoding, count)
    local to = place(bufnr, it.range["end"], encoding, count)
    if not from or not to then
      return nil, ("edit %d is for a place that the text does not have"):format(number)
    elseif is_after(from, to) then
      return nil, ("edit %d ends before it starts"):format(number)
    end
    local lines, misfit = lines_of(bufnr, it.newText)
    if not lines then
      return nil, ("edit %d brings %s"):format(number, misfit)
    end
    changes[number] = { from = from, to = to, lines = lines, whole = false }
    order[changes[number]] = number
  end
  table.sort(changes, function(a, b)
    if is_after(a.from, b.from) or is_after(b.from, a.from) then
      return is_after(b.from, a.from)
    end
    return order[a] < order[b]
  end)
  for number = 2, #changes do
    if is_after(changes[number - 1].to, changes[number].from) then
      return nil, "two edits touch the same text"
    end
  end
  local adds_ending = false
  for _, it in ipairs(changes) do
    if it.to[1] == count then
      local misfit = at_the_end(it, count, before[count])
      if misfit then
        return nil, misfit
      end
    elseif not vim.bo[bufnr].endofline and it.to[1] == count - 1 and it.to[2] == #before[count] then
      -- Without this, the line break would be an empty line more once it is saved.
      if #it.lines > 1 and it.lines[#it.lines] == "" then
        adds_ending = true
      end
    end
  end
  return { bufnr = bufnr, changes = changes, before = before, adds_ending = adds_ending }
end

--- What is typed before and after is undone by itself.
---@param bufnr integer
local function break_undo(bufnr)
  vim.bo[bufnr].undolevels = vim.bo[bufnr].undolevels
end

---@class (exact) agent_edit.Kept
---@field name string of the mark
---@field id integer of what follows the text in its place

local SPACE = api.nvim_create_namespace("agent_edit.marks")

--- A person's marks are lost with their lines; what stands in for them is not.
---@param bufnr integer
---@return agent_edit.Kept[]
local function keep_marks(bufnr)
  local kept = {}
  for _, it in ipairs(vim.fn.getmarklist(bufnr)) do
    local name = it.mark:match("^'(%l)$")
    local row, column = it.pos[2] - 1, it.pos[3] - 1
    local line = name and api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
    if line then
      local id = api.nvim_buf_set_extmark(bufnr, SPACE, row, math.min(math.max(column, 0), #line), {})
      kept[#kept + 1] = { name = name, id = id }
    end
  end
  return kept
end

---@param bufnr integer
---@param kept agent_edit.Kept[]
local function restore_marks(bufnr, kept)
  for _, it in ipairs(kept) do
    local at = api.nvim_buf_get_extmark_by_id(bufnr, SPACE, it.id, {})
    if api.nvim_buf_get_mark(bufnr, it.name)[1] == 0 and at[1] then
      api.nvim_buf_set_mark(bufnr, it.name, math.min(at[1] + 1, api.nvim_buf_line_count(bufnr)), at[2], {})
    end
  end
  api.nvim_buf_clear_namespace(bufnr, SPACE, 0, -1)
end

---@param bufnr integer
---@param it agent_edit.Change
local function make(bufnr, it)
  if it.whole then
    api.nvim_buf_set_lines(bufnr, it.from[1], it.to[1], true, it.lines)
  else
    api.nvim_buf_set_text(bufnr, it.from[1], it.from[2], it.to[1], it.to[2], it.lines)
  end
end

--- Makes all changes of a plan, as one step to undo, and tells the server.
---@param client vim.lsp.Client
---@param plan agent_edit.Plan
---@return boolean ok, string? fault
function M.apply(client, plan)
  local bufnr = plan.bufnr
  break_undo(bufnr)
  local kept = keep_marks(bufnr)
  local ok, fault = pcall(function()
    for number = #plan.changes, 1, -1 do
      make(bufnr, plan.changes[number])
    end
    if plan.adds_ending then
      api.nvim_buf_set_lines(bufnr, -2, -1, true, {})
    end
  end)
  restore_marks(bufnr, kept)
  if ok then
    break_undo(bufnr)
    if plan.adds_ending then
      vim.bo[bufnr].endofline = true
      require("agent_edit.document").tell_whole(client, bufnr)
    end
    client_of.flush(client, bufnr)
  end
  return ok, fault and tostring(fault):gsub("\n.*", "")
end

--- Puts back what was there before.
---@param client vim.lsp.Client
---@param plan agent_edit.Plan
function M.take_back(client, plan)
  local bufnr = plan.bufnr
  local modifiable = vim.bo[bufnr].modifiable
  vim.bo[bufnr].modifiable = true
  api.nvim_buf_set_lines(bufnr, 0, -1, true, plan.before)
  vim.bo[bufnr].modifiable = modifiable
  client_of.flush(client, bufnr)
end

return M
