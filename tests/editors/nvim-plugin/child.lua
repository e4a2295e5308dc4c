-- A fresh Neovim with the plugin and nothing else, driven from outside as a person at a keyboard and a script are.
local Child = {}
Child.__index = Child

-- Milliseconds anything may take: far more than a loaded machine needs, so that it is a fault.
local DEADLINE = 30000
local root = assert(os.getenv("AGENT_EDIT_ROOT"))

-- Runs in the child: what every test needs there.
local INSIDE = [[
  _G.T = {}
  function T.client()
    return vim.lsp.get_clients({ name = "agent_edit" })[1]
  end
  function T.attached(bufnr)
    local client = T.client()
    return client ~= nil and client.initialized == true and client.attached_buffers[bufnr] ~= nil
  end
  function T.text(bufnr)
    return table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, true), "\n")
  end
  function T.batch(documents)
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
  function T.apply(batch)
    T.outcome = nil
    require("agent_edit").apply(batch, function(outcome)
      T.outcome = outcome
    end)
  end
  -- Runs `what` after the server has sent its next edit, before the plugin gets it.
  function T.before_the_edit(what)
    local client = T.client()
    local own = client.handlers["workspace/applyEdit"]
    client.handlers["workspace/applyEdit"] = function(...)
      client.handlers["workspace/applyEdit"] = own
      what()
      return own(...)
    end
  end
  -- Hands an edit to the plugin's handler, or to Neovim's own, as if the server had sent it.
  function T.handle(whose, edit)
    local method = "workspace/applyEdit"
    local handler = whose == "stock" and vim.lsp.handlers[method] or T.client().handlers[method]
    local ok, answer = pcall(handler, nil, { edit = edit }, { client_id = T.client().id, method = method })
    return ok and answer or { fault = answer }
  end
  T.messages = {}
  vim.notify = function(message, level)
    table.insert(T.messages, { message = message, level = level })
  end
]]

local ENABLE = [[
  if vim.lsp.enable then
    vim.lsp.enable("agent_edit")
  else
    require("agent_edit").enable()
  end
]]

-- `setup`: Lua to run before the server is enabled. `enable`: how that is done, false for not at all.
function Child.start(folder, setup, enable)
  local nvim = assert(os.getenv("AGENT_EDIT_NVIM"))
  local self = setmetatable({ folder = folder }, Child)
  self.job = vim.fn.jobstart({ nvim, "--clean", "--embed", "--headless", "--cmd", "set rtp^=" .. root .. "/editors/nvim" }, {
    rpc = true,
    cwd = folder,
    on_stderr = function(_, data)
      self.stderr = (self.stderr or "") .. table.concat(data, "\n")
    end,
  })
  assert(self.job > 0, "Neovim does not start")
  self:lua(INSIDE)
  self:lua(setup or "")
  if enable ~= false then
    self:lua(enable or ENABLE)
  end
  return self
end

-- Runs Lua in the child, with `...`, and returns what it returns.
function Child:lua(code, ...)
  return vim.rpcrequest(self.job, "nvim_exec_lua", code, { ... })
end

function Child:cmd(command)
  return vim.rpcrequest(self.job, "nvim_command", command)
end

-- Types, as from a keyboard.
function Child:type(keys)
  vim.rpcrequest(self.job, "nvim_input", keys)
end

-- Waits until `code` in the child returns something true, and returns that.
function Child:wait(what, code, ...)
  local last
  local arguments = { ... }
  local there = vim.wait(DEADLINE, function()
    last = self:lua(code, unpack(arguments))
    return last and last ~= vim.NIL
  end, 10)
  if not there then
    error(("waited in vain for %s; messages: %s"):format(what, vim.inspect(self:lua("return T.messages"))), 2)
  end
  return last
end

function Child:path(name)
  return self.folder .. "/" .. name
end

function Child:uri(name)
  return vim.uri_from_fname(self:path(name))
end

-- Writes a file, as other programs do.
function Child:write(name, text)
  local file = assert(io.open(self:path(name), "wb"))
  file:write(text)
  file:close()
end

function Child:read(name)
  local file = assert(io.open(self:path(name), "rb"))
  local text = file:read("a")
  file:close()
  return text
end

-- Opens a file in the current window and waits until the server has it. Returns its buffer.
function Child:open(name, text, command)
  if text then
    self:write(name, text)
  end
  self:cmd(("silent %s %s"):format(command or "edit", name))
  local bufnr = self:lua("return vim.api.nvim_get_current_buf()")
  self:wait("the server to have " .. name, "return T.attached(...)", bufnr)
  return bufnr
end

function Child:text(bufnr)
  return self:lua("return T.text(...)", bufnr)
end

-- Applies a batch, and returns what became of it.
function Child:apply(...)
  self:lua("T.apply(T.batch(...))", { ... })
  return self:outcome()
end

function Child:outcome()
  return self:wait("the answer", "return T.outcome")
end

-- Waits until there are this many conflicts in a buffer, and returns them.
function Child:conflicts(bufnr, count)
  self:wait(count .. " conflicts", "local b, n = ... return #vim.diagnostic.get(b) == n", bufnr, count)
  return self:lua("return vim.diagnostic.get(...)", bufnr)
end

-- Waits for a message to the person that matches.
function Child:message(pattern)
  return self:wait("the message " .. pattern, [[
    for _, it in ipairs(T.messages) do
      if it.message:find(...) then
        return it
      end
    end
  ]], pattern)
end

function Child:stop()
  pcall(vim.rpcrequest, self.job, "nvim_command", "qall!")
  -- Another number below 0 says that it is gone already.
  if vim.fn.jobwait({ self.job }, DEADLINE)[1] == -1 then
    vim.fn.jobstop(self.job)
    error("Neovim does not end")
  end
end

return Child
