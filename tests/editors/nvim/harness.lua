-- Tests in a real Neovim, nothing of it replaced: its own handlers, and the project's README as its configuration.
local M = {}

-- Milliseconds anything may take: far more than a loaded machine needs, so that it is a fault.
local DEADLINE = 20000
local root = assert(os.getenv("AGENT_EDIT_ROOT"))
local scratch = assert(os.getenv("AGENT_EDIT_SCRATCH"))

-- The `number`th block of Lua in the README, as it stands there.
local function snippet(number)
  local readme = table.concat(vim.fn.readfile(root .. "/README.md"), "\n")
  local blocks = vim.iter(readme:gmatch("```lua\n(.-)\n```")):totable()
  return assert(loadstring(assert(blocks[number], "the README has no such block of Lua")))
end

M.configure = snippet(3)

function M.equal(actual, expected)
  if not vim.deep_equal(actual, expected) then
    error(("expected %s\ngot %s"):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

-- Waits until `condition` holds, and returns what it returned.
function M.wait(what, condition)
  local last
  local there = vim.wait(DEADLINE, function()
    last = condition()
    return last
  end, 5)
  return there and last or error("waited in vain for " .. what, 2)
end

function M.client()
  return vim.lsp.get_clients({ name = "agent-edit" })[1]
end

function M.write(name, text)
  local path = M.folder .. "/" .. name
  vim.fn.writefile(vim.split(text, "\n"), path, "b")
  return path
end

function M.read(name)
  return table.concat(vim.fn.readfile(M.folder .. "/" .. name, "b"), "\n")
end

-- Opens a file of this text in the current window, and waits until the server has it.
function M.open(name, text)
  vim.cmd.edit(M.write(name, text))
  local buffer = vim.api.nvim_get_current_buf()
  M.wait("the server", function()
    local client = vim.lsp.get_clients({ name = "agent-edit", bufnr = buffer })[1]
    return client and client.initialized
  end)
  return buffer
end

function M.text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), "\n")
end

-- A new line in front of all others, as if typed. Neovim tells the server of it later.
function M.type_first(buffer, line)
  vim.api.nvim_buf_set_lines(buffer, 0, 0, true, { line })
end

-- Types after the server has sent its next edit and before Neovim's own handler gets it. Returns what ends that.
function M.type_while_an_edit_is_on_its_way(buffer, line)
  local stock = vim.lsp.handlers["workspace/applyEdit"]
  local typed = false
  vim.lsp.handlers["workspace/applyEdit"] = function(...)
    if not typed then
      typed = true
      M.type_first(buffer, line)
    end
    return stock(...)
  end
  return function()
    vim.lsp.handlers["workspace/applyEdit"] = stock
    assert(typed, "no edit came")
  end
end

-- `documents`: a table of `{ uri, { old, new }… }`.
function M.batch(documents)
  return {
    documents = vim.tbl_map(function(it)
      local edits = {}
      for number = 2, #it do
        edits[number - 1] = { oldText = it[number][1], newText = it[number][2] }
      end
      return { textDocument = { uri = it[1] }, edits = edits }
    end, documents),
  }
end

-- Sends a batch; returns its error and its result.
function M.agent_edit(batch)
  local answer
  M.client():request("workspace/agentEdit", batch, function(err, result)
    answer = { err, result }
  end)
  M.wait("the answer", function()
    return answer
  end)
  return answer[1], answer[2]
end

-- Waits until the server's diagnostics in `buffer` are this many.
function M.diagnostics(buffer, count)
  return M.wait(count .. " diagnostics", function()
    local all = vim.diagnostic.get(buffer)
    return #all == count and all
  end)
end

local function fresh()
  vim.cmd("silent! %bwipeout!")
  for _, client in ipairs(vim.lsp.get_clients()) do
    client:stop()
  end
  M.wait("the server's end", function()
    return #vim.lsp.get_clients() == 0
  end)
end

-- Runs all tests, each in a folder and with a server of its own. Ends Neovim.
function M.run(tests)
  M.configure()
  local passed, failed = 0, 0
  for number, test in ipairs(tests) do
    M.folder = scratch .. "/" .. number
    vim.fn.mkdir(M.folder .. "/.git", "p")
    vim.cmd.cd(M.folder)
    local ok, fault = xpcall(function()
      test[2]()
      fresh()
    end, debug.traceback)
    passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
    io.stdout:write(("%s %s\n%s"):format(ok and "ok  " or "FAIL", test[1], ok and "" or fault .. "\n"))
    if not ok then
      pcall(fresh)
    end
  end
  io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
  io.stdout:flush()
  os.exit(failed == 0 and passed > 0 and 0 or 1)
end

return M
