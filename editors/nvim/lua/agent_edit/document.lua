--- Documents as buffers: which buffer a URI names, and whether it is what an edit was computed for.
local client_of = require("agent_edit.client")

local api = vim.api
local M = {}

--- What one document is to become is for a buffer in this state.
---@class (exact) agent_edit.Document
---@field bufnr integer
---@field name string for people

--- The URI Neovim gives to every buffer without a name.
local UNNAMED = vim.uri_from_fname("")

--- By client and URI, how many answers are awaited that tell that the server has seen it opened again.
---@type table<integer, table<string, integer>>
local reopening = {}

--- What the file of a buffer was when the buffer last was as the file.
---@type table<integer, string>
local on_disk = {}

---@param bufnr integer
---@return string for people
local function name_of(bufnr)
  local name = api.nvim_buf_get_name(bufnr)
  return name == "" and "[No Name]" or vim.fn.fnamemodify(name, ":~:.")
end

--- The text of a buffer as the server has it: without a byte order mark.
---@param bufnr integer
---@return string
function M.text(bufnr)
  local ending = ({ unix = "\n", dos = "\r\n", mac = "\r" })[vim.bo[bufnr].fileformat]
  local text = table.concat(api.nvim_buf_get_lines(bufnr, 0, -1, true), ending)
  return vim.bo[bufnr].endofline and text .. ending or text
end

--- Neovim gives one URI to all buffers without a name, so that only one of them can be a document.
---@param bufnr integer
---@return boolean
function M.can_attach(bufnr)
  if not api.nvim_buf_is_loaded(bufnr) or vim.bo[bufnr].buftype ~= "" then
    return false
  end
  if api.nvim_buf_get_name(bufnr) ~= "" then
    return true
  end
  local client = client_of.get()
  for other in pairs(client and client.attached_buffers or {}) do
    if other ~= bufnr and api.nvim_buf_is_valid(other) and api.nvim_buf_get_name(other) == "" then
      return false
    end
  end
  return true
end

---@param bufnr integer
---@return string? what tells one state of the file from another; nil without a file
local function stamp(bufnr)
  local it = vim.uv.fs_stat(api.nvim_buf_get_name(bufnr))
  return it and ("%d.%d %d"):format(it.mtime.sec, it.mtime.nsec, it.size)
end

---@param bufnr integer
---@return boolean whether somebody else has written its file since it was read or written
function M.is_changed_on_disk(bufnr)
  return on_disk[bufnr] ~= stamp(bufnr)
end

--- The server is told that the buffer was closed and opened with another text, and by Neovim the version can be the one
--- that the old text had. Until the server has answered something sent after that, its edits may be for the old text.
---@param client vim.lsp.Client
---@param uri string
local function opened_again(client, uri)
  local waiting = reopening[client.id]
  waiting[uri] = (waiting[uri] or 0) + 1
  -- A method that no server has, by the rules of `$/`: the answer is an error, and comes in its turn.
  client_of.request(client, "$/agentEdit/isThere", {}, function()
    waiting[uri] = waiting[uri] - 1
  end)
end

---@param client vim.lsp.Client
---@param bufnr integer
local function attached(client, bufnr)
  local waiting = reopening[client.id] or {}
  reopening[client.id] = waiting
  on_disk[bufnr] = stamp(bufnr)
  local uri = vim.uri_from_bufnr(bufnr)
  if waiting[uri] then
    opened_again(client, uri)
  else
    waiting[uri] = 0
  end
  api.nvim_buf_attach(bufnr, false, {
    on_reload = function()
      on_disk[bufnr] = stamp(bufnr)
      if not client.attached_buffers[bufnr] or client_of.is_stopped(client) then
        return true
      end
      opened_again(client, vim.uri_from_bufnr(bufnr))
    end,
    on_detach = function()
      on_disk[bufnr] = nil
    end,
  })
  api.nvim_create_autocmd("BufWritePost", {
    group = api.nvim_create_augroup("agent_edit.document." .. bufnr, {}),
    buffer = bufnr,
    callback = function()
      on_disk[bufnr] = stamp(bufnr)
    end,
  })
end

api.nvim_create_autocmd("LspAttach", {
  group = api.nvim_create_augroup("agent_edit.document", {}),
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client == client_of.get(event.buf) then
      client_of.started(client)
      attached(client, event.buf)
    end
  end,
})

--- What Neovim keeps beside the lines, it does not tell: that they end otherwise.
api.nvim_create_autocmd("OptionSet", {
  group = api.nvim_create_augroup("agent_edit.options", {}),
  pattern = { "fileformat", "endofline" },
  callback = function()
    local bufnr = api.nvim_get_current_buf()
    local client = client_of.get(bufnr)
    if client then
      M.tell_whole(client, bufnr)
    end
  end,
})

--- Tells the server the whole text.
---@param client vim.lsp.Client
---@param bufnr integer
function M.tell_whole(client, bufnr)
  if client.attached_buffers[bufnr] then
    client_of.flush(client, bufnr)
    client_of.notify(client, "textDocument/didChange", {
      textDocument = { uri = vim.uri_from_bufnr(bufnr), version = vim.lsp.util.buf_versions[bufnr] },
      contentChanges = { { text = M.text(bufnr) } },
    })
  end
end

--- The buffer that the client has open under this URI.
---@param client vim.lsp.Client
---@param uri string
---@return integer?
function M.open_buffer(client, uri)
  for bufnr in pairs(client.attached_buffers) do
    if api.nvim_buf_is_loaded(bufnr) and vim.uri_from_bufnr(bufnr) == uri then
      return bufnr
    end
  end
end

---@param bufnr integer
---@return string? why it may not be changed
local function unchangeable(bufnr)
  if not vim.bo[bufnr].modifiable then
    return "is not modifiable"
  elseif vim.bo[bufnr].readonly then
    return "is read-only"
  elseif vim.bo[bufnr].fileformat == "mac" then
    return "has line breaks that the server does not count ('fileformat' is mac)"
  end
end

--- The document of this URI, if it is the one that an edit was computed for.
---@param client vim.lsp.Client
---@param uri string
---@param version integer
---@return agent_edit.Document? document, string? reason
function M.at_version(client, uri, version)
  local bufnr = M.open_buffer(client, uri)
  if not bufnr then
    return nil, ("%s is not open any more"):format(uri)
  end
  local name = name_of(bufnr)
  -- Whatever was typed is in the buffer's version at once, and the server is to know before it is told of a refusal.
  client_of.flush(client, bufnr)
  local actual = vim.lsp.util.buf_versions[bufnr]
  if actual ~= version then
    return nil, ("%s is at version %d, the edit is for version %d"):format(name, actual, version)
  elseif (vim.tbl_get(reopening, client.id, uri) or 0) > 0 then
    return nil, ("%s was read again from its file"):format(name)
  end
  local reason = unchangeable(bufnr)
  if reason then
    return nil, ("%s %s"):format(name, reason)
  end
  return { bufnr = bufnr, name = name }
end

--- Where Neovim keeps its swap files of a path. (`swapfilelist` names no real ones for folders that end in `//`.)
---@param path string
---@return string[]
local function swap_files(path)
  local found = {}
  for folder in vim.gsplit(vim.o.directory, ",", { plain = true, trimempty = true }) do
    local stem = vim.startswith(folder, ".") and vim.fs.dirname(path) .. folder:sub(2) or vim.fn.expand(folder)
    if vim.endswith(folder, "//") then
      stem = stem .. (path:gsub("[/\\:]", "%%"))
    else
      stem = stem .. (vim.startswith(folder, ".") and "/." or "/") .. vim.fs.basename(path)
    end
    for letter in ("ponmlkji"):gmatch(".") do
      local name = stem .. ".sw" .. letter
      if vim.uv.fs_stat(name) then
        found[#found + 1] = name
      end
    end
  end
  return found
end

---@param path string
---@return string? why the file should be left alone
local function swapped(path)
  for _, swap in ipairs(swap_files(vim.uv.fs_realpath(path) or path)) do
    local info = vim.fn.swapinfo(swap)
    local pid = info.pid or 0
    if pid > 0 and pid ~= vim.uv.os_getpid() and vim.uv.kill(pid, 0) == 0 then
      return ("is edited by another Neovim, process %d"):format(pid)
    elseif info.dirty == 1 then
      return ("has a swap file with unsaved changes, %s"):format(swap)
    end
  end
end

---@param path string
---@return string? text without a byte order mark
local function read(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read("a")
  file:close()
  return text and (text:gsub("^\239\187\191", ""))
end

--- A document that is not open for the server, which read its file.
---@param client vim.lsp.Client
---@param uri string
---@return agent_edit.Document? document, string? reason
function M.of_file(client, uri)
  if M.open_buffer(client, uri) then
    return nil, ("%s was opened meanwhile"):format(uri)
  elseif not vim.startswith(uri, "file:") or uri == UNNAMED then
    return nil, ("%s is not open, and is not a file"):format(uri)
  end
  local path = vim.uri_to_fname(uri)
  local text = read(path)
  local bufnr = vim.fn.bufadd(path)
  local name = name_of(bufnr)
  if not text then
    return nil, ("%s cannot be read"):format(name)
  end
  if not api.nvim_buf_is_loaded(bufnr) then
    local reason = swapped(path)
    if reason then
      return nil, ("%s %s"):format(name, reason)
    end
    local ok, fault = pcall(vim.fn.bufload, bufnr)
    if not ok then
      return nil, ("%s cannot be loaded: %s"):format(name, fault)
    end
    vim.bo[bufnr].buflisted = true
  end
  local reason = unchangeable(bufnr)
  if reason then
    return nil, ("%s %s"):format(name, reason)
  end
  local is = M.text(bufnr)
  -- An empty file is an empty line to Neovim.
  if is ~= text and not (text == "" and #is <= 2 and vim.trim(is) == "") then
    return nil, ("%s is another text in its buffer than on disk"):format(name)
  end
  -- The server is to see what becomes of it.
  if M.can_attach(bufnr) then
    vim.lsp.buf_attach_client(bufnr, client.id)
  end
  return { bufnr = bufnr, name = name }
end

return M
