-- What the server asks the editor for: showing an edit, asking the person, saving.
local t = require("harness")
local test, equal, contains = t.test, t.equal, t.contains

local TEXT = "first line\na TODO here\n🚀 x TODO énd\n"

-- The two sides of the diff in the current tab: title, text, whether it is part of a diff.
local SIDES = [[
  return vim.tbl_map(function(it)
    return { vim.wo[it].winbar, T.text(vim.api.nvim_win_get_buf(it)), vim.wo[it].diff }
  end, vim.api.nvim_tabpage_list_wins(0))
]]

test("an edit is shown beside the text it is for", function(nvim)
  local a = nvim:open("a.conf", "local max = 1\nlocal min = 0\nreturn max\n")
  nvim:apply({ nvim:uri("a.conf"), { "local max = 2\nlocal min = 0\n", "local max = 3\nlocal min = 0\n" } })
  nvim:conflicts(a, 1)
  nvim:lua([[
    vim.ui.select = function(items, _, choose)
      for number, it in ipairs(items) do
        if it.action.title == "Show edit 1" then
          return choose(it, number)
        end
      end
    end
    vim.cmd("AgentEdit fix")
  ]])
  nvim:wait("the diff", "return vim.fn.tabpagenr('$') == 2 and #vim.api.nvim_tabpage_list_wins(0) == 2")
  local sides = nvim:lua(SIDES)
  equal({ sides[1][2], sides[1][3] }, { "local max = 1\nlocal min = 0", true })
  contains(sides[2][2], "local max = 3")
  equal(sides[2][3], true)
  nvim:type("q")
  nvim:wait("its end", "return vim.fn.tabpagenr('$') == 1")
  equal(nvim:text(a), "local max = 1\nlocal min = 0\nreturn max")
end)

for _, choice in ipairs({ "Apply", "Discard" }) do
  test(":AgentEdit review asks the person, who may look first: " .. choice, function(nvim)
    local a = nvim:open("a.txt", TEXT)
    nvim:write("batch.json", vim.json.encode({
      documents = { { textDocument = { uri = nvim:uri("a.txt") }, edits = { { oldText = "first", newText = "1st" } } } },
    }))
    nvim:lua([[
      T.asked = {}
      T.wanted = { "Show", ... }
      vim.ui.select = function(items, options, choose)
        table.insert(T.asked, options.prompt)
        local wanted = table.remove(T.wanted, 1)
        for number, it in ipairs(items) do
          if it.title == wanted then
            return choose(it, number)
          end
        end
      end
    ]], choice)
    nvim:cmd("AgentEdit review batch.json")
    nvim:message(choice == "Apply" and "1 edit applied" or "discarded")
    equal(nvim:text(a):sub(1, 5), choice == "Apply" and "1st l" or "first")
    contains(nvim:lua("return T.asked[1]"), "1 edit in a.txt")
    equal(nvim:lua("return #T.asked"), 2)
    local sides = nvim:lua(SIDES)
    equal(#sides, 2)
    contains(sides[1][2], "first line")
    contains(sides[2][2], "1st line")
  end)
end

test(":AgentEdit revert takes back the last batch, or the one that is said", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:cmd("AgentEdit revert")
  nvim:message("no batch was applied")
  equal(nvim:apply({ nvim:uri("a.txt"), { "first", "1st" } }).error, nil)
  equal(nvim:apply({ nvim:uri("a.txt"), { "a TODO", "a DONE" } }).error, nil)
  nvim:lua("vim.api.nvim_buf_set_lines(..., 0, 0, true, { 'typed' })", a)
  equal(nvim:lua("return vim.fn.getcompletion('AgentEdit revert ', 'cmdline')"), { "b1", "b2" })
  nvim:cmd("AgentEdit revert")
  nvim:wait("the text", "return T.text(...):find('a TODO', 1, true)", a)
  nvim:cmd("AgentEdit revert b1")
  nvim:wait("the text", "return T.text(...):find('first', 1, true)", a)
  equal(nvim:text(a) .. "\n", "typed\n" .. TEXT)
end)

test("a batch that asks for it is saved, files that were not open, too", function(nvim)
  nvim:open("a.txt", TEXT)
  nvim:write("b.txt", TEXT)
  nvim:lua([[
    T.batch_to_save = T.batch({ ... })
    T.batch_to_save.save = true
    T.apply(T.batch_to_save)
  ]], { nvim:uri("a.txt"), { "first", "1st" } }, { nvim:uri("b.txt"), { "first", "2nd" } })
  local outcome = nvim:outcome()
  equal(outcome.error, nil)
  equal({ outcome.result.documents[1].saved, outcome.result.documents[2].saved }, { true, true })
  equal({ nvim:read("a.txt"), nvim:read("b.txt") }, { (TEXT:gsub("first", "1st")), (TEXT:gsub("first", "2nd")) })
end)

-- As if the server had asked for it.
local function save(nvim, ...)
  return nvim:lua([[
    local client = T.client()
    return client.handlers["agentEdit/save"](nil, { textDocuments = ... }, { client_id = client.id }).saved
  ]], { ... })
end

test("documents are saved if they still are what is meant", function(nvim)
  local a, b = nvim:open("a.txt", TEXT), nvim:open("b.txt", TEXT)
  nvim:lua([[
    for _, it in ipairs({ ... }) do
      vim.api.nvim_buf_set_lines(it, 0, 1, true, { "typed" })
    end
  ]], a, b)
  local version = nvim:lua("return vim.lsp.util.buf_versions[...]", a)
  equal(save(nvim, { uri = nvim:uri("a.txt"), version = version }, { uri = nvim:uri("b.txt"), version = 0 }), { true, false })
  contains(nvim:read("a.txt"), "typed")
  equal(nvim:read("b.txt"), TEXT)
  equal(save(nvim, { uri = nvim:uri("c.txt"), version = 0 }), { false })
end)

test("what somebody else has written meanwhile is not overwritten", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:lua("vim.api.nvim_buf_set_lines(..., 0, 1, true, { 'typed' })", a)
  nvim:write("a.txt", "written by others, and longer than it was before\n" .. TEXT)
  local document = { uri = nvim:uri("a.txt"), version = nvim:lua("return vim.lsp.util.buf_versions[...]", a) }
  equal(save(nvim, document), { false })
  contains(nvim:read("a.txt"), "written by others")
  nvim:cmd("silent write!")
  nvim:lua("vim.api.nvim_buf_set_lines(..., 0, 1, true, { 'typed again' })", a)
  document.version = nvim:lua("return vim.lsp.util.buf_versions[...]", a)
  equal(save(nvim, document), { true })
  contains(nvim:read("a.txt"), "typed again")
end)
