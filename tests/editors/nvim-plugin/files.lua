-- Files that an edit creates, renames and deletes, as the server asks for it.
local t = require("harness")
local test, equal, contains = t.test, t.equal, t.contains

local TEXT = "first\nsecond\nthird\n"

local START = { line = 0, character = 0 }

-- One edit of `uri`, whose second line becomes EDIT.
local function edit(uri)
  local range = { start = { line = 1, character = 0 }, ["end"] = { line = 1, character = 6 } }
  return { textDocument = { uri = uri, version = 0 }, edits = { { range = range, newText = "EDIT" } } }
end

local function create(uri, content)
  return { kind = "create", uri = uri, options = { overwrite = false, ignoreIfExists = true } },
    { textDocument = { uri = uri, version = vim.NIL }, edits = { { range = { start = START, ["end"] = START }, newText = content } } }
end

local function handle(nvim, ...)
  return nvim:lua("return T.handle('ours', ...)", { documentChanges = { ... } })
end

for content, expected in pairs({
  ["one\ntwo\n"] = { "unix", { "one", "two" } },
  ["one\r\ntwo\r\n"] = { "dos", { "one", "two" } },
  ["\239\187\191one\r\ntwo\n"] = { "unix", { "one\r", "two" } },
  ["one\ntwo"] = { "unix", { "one", "two" } },
}) do
  test("a created file holds what it is to hold: " .. vim.inspect(content), function(nvim)
    nvim:open("other.txt", "\n")
    nvim:cmd("set nofixendofline")
    local entry, filled = create(nvim:uri("sub/a.txt"), content)
    equal(handle(nvim, entry, filled), { applied = true })
    local a = nvim:lua("return vim.fn.bufnr('sub/a.txt')")
    equal(nvim:lua("return { vim.bo[...].fileformat, vim.api.nvim_buf_get_lines(..., 0, -1, true) }", a), {
      expected[1],
      nvim:lua("return vim.api.nvim_buf_get_lines(..., 0, -1, true)", a),
    })
    equal(nvim:lua("return vim.api.nvim_buf_get_lines(..., 0, -1, true)", a), expected[2])
    equal((vim.uv.fs_stat(nvim:path("sub/a.txt"))), nil)
    nvim:wait("the server", "return T.attached(...)", a)
    nvim:lua("vim.api.nvim_buf_call(..., function() vim.cmd('silent write ++p') end)", a)
    equal(nvim:read("sub/a.txt"), content)
  end)
end

test("files are renamed and deleted with their buffers", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:open("b.txt", TEXT)
  nvim:open("c.txt", TEXT)
  local rename = { kind = "rename", oldUri = nvim:uri("b.txt"), newUri = nvim:uri("sub/d.txt") }
  local delete = { kind = "delete", uri = nvim:uri("c.txt") }
  equal(handle(nvim, edit(nvim:uri("a.txt")), rename, delete), { applied = true })
  equal(nvim:text(a), "first\nEDIT\nthird")
  equal(nvim:read("sub/d.txt"), TEXT)
  for _, it in ipairs({ "b.txt", "c.txt" }) do
    equal((vim.uv.fs_stat(nvim:path(it))), nil)
  end
  equal(nvim:lua("return { vim.fn.bufloaded('sub/d.txt'), vim.fn.bufloaded('c.txt') }"), { 1, 0 })
end)

for what, prepare in pairs({
  ["a file that is there"] = function(nvim)
    nvim:write("new.txt", "there\n")
  end,
  ["unsaved text under the old name"] = function(nvim)
    nvim:open("b.txt")
    nvim:lua("vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed' })")
  end,
  ["unsaved text in what is to go"] = function(nvim)
    nvim:open("c.txt")
    nvim:lua("vim.api.nvim_buf_set_lines(0, 0, 0, true, { 'typed' })")
  end,
  ["an edit for another version"] = function(nvim)
    nvim:lua("vim.api.nvim_buf_set_lines(vim.fn.bufnr('a.txt'), 0, 0, true, { 'typed' })")
  end,
}) do
  test("nothing is done where one of the files is in the way: " .. what, function(nvim)
    local a = nvim:open("a.txt", TEXT)
    nvim:write("b.txt", TEXT)
    nvim:write("c.txt", TEXT)
    prepare(nvim)
    local before = nvim:text(a)
    local new, filled = create(nvim:uri("new.txt"), "new\n")
    local rename = { kind = "rename", oldUri = nvim:uri("b.txt"), newUri = nvim:uri("d.txt") }
    local answer = handle(nvim, edit(nvim:uri("a.txt")), new, filled, rename, { kind = "delete", uri = nvim:uri("c.txt") })
    equal(answer.applied, false)
    equal({ nvim:text(a), nvim:read("b.txt"), nvim:read("c.txt") }, { before, TEXT, TEXT })
    equal((vim.uv.fs_stat(nvim:path("d.txt"))), nil)
  end)
end

test("a batch edits, creates, renames and deletes, and is whole", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:write("b.txt", TEXT)
  nvim:open("c.txt", TEXT)
  for number, save in ipairs({ false, true }) do
    local name = ("new%d.txt"):format(number)
    nvim:lua("T.apply(...)", {
      save = save or nil,
      documents = {
        { create = { uri = nvim:uri(name), content = "one\ntwo\n" } },
        { textDocument = { uri = nvim:uri("a.txt") }, edits = { { oldText = "second", newText = "second and" } } },
        number == 1 and { rename = { oldUri = nvim:uri("b.txt"), newUri = nvim:uri("sub/d.txt") } }
          or { delete = { uri = nvim:uri("c.txt") } },
      },
    })
    local outcome = nvim:outcome()
    equal(outcome.error, nil)
    equal(nvim:text(nvim:lua("return vim.fn.bufnr(...)", name)), "one\ntwo")
    if save then
      equal(nvim:read("a.txt"), nvim:text(a) .. "\n")
    end
  end
  equal(nvim:text(a), "first\nsecond and and\nthird")
  equal(nvim:read("sub/d.txt"), TEXT)
  equal((vim.uv.fs_stat(nvim:path("c.txt"))), nil)
end)

test("an empty file is created", function(nvim)
  nvim:open("a.txt", TEXT)
  nvim:lua("T.apply(...)", { documents = { { create = { uri = nvim:uri("new.txt"), content = "" } } } })
  equal(nvim:outcome().error, nil)
  equal({ nvim:read("new.txt"), nvim:lua("return vim.bo[vim.fn.bufnr('new.txt')].buflisted") }, { "", true })
end)

test("what came before a file that cannot be renamed after all is taken back", function(nvim)
  local a = nvim:open("a.txt", TEXT)
  nvim:write("b.txt", TEXT)
  nvim:write("file", "no folder\n")
  local new, filled = create(nvim:uri("new.txt"), "new\n")
  local rename = { kind = "rename", oldUri = nvim:uri("b.txt"), newUri = nvim:uri("file/d.txt") }
  local answer = handle(nvim, edit(nvim:uri("a.txt")), new, filled, rename)
  equal({ answer.applied, answer.failedChange }, { false, 3 })
  contains(answer.failureReason, "nothing was changed")
  equal({ nvim:text(a) .. "\n", nvim:read("b.txt") }, { TEXT, TEXT })
  equal(nvim:lua("return vim.fn.bufexists('new.txt')"), 0)
end)
