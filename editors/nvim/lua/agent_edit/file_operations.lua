--- Files that are created, renamed and deleted: looked at before anything is done, and taken back where a later one cannot
--- be done. What a person has not saved is never in the way of any of them: it is refused then.
local api = vim.api
local M = {}

---@class (exact) agent_edit.Operation
---@field name string for people
---@field run fun() does it, or raises an error
---@field take_back? fun() as far as that can be

---@param path string
---@return integer? bufnr that is loaded
local function loaded(path)
  if vim.fn.bufexists(path) == 1 then
    local bufnr = vim.fn.bufadd(path)
    return api.nvim_buf_is_loaded(bufnr) and bufnr or nil
  end
end

---@param path string
---@return boolean
local function exists(path)
  return vim.uv.fs_lstat(path) ~= nil
end

---@param path string
---@return string? why nothing may come to be there
local function taken(path)
  if exists(path) then
    return "is there by now"
  elseif loaded(path) then
    return "is open already"
  end
end

---@param path string
---@return string? why it may not be taken away
local function kept(path)
  local stat = vim.uv.fs_lstat(path)
  local bufnr = loaded(path)
  if not stat or stat.type ~= "file" then
    return "is no file"
  elseif bufnr and vim.bo[bufnr].modified then
    return "has unsaved changes"
  end
end

---@param path string
---@param content string
---@return integer bufnr
local function open_new(path, content)
  local bufnr = vim.fn.bufadd(path)
  vim.fn.bufload(bufnr)
  local option = vim.bo[bufnr]
  option.buflisted = true
  local mark = "\239\187\191"
  if vim.startswith(content, mark) then
    option.bomb, content = true, content:sub(#mark + 1)
  end
  local breaks = select(2, content:gsub("\n", ""))
  if breaks > 0 and select(2, content:gsub("\r\n", "")) == breaks then
    option.fileformat, content = "dos", content:gsub("\r\n", "\n")
  end
  local lines = vim.split(content, "\n", { plain = true })
  if lines[#lines] == "" then
    table.remove(lines)
  else
    option.endofline = false
  end
  api.nvim_buf_set_lines(bufnr, 0, -1, true, lines)
  return bufnr
end

--- To Neovim, no buffer is empty: an empty file is one on the disk.
---@param path string
---@return agent_edit.Operation
local function create_empty(path)
  return {
    name = path,
    run = function()
      vim.fn.mkdir(vim.fs.dirname(path), "p")
      assert(vim.uv.fs_close(assert(vim.uv.fs_open(path, "wx", 420))))
      vim.bo[vim.fn.bufadd(path)].buflisted = true
    end,
    take_back = function()
      os.remove(path)
    end,
  }
end

--- A file that is a buffer and nothing else until a person saves it.
---@param client vim.lsp.Client
---@param uri string
---@param content string
---@return agent_edit.Operation? operation, string? reason
function M.create(client, uri, content)
  local path = vim.uri_to_fname(uri)
  local reason = taken(path)
  if reason then
    return nil, ("%s %s"):format(path, reason)
  end
  if content == "" then
    return create_empty(path)
  end
  local bufnr ---@type integer?
  return {
    name = path,
    run = function()
      bufnr = open_new(path, content)
      vim.lsp.buf_attach_client(bufnr, client.id)
    end,
    take_back = function()
      if bufnr then
        api.nvim_buf_delete(bufnr, { force = true })
      end
    end,
  }
end

---@param from string
---@param to string
local function move(from, to)
  vim.fn.mkdir(vim.fs.dirname(to), "p")
  vim.lsp.util.rename(from, to, { overwrite = false })
  if exists(from) or not exists(to) then
    error(("it cannot be renamed to %s"):format(to), 0)
  end
end

---@param old_uri string
---@param new_uri string
---@return agent_edit.Operation? operation, string? reason
function M.rename(old_uri, new_uri)
  local from, to = vim.uri_to_fname(old_uri), vim.uri_to_fname(new_uri)
  local reason = kept(from)
  if reason then
    return nil, ("%s %s"):format(from, reason)
  end
  reason = taken(to)
  if reason then
    return nil, ("%s %s"):format(to, reason)
  end
  return {
    name = from,
    run = function()
      move(from, to)
    end,
    take_back = function()
      if exists(to) and not exists(from) then
        move(to, from)
      end
    end,
  }
end

---@param uri string
---@return agent_edit.Operation? operation, string? reason
function M.delete(uri)
  local path = vim.uri_to_fname(uri)
  local reason = kept(path)
  if reason then
    return nil, ("%s %s"):format(path, reason)
  end
  return {
    name = path,
    run = function()
      assert(os.remove(path))
      if vim.fn.bufexists(path) == 1 then
        api.nvim_buf_delete(vim.fn.bufadd(path), { force = true })
      end
    end,
  }
end

return M
