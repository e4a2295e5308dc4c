-- A batch lands through the plugin, whole and as one step to undo.
local t = require("harness")
local test, equal = t.test, t.equal

local TEXT = "first line\na TODO here\n🚀 x TODO énd\n"

test("both sides agree on all that the plugin announces", function(nvim)
  nvim:open("a.txt", TEXT)
  equal(nvim:lua([[
    local client = T.client()
    local missing = {}
    for _, it in ipairs(client.config.capabilities.experimental.agentEdit.features) do
      if not require("agent_edit.client").has_feature(client, it) then
        table.insert(missing, it)
      end
    end
    return { missing, vim.tbl_count(client.attached_buffers) }
  ]]), { {}, 1 })
end)

test("a batch is applied, and one undo takes all of it back", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "x TODO", "x DONE" }, { "first", "1st" } })
  equal(outcome.error, nil)
  equal(outcome.message, "2 edits applied (2 find/replace) in a.txt")
  equal(nvim:text(a), "1st line\na TODO here\n🚀 x DONE énd")
  nvim:cmd("silent undo")
  equal(nvim:text(a) .. "\n", TEXT)
  equal(nvim:read("a.txt"), TEXT)
end)

test("what is typed before and after a batch is undone by itself", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:type("ggibefore ")
  nvim:wait("the text", "return T.text(...):find('before ', 1, true)", a)
  equal(nvim:apply({ nvim:uri("a.txt"), { "first", "1st" } }).error, nil)
  nvim:type("after <Esc>")
  nvim:wait("the text", "return T.text(...):find('after ', 1, true) and vim.fn.mode() == 'n'", a)
  equal(nvim:text(a):match("[^\n]+"), "before after 1st line")
  nvim:cmd("silent undo")
  equal(nvim:text(a):match("[^\n]+"), "before 1st line")
  nvim:cmd("silent undo")
  equal(nvim:text(a):match("[^\n]+"), "before first line")
  nvim:cmd("silent undo")
  equal(nvim:text(a) .. "\n", TEXT)
end)

test("unsaved text is kept, and it is what is edited", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:lua("vim.api.nvim_buf_set_lines(..., 0, 0, true, { 'typed, not saved' })", a)
  equal(nvim:apply({ nvim:uri("a.txt"), { "typed, not", "typed and never" } }).error, nil)
  equal(nvim:text(a) .. "\n", "typed and never saved\n" .. TEXT)
  equal(nvim:read("a.txt"), TEXT)
end)

test("cursors, views and marks stay with their text", function(nvim)
  local lines = {}
  for number = 1, 200 do
    lines[number] = "line " .. number
  end
  local a = nvim:open("a.txt", table.concat(lines, "\n") .. "\n")
  nvim:lua([[
    vim.api.nvim_win_set_cursor(0, { 100, 5 })
    vim.cmd("normal! zt")
    vim.cmd("normal! mm")
    vim.api.nvim_buf_set_mark(0, "q", 1, 2, {})
    vim.api.nvim_buf_set_mark(0, "z", 150, 5, {})
    vim.cmd("split")
    vim.api.nvim_win_set_cursor(0, { 50, 6 })
    _G.windows = vim.api.nvim_list_wins()
    function T.tops()
      return vim.tbl_map(function(it)
        return vim.fn.getbufline(vim.api.nvim_win_get_buf(it), vim.fn.line("w0", it))[1]
      end, windows)
    end
  ]])
  local uri, tops = nvim:uri("a.txt"), nvim:lua("return T.tops()")
  equal(nvim:apply({ uri, { "line 2\n", "line 2\nnew\nnew\n" }, { "line 149\nline 150\nline 151", "line one\nline two" } }).error, nil)
  equal(nvim:lua([[
    local seen = {}
    for _, it in ipairs(windows) do
      local at = vim.api.nvim_win_get_cursor(it)
      table.insert(seen, { vim.fn.getbufline(vim.api.nvim_win_get_buf(it), at[1])[1], at[2] })
    end
    for _, it in ipairs({ "m", "q" }) do
      local at = vim.api.nvim_buf_get_mark(..., it)
      table.insert(seen, { vim.fn.getbufline(..., at[1])[1], at[2] })
    end
    return seen
  ]], a), { { "line 50", 6 }, { "line 100", 5 }, { "line 100", 5 }, { "line 1", 2 } })
  -- Its line is gone; the mark is where that was.
  local mark = nvim:lua("return vim.api.nvim_buf_get_mark(..., 'z')", a)
  assert(mark[1] == 151 or mark[1] == 152, vim.inspect(mark))
  equal(nvim:lua("return T.tops()"), tops)
end)

test("two documents are one batch, and each has one step to undo", function(nvim)
  local a, b = nvim:open("a.txt", TEXT), nvim:open("b.txt", TEXT)
  equal(nvim:apply({ nvim:uri("a.txt"), { "first", "1st" } }, { nvim:uri("b.txt"), { "first", "2nd" } }).error, nil)
  equal({ nvim:text(a):sub(1, 3), nvim:text(b):sub(1, 3) }, { "1st", "2nd" })
  nvim:lua("vim.api.nvim_buf_call(..., function() vim.cmd('silent undo') end)", a)
  equal({ nvim:text(a):sub(1, 5), nvim:text(b):sub(1, 3) }, { "first", "2nd" })
end)

test("a hidden document is edited where it is", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:open("b.txt", TEXT)
  equal(nvim:apply({ nvim:uri("a.txt"), { "first", "1st" } }).error, nil)
  equal(nvim:text(a):sub(1, 3), "1st")
  equal(nvim:lua("return { vim.fn.bufname(), vim.bo[...].modified }", a), { "b.txt", true })
end)

for _, name in ipairs({ "b.txt", "without a type" }) do
  test("a file that is not open is edited in a buffer, not on disk: " .. name, function(nvim)
    nvim:open("a.txt", "here\n")
    nvim:write(name, TEXT)
    local uri = nvim:uri(name)
    equal(nvim:apply({ uri, { "x TODO", "x DONE" } }).error, nil)
    local b = nvim:lua("return vim.fn.bufnr(...)", name)
    equal(nvim:text(b) .. "\n", (TEXT:gsub("x TODO", "x DONE")))
    equal(nvim:read(name), TEXT)
    equal(nvim:lua("return { vim.bo[...].modified, vim.bo[...].buflisted, T.attached(...) }", b), { true, true, true })
    -- It is a document now.
    equal(nvim:apply({ uri, { "x DONE", "x DOING" } }).error, nil)
    equal(nvim:text(b) .. "\n", (TEXT:gsub("x TODO", "x DOING")))
  end)
end

test("an unnamed buffer is a document, and there is one of it", function(nvim)
  nvim:cmd("enew")
  nvim:wait("the server", "return T.attached(vim.api.nvim_get_current_buf())")
  local first = nvim:lua("return vim.api.nvim_get_current_buf()")
  nvim:lua("vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'one', 'two' })")
  nvim:cmd("hide enew | set filetype=conf")
  nvim:lua("vim.api.nvim_buf_set_lines(0, 0, -1, true, { 'one', 'not two' })")
  nvim:open("a.txt", TEXT)
  equal(nvim:apply({ "file://", { "one\ntwo", "1\n2" } }).error, nil)
  equal(nvim:text(first), "1\n2")
  equal(nvim:lua("return vim.tbl_count(T.client().attached_buffers)"), 2)
end)

test("all projects share one server, which edits files of each", function(nvim)
  vim.fn.mkdir(nvim:path("other/.git"), "p")
  nvim:open("a.txt", TEXT)
  nvim:open("other/b.txt", TEXT)
  nvim:write("other/c.txt", TEXT)
  equal(nvim:lua("return #vim.lsp.get_clients()"), 1)
  equal(nvim:apply({ nvim:uri("other/c.txt"), { "first", "1st" } }).error, nil)
end)
