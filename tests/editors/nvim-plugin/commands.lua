-- What a person does: every command, what is shown, what is said.
local t = require("harness")
local test, equal, contains = t.test, t.equal, t.contains

local TEXT = "first line\na TODO here\n🚀 x TODO énd\n"

local function json(nvim, name, ...)
  local edits = {}
  for number, it in ipairs({ ... }) do
    edits[number] = { oldText = it[1], newText = it[2] }
  end
  return vim.json.encode({ documents = { { textDocument = { uri = nvim:uri(name) }, edits = edits } } })
end

-- Opens a.txt and has a batch refused there that stands in two places.
local function with_conflict(nvim)
  local a = nvim:open("a.txt", TEXT)
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "TODO", "DONE" } })
  equal({ outcome.error.code, outcome.error.data.code }, { -32803, "EDIT_CONFLICT" })
  nvim:conflicts(a, 2)
  return a, outcome
end

test(":AgentEdit apply takes a file, a register, a range, the buffer", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:write("batch.json", json(nvim, "a.txt", { "first", "1st" }))
  nvim:cmd("AgentEdit apply batch.json")
  equal(nvim:message("applied").message, "1 edit applied (1 find/replace) in a.txt")
  equal(nvim:text(a):sub(1, 3), "1st")

  nvim:lua("vim.fn.setreg('x', ...)", json(nvim, "a.txt", { "1st", "2nd" }))
  nvim:cmd("AgentEdit apply @x")
  nvim:wait("the edit", "return T.text(...):sub(1, 3) == '2nd'", a)

  nvim:open("notes.txt", "Here:\n" .. json(nvim, "a.txt", { "2nd", "3rd" }) .. "\nThere.\n")
  nvim:cmd("2AgentEdit apply")
  nvim:wait("the edit", "return T.text(...):sub(1, 3) == '3rd'", a)

  nvim:open("c.json", json(nvim, "a.txt", { "3rd", "4th" }))
  nvim:cmd("AgentEdit apply")
  nvim:wait("the edit", "return T.text(...):sub(1, 3) == '4th'", a)
end)

test("what is no batch is said to be none", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:cmd("AgentEdit apply nothing.json")
  contains(nvim:message("nothing.json").message, "cannot be read")
  nvim:cmd("AgentEdit apply @x")
  nvim:message("register x is empty")
  nvim:cmd("AgentEdit apply")
  nvim:message("not a batch")
  nvim:cmd("AgentEdit foo")
  nvim:message("there is no :AgentEdit foo")
  equal(nvim:text(a) .. "\n", TEXT)
end)

test("a text that is no JSON is for the server to read, where it does that", function(nvim)
  nvim:open("notes.txt", "*** Begin Patch\n*** End Patch\n")
  nvim:lua([[
    table.insert(T.client().server_capabilities.executeCommandProvider.commands, "agentEdit.applyDocument")
    T.client().request = function(...)
      -- With Neovim 0.10, the client is not among them.
      local it = { ... }
      local first = type(it[1]) == "table" and 2 or 1
      T.sent = { it[first], it[first + 1].command, it[first + 1].arguments[1].text }
      return true, 1
    end
  ]])
  nvim:cmd("AgentEdit apply")
  equal(nvim:wait("the request", "return T.sent"), {
    "workspace/executeCommand",
    "agentEdit.applyDocument",
    "*** Begin Patch\n*** End Patch\n",
  })
end)

test(":AgentEdit preview shows the diff and changes nothing", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:write("batch.json", json(nvim, "a.txt", { "first", "1st" }))
  nvim:cmd("AgentEdit preview batch.json")
  nvim:wait("the diff", "return vim.bo.syntax == 'diff'")
  contains(nvim:lua("return T.text(0)"), "-first line\n+1st line")
  equal(nvim:text(a) .. "\n", TEXT)
  nvim:type("q")
  nvim:wait("its end", "return vim.fn.tabpagenr('$') == 1")
end)

test(":AgentEdit preview shows why it would be refused, and leaves nothing behind", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:write("batch.json", json(nvim, "a.txt", { "TODO", "DONE" }))
  nvim:cmd("AgentEdit preview batch.json")
  nvim:wait("the report", "return T.text(0):find('stands 2 times', 1, true)")
  equal(nvim:lua("return #vim.diagnostic.get(...)", a), 0)
end)

test(":AgentEdit conflicts lists them, where they are", function(nvim)
  local a = with_conflict(nvim)
  nvim:open("b.txt", "other\n")
  nvim:cmd("AgentEdit conflicts")
  equal(nvim:lua([[
    return vim.tbl_map(function(it)
      return { it.bufnr, it.lnum, it.col }
    end, vim.fn.getqflist())
  ]]), { { a, 2, 3 }, { a, 3, 8 } })
  equal(nvim:lua("return vim.bo.buftype"), "quickfix")
end)

test(":AgentEdit fix offers what the server does, and it is done", function(nvim)
  local a = with_conflict(nvim)
  nvim:lua([[
    vim.api.nvim_win_set_cursor(0, { 3, 8 })
    vim.ui.select = function(items, _, choose)
      T.titles = vim.tbl_map(function(it) return it.action.title end, items)
      for number, it in ipairs(items) do
        if it.action.title == "Apply edit 1 here" then
          return choose(it, number)
        end
      end
    end
  ]])
  nvim:cmd("AgentEdit fix")
  nvim:wait("the edit", "return T.text(...):find('x DONE', 1, true)", a)
  equal(nvim:text(a) .. "\n", (TEXT:gsub("x TODO", "x DONE")))
  nvim:conflicts(a, 0)
  assert(vim.list_contains(nvim:lua("return T.titles"), "Discard edit 1"))
end)

test(":AgentEdit discard drops the edit at the cursor, a batch, or all", function(nvim)
  local a = with_conflict(nvim)
  nvim:cmd("AgentEdit discard")
  nvim:message("no conflict at the cursor")
  nvim:lua("vim.api.nvim_win_set_cursor(0, { 2, 3 })")
  nvim:cmd("AgentEdit discard")
  nvim:conflicts(a, 0)

  for _, which in ipairs({ "batch", "all" }) do
    local outcome = nvim:apply({ nvim:uri("a.txt"), { "TODO", "DONE" } })
    nvim:conflicts(a, 2)
    local id = outcome.error.data.batchId
    equal(nvim:lua("return vim.fn.getcompletion('AgentEdit discard ', 'cmdline')"), { "all", id })
    nvim:cmd("AgentEdit discard " .. (which == "all" and "all" or id))
    nvim:conflicts(a, 0)
  end
end)

test("a conflict is said in full once, in lines that fit the window", function(nvim)
  local a = with_conflict(nvim)
  if nvim:lua("return vim.fn.has('nvim-0.11')") == 0 then
    return -- It has no virtual lines.
  end
  local shown = nvim:lua([[
    local namespace = require("agent_edit.client").namespace(T.client())
    local format = vim.diagnostic.config(nil, namespace).virtual_lines.format
    vim.cmd("vertical resize 60")
    return vim.tbl_map(format, vim.diagnostic.get(..., { namespace = namespace }))
  ]], a)
  contains(shown[1]:gsub("\n", " "), "stands 2 times (lines 2, 3); include more of the lines")
  equal(shown[2], 'find "TODO": here, too')
  for line in shown[1]:gmatch("[^\n]+") do
    assert(#line <= 60, line)
  end
end, { setup = "vim.cmd.vsplit()" })

test("commands complete", function(nvim)
  nvim:write("batch.json", "")
  local function complete(line)
    return nvim:lua("return vim.fn.getcompletion(..., 'cmdline')", line)
  end
  equal(complete("AgentEdit "), { "apply", "conflicts", "discard", "fix", "log", "preview", "revert", "review" })
  equal(complete("AgentEdit re"), { "revert", "review" })
  equal(complete("AgentEdit apply ba"), { "batch.json" })
  equal(complete("AgentEdit log "), {})
end)

test(":AgentEdit log says what became of everything", function(nvim)
  with_conflict(nvim)
  equal(nvim:apply({ nvim:uri("a.txt"), { "first", "1st" } }).error, nil)
  nvim:cmd("AgentEdit log")
  local log = nvim:lua("return T.text(0)")
  contains(log, "Nothing was changed: 1 of 1 edits does not fit.")
  contains(log, "Agent edit in a.txt: applied")
  contains(log, "1 edit applied (1 find/replace) in a.txt")
end)

test("a refusal is told to the agent whole, and counted in the statusline", function(nvim)
  local a, outcome = with_conflict(nvim)
  contains(outcome.message, "stands 2 times (lines 2, 3)")
  equal(nvim:lua("return require('agent_edit').statusline()"), "agent-edit 1")
  local batches = nvim:lua([[
    require("agent_edit").conflicts(function(it) T.batches = it end)
    vim.wait(5000, function() return T.batches end, 5)
    return T.batches
  ]])
  equal({ #batches, batches[1].failures[1].kind }, { 1, "ambiguous" })
  nvim:cmd("AgentEdit discard all")
  nvim:conflicts(a, 0)
  equal(nvim:lua("return require('agent_edit').statusline()"), "")
end)

test("a batch sent before anything is open starts the server", function(nvim)
  nvim:write("a.txt", TEXT)
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "first", "1st" } })
  equal(outcome.error, nil)
end)

test("the server's health is told", function(nvim)
  nvim:open("a.txt", TEXT)
  nvim:cmd("silent checkhealth agent_edit")
  local report = nvim:lua("return T.text(0)")
  for _, it in ipairs({ "agent%-edit %d", "documents: a.txt", "counted in utf%-%d+", "tolerant_match" }) do
    assert(report:find(it), report)
  end
  assert(not report:find("ERROR") and not report:find("WARNING"), report)
end)

test("a server that cannot be started is found by its health", function(nvim)
  nvim:cmd("silent checkhealth agent_edit")
  local report = nvim:lua("return T.text(0)")
  contains(report, "no-such-server is not on the path")
  contains(report, "it does not run")
end, { enable = "require('agent_edit').enable({ cmd = { 'no-such-server' } })" })

test("the lines of the main README start it and send a batch", function(nvim)
  local a = nvim:open("rates.py", "SURCHARGE = 0.12\n")
  nvim:lua("vim.print = function(it) T.printed = it end")
  nvim:lua(t.readme(2))
  equal(nvim:wait("the answer", "return T.printed"), "1 edit applied (1 find/replace) in rates.py")
  equal(nvim:text(a), "SURCHARGE = 0.14")
end, { enable = t.readme(1) })

test("help is where it is looked for", function(nvim)
  nvim:lua([[
    local help = vim.api.nvim_get_runtime_file("doc/agent_edit.txt", false)[1]
    vim.fn.mkdir("help/doc", "p")
    assert(vim.uv.fs_copyfile(help, "help/doc/agent_edit.txt"))
    vim.cmd("helptags help/doc | set rtp^=" .. vim.fn.getcwd() .. "/help")
  ]])
  equal(nvim:lua("return vim.fn.getcompletion('AgentEdit-apply', 'help')[1]"), ":AgentEdit-apply")
end)
