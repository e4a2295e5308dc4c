-- What changes between the server's edit and the editor. Each is held against Neovim's own handler too, which shows that
-- there is something to see.
local t = require("harness")
local test, equal, contains = t.test, t.equal, t.contains

local SWAP = "vim.o.directory = vim.fn.getcwd() .. '/.git//'; vim.o.swapfile = true"
local TEXT = "first\nsecond\nthird\n"

-- An edit that puts `text` in place of the first five columns of the second line.
local function edit(nvim, ...)
  local changes = {}
  for _, it in ipairs({ ... }) do
    local range = { start = { line = 1, character = 0 }, ["end"] = { line = 1, character = 5 } }
    local text_document = { uri = nvim:uri(it[1]), version = it[2] }
    table.insert(changes, { textDocument = text_document, edits = { { range = range, newText = "EDIT" } } })
  end
  return { documentChanges = changes }
end

-- In the child: `changes` lines are typed in front, which its server may not know of yet. Returns the version before.
local function type_first(nvim, bufnr, line)
  return nvim:lua([[
    local bufnr, line = ...
    local before = vim.lsp.util.buf_versions[bufnr]
    vim.api.nvim_buf_set_lines(bufnr, 0, 0, true, { line })
    return before
  ]], bufnr, line)
end

for _, whose in ipairs({ "stock", "ours" }) do
  test("an edit for version 0 of a document at a later one: " .. whose, function(nvim)
    local a = nvim:open("a.txt", TEXT)
    equal(type_first(nvim, a, "typed"), 0)
    local answer = nvim:lua("return T.handle(...)", whose, edit(nvim, { "a.txt", 0 }))
    if whose == "stock" then
      equal({ answer.applied, nvim:text(a) }, { true, "typed\nEDIT\nsecond\nthird" })
    else
      equal({ answer.applied, answer.failedChange, nvim:text(a) }, { false, 0, "typed\nfirst\nsecond\nthird" })
      contains(answer.failureReason, "a.txt is at version")
    end
  end)

  test("an edit for an old version: " .. whose, function(nvim)
    local a = nvim:open("a.txt", TEXT)
    type_first(nvim, a, "one")
    local old = type_first(nvim, a, "two")
    local answer = nvim:lua("return T.handle(...)", whose, edit(nvim, { "a.txt", old }))
    equal(nvim:text(a), "two\none\nfirst\nsecond\nthird")
    -- What was skipped is said to be applied.
    equal(answer.applied, whose == "stock")
  end)

  test("an edit of two documents, the second at a later version: " .. whose, function(nvim)
    local a, b = nvim:open("a.txt", TEXT), nvim:open("b.txt", TEXT)
    type_first(nvim, b, "one")
    local old = type_first(nvim, b, "two")
    local answer = nvim:lua("return T.handle(...)", whose, edit(nvim, { "a.txt", 0 }, { "b.txt", old }))
    if whose == "stock" then
      equal({ answer.applied, nvim:text(a), nvim:text(b) }, { true, "first\nEDITd\nthird", "two\nEDIT\nfirst\nsecond\nthird" })
    else
      equal({ answer.applied, answer.failedChange }, { false, 1 })
      equal({ nvim:text(a) .. "\n", nvim:text(b) .. "\n" }, { TEXT, "two\none\n" .. TEXT })
    end
  end)

  test("an edit of two documents, the second not modifiable: " .. whose, function(nvim)
    local a, b = nvim:open("a.txt", TEXT), nvim:open("b.txt", TEXT)
    nvim:lua("vim.bo[...].modifiable = false", b)
    local answer = nvim:lua("return T.handle(...)", whose, edit(nvim, { "a.txt", 0 }, { "b.txt", 0 }))
    equal(answer.applied, false)
    equal(nvim:text(a) .. "\n", whose == "stock" and "first\nEDITd\nthird\n" or TEXT)
    equal(nvim:text(b) .. "\n", TEXT)
  end)

  test("an edit of two documents, where the second cannot be made after all: " .. whose, function(nvim)
    local a, b = nvim:open("a.txt", TEXT), nvim:open("b.txt", TEXT)
    nvim:lua([[
      local a, b = ...
      vim.api.nvim_buf_attach(a, false, { on_lines = function() vim.bo[b].modifiable = false end })
    ]], a, b)
    local answer = nvim:lua("return T.handle(...)", whose, edit(nvim, { "a.txt", 0 }, { "b.txt", 0 }))
    equal(answer.applied, false)
    equal(nvim:text(a) .. "\n", whose == "stock" and "first\nEDITd\nthird\n" or TEXT)
    equal(nvim:text(b) .. "\n", TEXT)
  end)

  test("an edit for a text that was read again from disk, under the same version: " .. whose, function(nvim)
    local a = nvim:open("a.txt", TEXT)
    nvim:write("a.txt", "changed by others\n" .. TEXT)
    local answer = nvim:lua([[
      vim.o.autoread = true
      vim.cmd("silent checktime")
      return T.handle(...)
    ]], whose, edit(nvim, { "a.txt", 0 }))
    if whose == "stock" then
      equal({ answer.applied, nvim:text(a) }, { true, "changed by others\nEDIT\nsecond\nthird" })
    else
      equal({ answer.applied, nvim:text(a) .. "\n" }, { false, "changed by others\n" .. TEXT })
      contains(answer.failureReason, "read again")
      nvim:wait("the server to have it", [[return T.handle("ours", ...).applied]], edit(nvim, { "a.txt", 0 }))
    end
  end)

  test("a position that the text does not have: " .. whose, function(nvim)
    local a = nvim:open("a.txt", TEXT)
    local it = edit(nvim, { "a.txt", 0 })
    it.documentChanges[1].edits[1].range["end"].character = 50
    local answer = nvim:lua("return T.handle(...)", whose, it)
    equal(answer.applied, whose == "stock")
    equal(nvim:text(a), whose == "stock" and "first\nEDIT\nthird" or "first\nsecond\nthird")
  end)
end

for before = 0, 1 do
  test("what is typed while an edit is on its way stays, and the batch is refused; changes before: " .. before, function(nvim)
    local a, b = nvim:open("a.txt", TEXT), nvim:open("b.txt", TEXT)
    for _ = 1, before do
      type_first(nvim, b, "typed before")
    end
    local text = nvim:text(b)
    nvim:lua([[
      local b = ...
      T.before_the_edit(function()
        vim.api.nvim_buf_set_lines(b, 0, 0, true, { "typed meanwhile" })
      end)
    ]], b)
    local outcome = nvim:apply({ nvim:uri("a.txt"), { "second", "2" } }, { nvim:uri("b.txt"), { "second", "2" } })
    equal({ outcome.error.code, outcome.error.data.code }, { -32801, "CONTENT_MODIFIED" })
    equal({ nvim:text(a) .. "\n", nvim:text(b) }, { TEXT, "typed meanwhile\n" .. text })
    -- It is enough to send it again.
    equal(nvim:apply({ nvim:uri("a.txt"), { "second", "2" } }, { nvim:uri("b.txt"), { "second", "2" } }).error, nil)
  end)
end

test("a document that is closed meanwhile is not opened for the edit", function(nvim)
  nvim:open("b.txt", TEXT)
  local a = nvim:open("a.txt", TEXT)
  nvim:lua([[
    local a = ...
    T.before_the_edit(function()
      vim.cmd("bwipeout! " .. a)
    end)
  ]], a)
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "second", "2" } })
  assert(outcome.error)
  contains(outcome.message, "not open any more")
  equal(nvim:lua("return vim.fn.bufnr('a.txt')"), -1)
end)

test("a document that is closed and opened again with another text is not edited as if it were the old one", function(nvim)
  nvim:open("b.txt", TEXT)
  nvim:open("a.txt", TEXT)
  nvim:lua([[
    T.before_the_edit(function()
      vim.cmd("bwipeout! a.txt")
      vim.fn.writefile({ "written by others" }, "a.txt", "a")
      vim.cmd("silent edit a.txt")
      vim.lsp.buf_attach_client(0, T.client().id)
      T.version = vim.lsp.util.buf_versions[vim.api.nvim_get_current_buf()]
    end)
  ]])
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "second", "2" } })
  contains(outcome.error and outcome.message, "read again")
  equal(nvim:lua("return { T.version, T.text(0) }"), { 0, TEXT .. "written by others" })
end)

test("a person's own on_attach and on_init take nothing away", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  equal(nvim:lua("return { T.init, T.attach }"), { true, true })
  equal(nvim:apply({ nvim:uri("a.txt"), { "second", "2" } }).error, nil)
  equal(nvim:text(a), "first\n2\nthird")
end, {
  enable = [[
    require("agent_edit").enable({
      on_init = function() T.init = true end,
      on_attach = function() T.attach = true end,
    })
  ]],
})

test("a file that is opened meanwhile is not edited blindly", function(nvim)
  nvim:open("b.txt", TEXT)
  nvim:write("a.txt", TEXT)
  nvim:lua([[
    T.before_the_edit(function()
      vim.cmd("silent edit a.txt")
      vim.api.nvim_buf_set_lines(0, 0, 0, true, { "typed" })
      require("agent_edit").start(vim.api.nvim_get_current_buf())
    end)
  ]])
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "second", "2" } })
  assert(outcome.error, vim.inspect(outcome))
  equal(nvim:text(nvim:lua("return vim.fn.bufnr('a.txt')")) .. "\n", "typed\n" .. TEXT)
end)

test("a file that another Neovim edits is left alone", function(nvim)
  nvim:open("b.txt", TEXT)
  local other = t.Child.start(nvim.folder, SWAP, false)
  nvim:write("a.txt", TEXT)
  other:cmd("edit a.txt")
  other:lua("vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed there' })")
  other:cmd("preserve")
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "second", "2" } })
  other:stop()
  assert(outcome.error, "it was edited")
  contains(outcome.message, "edited by another Neovim")
  equal(nvim:read("a.txt"), TEXT)
end, { setup = SWAP })
