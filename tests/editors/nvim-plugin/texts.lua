-- Texts of every form: what the server is told of them must be what they are, before a batch and after.
local t = require("harness")
local test, equal, contains = t.test, t.equal, t.contains

-- What the server would make of the document now, which shows what it takes it for: one edit that matches nothing but the
-- whole of it.
local function assert_server_has(nvim, uri, text)
  nvim:lua([[
    T.outcome = nil
    local uri, text = ...
    require("agent_edit").preview({ documents = { {
      textDocument = { uri = uri },
      expectedBaseSha256 = vim.fn.sha256(text),
      edits = { { from = 0, newText = "x\n" } },
    } } }, function(outcome)
      T.outcome = outcome
    end)
  ]], uri, text)
  local outcome = nvim:outcome()
  if outcome.error then
    error("the server has another text: " .. vim.inspect(outcome), 2)
  end
end

for _, encoding in ipairs({ "utf-8", "utf-16", "utf-32" }) do
  local enable = ([[
    require("agent_edit").enable({ capabilities = { general = { positionEncodings = { %q } } } })
  ]]):format(encoding)
  test("columns are counted as agreed: " .. encoding, function(nvim)
    local a = nvim:open("a.txt", "🚀é\t日本 x TODO énd 🚀🚀 TODO2\nsecond 🚀\n")
    equal(nvim:lua("return T.client().offset_encoding"), encoding)
    local uri = nvim:uri("a.txt")
    equal(nvim:apply({ uri, { "x TODO", "x 🚀 DONE" }, { "TODO2", "é" }, { "second 🚀", "日本 🚀 2nd" } }).error, nil)
    equal(nvim:text(a), "🚀é\t日本 x 🚀 DONE énd 🚀🚀 é\n日本 🚀 2nd")
    assert_server_has(nvim, uri, "🚀é\t日本 x 🚀 DONE énd 🚀🚀 é\n日本 🚀 2nd\n")
    equal(nvim:apply({ uri, { "🚀", "r" } }).error.data.failures[1].locations[4].start, {
      line = 0,
      character = ({ ["utf-8"] = 35, ["utf-16"] = 23, ["utf-32"] = 20 })[encoding],
    })
  end, { enable = enable })

  test("a place inside a character is no place: " .. encoding, function(nvim)
    local a = nvim:open("a.txt", "a🚀b\n")
    local inside = ({ ["utf-8"] = 3, ["utf-16"] = 2, ["utf-32"] = 9 })[encoding]
    local position = { line = 0, character = inside }
    local answer = nvim:lua("return T.handle('ours', ...)", { documentChanges = { {
      textDocument = { uri = nvim:uri("a.txt"), version = 0 },
      edits = { { range = { start = position, ["end"] = position }, newText = "x" } },
    } } })
    equal({ answer.applied, nvim:text(a) }, { false, "a🚀b" })
  end, { enable = enable })
end

-- `case`: the file, edits, and the file after it is saved.
local function check(name, case)
  test(name, function(nvim)
    local uri = nvim:uri("a.txt")
    if case.closed then
      nvim:open("other.txt", "\n")
      nvim:write("a.txt", case.file)
    else
      nvim:open("a.txt", case.file)
    end
    local outcome = nvim:apply({ uri, unpack(case.edits) })
    local a = nvim:lua("return vim.fn.bufnr('a.txt')")
    if case.refused then
      assert(outcome.error, "it was applied")
      contains(outcome.message, case.refused)
      equal(nvim:lua("return vim.bo[...].modified", a), false)
      return
    end
    equal(outcome.error, nil)
    nvim:lua("vim.api.nvim_buf_call(..., function() vim.cmd('silent write') end)", a)
    equal(nvim:read("a.txt"), case.saved)
    assert_server_has(nvim, uri, (case.text or case.saved:gsub("^\239\187\191", "")))
    nvim:lua("vim.api.nvim_buf_call(..., function() vim.cmd('silent undo | silent write') end)", a)
    equal(nvim:read("a.txt"), case.undone or case.file)
  end)
end

for _, closed in ipairs({ false, true }) do
  local function both(name, case)
    case.closed = closed
    check(name .. (closed and ", not open" or ", open"), case)
  end
  both("line breaks of DOS stay", {
    file = "one\r\ntwo\r\nthree\r\n",
    edits = { { "two", "2\n2½" }, { "three", "3" } },
    saved = "one\r\n2\r\n2½\r\n3\r\n",
  })
  both("line breaks of both kinds stay", {
    file = "one\r\ntwo\nthree\r\nfour\n",
    edits = { { "one", "1" }, { "two", "2" }, { "three", "3" }, { "four", "4" } },
    saved = "1\r\n2\n3\r\n4\n",
  })
  both("a byte order mark stays, and is no column", {
    file = "\239\187\191one\ntwo\n",
    edits = { { "one", "1" }, { "two", "2" } },
    saved = "\239\187\1911\n2\n",
  })
  both("a byte order mark and line breaks of DOS", {
    file = "\239\187\191one\r\ntwo\r\n",
    edits = { { "one\r\ntwo", "1\n2" } },
    saved = "\239\187\1911\r\n2\r\n",
  })
  both("the last line", {
    file = "one\ntwo\n",
    edits = { { "two\n", "2\n3\n" } },
    saved = "one\n2\n3\n",
  })
  both("the last lines are taken out", {
    file = "one\ntwo\nthree\n",
    edits = { { "two\nthree\n", "" } },
    saved = "one\n",
  })
  both("everything is taken out but one line", {
    file = "one\ntwo\n",
    edits = { { "one\n", "" } },
    saved = "two\n",
  })
end

test("a NUL and bytes that are no text", function(nvim)
  local a = nvim:open("a.txt", "a\0b\nc\n")
  equal(nvim:apply({ nvim:uri("a.txt"), { "c", "d" } }).error, nil)
  nvim:cmd("silent write")
  equal({ nvim:read("a.txt"), nvim:lua("return vim.api.nvim_buf_line_count(...)", a) }, { "a\0b\nd\n", 2 })
end)

-- Where a document does not end in a line break, Neovim puts one in when it saves.
check("without a line break at the end: an edit elsewhere", {
  file = "one\ntwo",
  edits = { { "one", "1" } },
  saved = "1\ntwo\n",
  text = "1\ntwo",
  undone = "one\ntwo\n",
})
check("without a line break at the end: an edit of the last line", {
  file = "one\ntwo",
  edits = { { "two", "2\n3" } },
  saved = "one\n2\n3\n",
  text = "one\n2\n3",
  undone = "one\ntwo\n",
})
check("without a line break at the end: an edit that brings one", {
  file = "one\ntwo",
  edits = { { "two", "2\n3\n" } },
  saved = "one\n2\n3\n",
  undone = "one\ntwo\n",
})
check("a line break at the end that would go", {
  file = "one\ntwo\n",
  edits = { { "two\n", "2" } },
  refused = "which Neovim keeps",
})

test("lines typed at the end of a document without a line break there do not lose it", function(nvim)
  local a = nvim:open("a.txt", "one\ntwo")
  nvim:type("Gothree<Esc>ofour<Esc>kdd")
  nvim:wait("the text", "return T.text(...) == 'one\\ntwo\\nfour'", a)
  equal(nvim:apply({ nvim:uri("a.txt"), { "four", "4" } }).error, nil)
  equal(nvim:text(a), "one\ntwo\n4")
end)

test("carriage returns typed or taken out are no change that the server misses", function(nvim)
  local a = nvim:open("a.txt", "one\r\ntwo\nthree\r\nfour\n")
  equal(nvim:lua("return vim.bo.fileformat"), "unix")
  nvim:cmd([[silent 1substitute/\r//]])
  assert_server_has(nvim, nvim:uri("a.txt"), "one\ntwo\nthree\r\nfour\n")
  nvim:lua([[vim.api.nvim_buf_set_text(..., 2, 5, 2, 6, { "\r", "new\r" })]], a)
  assert_server_has(nvim, nvim:uri("a.txt"), "one\ntwo\nthree\r\nnew\r\nfour\n")
  equal(nvim:apply({ nvim:uri("a.txt"), { "new", "newer" } }).error, nil)
  equal(nvim:text(a), "one\ntwo\nthree\r\nnewer\r\nfour")
end)

test("changing 'fileformat' is no change that the server misses", function(nvim)
  local a = nvim:open("a.txt", "one\ntwo\n")
  nvim:cmd("set fileformat=dos")
  assert_server_has(nvim, nvim:uri("a.txt"), "one\r\ntwo\r\n")
  equal(nvim:apply({ nvim:uri("a.txt"), { "two", "2\n3" } }).error, nil)
  nvim:cmd("silent write")
  equal({ nvim:text(a), nvim:read("a.txt") }, { "one\n2\n3", "one\r\n2\r\n3\r\n" })
end)

test("an empty buffer is written into", function(nvim)
  nvim:write("a.txt", "")
  local a = nvim:open("a.txt")
  local outcome = nvim:lua([[
    require("agent_edit").apply({ documents = { {
      textDocument = { uri = ... }, edits = { { from = 0, newText = "one\ntwo\n" } },
    } } }, function(outcome) T.outcome = outcome end)
    vim.wait(20000, function() return T.outcome end, 5)
    return T.outcome
  ]], nvim:uri("a.txt"))
  -- To Neovim it has one line, which stays.
  equal({ outcome.error, nvim:text(a) }, { nil, "one\ntwo\n" })
end)

for option, reason in pairs({ readonly = "is read-only", nomodifiable = "is not modifiable" }) do
  test("what a person has locked is left alone: " .. option, function(nvim)
    local a = nvim:open("a.txt", "one\n")
    nvim:cmd("setlocal " .. option)
    local outcome = nvim:apply({ nvim:uri("a.txt"), { "one", "1" } })
    contains(outcome.error and outcome.message, reason)
    equal(nvim:text(a), "one")
  end)
end

test("a hidden buffer that the server does not know, with unsaved text, is left alone", function(nvim)
  nvim:open("other.txt", "\n")
  nvim:write("a.txt", "one\ntwo\n")
  nvim:lua([[
    local bufnr = vim.fn.bufadd("a.txt")
    vim.cmd("noautocmd call bufload(" .. bufnr .. ")")
    vim.api.nvim_buf_set_lines(bufnr, 0, 0, true, { "typed" })
  ]])
  local outcome = nvim:apply({ nvim:uri("a.txt"), { "two", "2" } })
  contains(outcome.error and outcome.message, "another text in its buffer")
  equal(nvim:text(nvim:lua("return vim.fn.bufnr('a.txt')")), "typed\none\ntwo")
end)
