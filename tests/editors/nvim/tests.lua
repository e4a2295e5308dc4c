package.path = assert(os.getenv("AGENT_EDIT_ROOT")) .. "/tests/editors/nvim/?.lua;" .. package.path
local t = require("harness")

local TEXT = "first line\na TODO here\n🚀 x TODO énd"

local function uri(buffer)
  return vim.uri_from_bufnr(buffer)
end

local tests = {}
local function test(name, run)
  table.insert(tests, { name, run })
end

test("a batch is applied, and one undo takes all of it back", function()
  local buffer = t.open("a.txt", TEXT .. "\n")
  local err, result = t.agent_edit(t.batch({ { uri(buffer), { "x TODO", "x DONE" }, { "first", "1st" } } }))
  t.equal({ err, result and result.applied }, { nil, true })
  t.equal(t.text(buffer), "1st line\na TODO here\n🚀 x DONE énd")
  vim.cmd("silent undo")
  t.equal(t.text(buffer), TEXT)
  t.equal(t.read("a.txt"), TEXT .. "\n")
end)

test("unsaved text is kept, and it is what is edited", function()
  local buffer = t.open("a.txt", TEXT .. "\n")
  t.type_first(buffer, "typed, not saved")
  local err = t.agent_edit(t.batch({ { uri(buffer), { "typed, not", "typed and never" }, { "first", "1st" } } }))
  t.equal(err, nil)
  t.equal(t.text(buffer), (TEXT:gsub("^first", "typed and never saved\n1st")))
  t.equal(t.read("a.txt"), TEXT .. "\n")
  t.equal(vim.bo[buffer].modified, true)
end)

for changes_before = 0, 1 do
  test("a stale edit never lands, " .. changes_before .. " changes after the document was opened", function()
    local buffer = t.open("a.txt", TEXT .. "\n")
    local expected = TEXT
    if changes_before == 1 then
      t.type_first(buffer, "typed before")
      expected = "typed before\n" .. TEXT
    end
    local stop = t.type_while_an_edit_is_on_its_way(buffer, "typed meanwhile")
    local err = t.agent_edit(t.batch({ { uri(buffer), { "first", "1st" } } }))
    stop()
    t.equal({ err.code, err.data.code }, { -32801, "CONTENT_MODIFIED" })
    t.equal(t.text(buffer), "typed meanwhile\n" .. expected)
  end)
end

for stale = 1, 2 do
  test("of two documents with number " .. stale .. " stale neither is changed", function()
    local buffers = { t.open("a.txt", TEXT .. "\n"), t.open("b.txt", TEXT .. "\n") }
    local stop = t.type_while_an_edit_is_on_its_way(buffers[stale], "typed meanwhile")
    local edit = { "first", "1st" }
    local err = t.agent_edit(t.batch({ { uri(buffers[1]), edit }, { uri(buffers[2]), edit } }))
    stop()
    t.equal(err.code, -32801)
    t.equal(t.text(buffers[stale]), "typed meanwhile\n" .. TEXT)
    t.equal(t.text(buffers[3 - stale]), TEXT)
  end)
end

test("a file that is not open is edited in a buffer, not on disk", function()
  t.open("a.txt", "here\n")
  local path = t.write("b.txt", TEXT .. "\n")
  local err = t.agent_edit(t.batch({ { vim.uri_from_fname(path), { "x TODO", "x DONE" } } }))
  t.equal(err, nil)
  t.equal(t.text(vim.fn.bufnr(path)), (TEXT:gsub("x TODO", "x DONE")))
  t.equal(t.read("b.txt"), TEXT .. "\n")
end)

test("a refused batch is pinned to its lines, and a code action applies it", function()
  local buffer = t.open("a.txt", TEXT .. "\n")
  local err = t.agent_edit(t.batch({ { uri(buffer), { "TODO", "DONE" } } }))
  t.equal({ err.code, err.data.code, err.data.failures[1].kind }, { -32803, "EDIT_CONFLICT", "ambiguous" })
  local shown = t.diagnostics(buffer, 2)
  t.equal({ shown[1].lnum, shown[1].col, shown[2].lnum, shown[2].col }, { 1, 2, 2, 7 })
  t.equal({ shown[1].source, shown[1].code }, { "agent-edit", "ambiguous" })

  vim.api.nvim_win_set_cursor(0, { 3, 8 })
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(it)
      return it.title == "Apply edit 1 here"
    end,
  })
  t.wait("the edit", function()
    return t.text(buffer) == TEXT:gsub("x TODO", "x DONE")
  end)
  t.diagnostics(buffer, 0)
end)

test("the menu of code actions shows all that can be done", function()
  local buffer = t.open("a.txt", TEXT .. "\n")
  t.agent_edit(t.batch({ { uri(buffer), { "TODO", "DONE" } } }))
  t.diagnostics(buffer, 2)
  vim.api.nvim_win_set_cursor(0, { 2, 3 })
  local titles
  local select = vim.ui.select
  vim.ui.select = function(items, _, choose)
    titles = vim.tbl_map(function(it)
      return it.action.title
    end, items)
    choose(items[2], 2)
  end
  vim.lsp.buf.code_action()
  t.wait("the menu", function()
    return titles
  end)
  vim.ui.select = select
  t.equal(titles, {
    "Apply edit 1 here",
    "Apply edit 1 to all 2 places",
    "Show edit 1",
    "Discard edit 1",
    "Discard all conflicts of this batch",
  })
  t.diagnostics(buffer, 0)
  t.equal(t.text(buffer), (TEXT:gsub("TODO", "DONE")))
end)

test("a command discards what is pending", function()
  local buffer = t.open("a.txt", TEXT .. "\n")
  local err = t.agent_edit(t.batch({ { uri(buffer), { "TODO", "DONE" } } }))
  t.diagnostics(buffer, 2)
  t.client():exec_cmd({
    title = "Discard",
    command = "agentEdit.discardAll",
    arguments = { { batchId = err.data.batchId } },
  })
  t.diagnostics(buffer, 0)
  t.equal(t.text(buffer), TEXT)
end)

t.run(tests)
