--- Where a person has a batch: a file, the buffer or some of its lines, a register.
local M = {}

---@param word string? `@x` for register x, else a file; without it the buffer, or the range
---@param arguments vim.api.keyset.create_user_command.command_args
---@return string? text, string? reason
function M.read(word, arguments)
  local register = word and word:match("^@(.)$")
  if register then
    local text = vim.fn.getreg(register)
    return text ~= "" and text or nil, ("register %s is empty"):format(register)
  elseif word then
    local path = vim.fs.normalize(vim.fn.expand(word))
    local file = io.open(path, "rb")
    local text = file and file:read("a")
    if file then
      file:close()
    end
    return text, ("%s cannot be read"):format(word)
  end
  local from, to = 0, -1
  if arguments.range > 0 then
    from, to = arguments.line1 - 1, arguments.line2
  end
  return table.concat(vim.api.nvim_buf_get_lines(0, from, to, false), "\n") .. "\n"
end

return M
