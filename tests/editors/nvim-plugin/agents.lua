-- Agents inside Neovim: the tools that other plugins are given, called as those plugins call them.
local t = require("harness")
local test, equal, contains = t.test, t.equal, t.contains

local TEXT = "first line\na TODO here\n🚀 x TODO énd\n"

local ARGUMENTS = {
  edits = {
    { path = "a.txt", old_text = "first", new_text = "1st" },
    { path = "b.txt", old_text = "TODO", new_text = "DONE", replace_all = true },
    { path = "./a.txt", old_text = "1st line", new_text = "1st line of all" },
  },
  label = "As asked",
}

local REFUSED = { edits = { { path = "a.txt", old_text = "TODO", new_text = "DONE" } } }

local function check(nvim, call)
  local a = nvim:open("a.txt", TEXT)
  nvim:write("b.txt", TEXT)
  local ok, answer = call(ARGUMENTS)
  equal({ ok, answer }, { true, "3 edits applied (3 find/replace) in 2 documents" })
  equal(nvim:text(a), "1st line of all\na TODO here\n🚀 x TODO énd")
  equal(nvim:text(nvim:lua("return vim.fn.bufnr('b.txt')")) .. "\n", (TEXT:gsub("TODO", "DONE")))
  ok, answer = call(REFUSED)
  equal(ok, false)
  contains(answer, "stands 2 times")
  nvim:conflicts(a, 2)
  ok, answer = call({ edits = { { path = "a.txt", old_text = "x" } } })
  equal(ok, false)
  contains(answer, "documents[0].edits[0].newText")
  ok, answer = call({})
  equal(ok, false)
  contains(answer, "documents")
end

test("codecompanion.nvim's tool edits, and tells the model what it needs", function(nvim)
  check(nvim, function(arguments)
    nvim:lua([[
      T.told = nil
      local tool = vim.deepcopy(require("agent_edit.adapters.codecompanion"))
      tool.args = ...
      local chat = {}
      function chat:add_tool_output(_, text) T.told.text = text end
      local meta = { tools = { chat = chat }, cmd = {} }
      local returned = tool.cmds[1](tool, tool.args, { output_cb = function(result)
        T.told = { ok = result.status == "success" }
        tool.output[result.status](tool, { result.data }, meta)
      end })
      assert(returned == nil and tool.output.prompt(tool, meta):find("edits"))
    ]], arguments)
    local told = nvim:wait("the answer", "return T.told and T.told.text and T.told")
    return told.ok, told.text
  end)
end)

test("mcphub.nvim's tool edits, and tells the model what it needs", function(nvim)
  check(nvim, function(arguments)
    nvim:lua([[
      T.told = nil
      local response = {}
      function response:text(text) self.text_is = text return self end
      function response:send() T.told = { ok = true, text = self.text_is } end
      function response:error(message) T.told = { ok = false, text = message } end
      assert(require("agent_edit.adapters.mcphub").handler({ params = ... }, response) == nil)
    ]], arguments)
    local told = nvim:wait("the answer", "return T.told")
    return told.ok, told.text
  end)
end)

test("mcphub.nvim is given the tool where it is installed", function(nvim)
  equal(nvim:lua("return require('agent_edit.adapters.mcphub').register()"), false)
  equal(nvim:lua([[
    package.loaded.mcphub = { add_tool = function(server, tool) T.added = { server, tool.name, tool.inputSchema.type } end }
    require("agent_edit.adapters.mcphub").register("neovim")
    return T.added
  ]]), { "neovim", "edit_documents", "object" })
end)

test("what the plugin's README says of Lua is Lua, and what it names is there", function(nvim)
  local readme = table.concat(vim.fn.readfile(os.getenv("AGENT_EDIT_ROOT") .. "/editors/nvim/README.md"), "\n")
  local count = 0
  for block in readme:gmatch("```lua\n(.-)\n```") do
    count = count + 1
    assert(loadstring(block) or loadstring("return " .. block), block)
  end
  equal(count, 7)
  for name in readme:gmatch("agent_edit%.adapters%.%w+") do
    equal(nvim:lua("return type(require(...))", name), "table")
  end
end)
