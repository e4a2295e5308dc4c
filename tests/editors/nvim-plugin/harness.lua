-- Runs tests, each in a folder and with a Neovim of its own.
local Child = require("child")

local M = { Child = Child }
local scratch = assert(os.getenv("AGENT_EDIT_SCRATCH"))
local tests = {}

-- `options.setup` and `options.enable` are for `Child.start`.
function M.test(name, run, options)
  table.insert(tests, { name = name, run = run, options = options or {} })
end

function M.equal(actual, expected)
  if not vim.deep_equal(actual, expected) then
    error(("expected %s\ngot %s"):format(vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

function M.contains(text, part)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    error(("expected something with %q\ngot %s"):format(part, vim.inspect(text)), 2)
  end
end

-- The `number`th block of Lua in the main README, as it stands there.
function M.readme(number)
  local readme = table.concat(vim.fn.readfile(os.getenv("AGENT_EDIT_ROOT") .. "/README.md"), "\n")
  local blocks = vim.iter(readme:gmatch("```lua\n(.-)\n```")):totable()
  return assert(blocks[number], "the README has no such block of Lua")
end

-- Ends Neovim.
function M.run()
  local passed, failed = 0, 0
  local only = os.getenv("AGENT_EDIT_ONLY")
  for number, test in ipairs(tests) do
    if not only or test.name:find(only, 1, true) then
      local folder = ("%s/%d"):format(scratch, number)
      vim.fn.mkdir(folder .. "/.git", "p")
      local child = Child.start(folder, test.options.setup, test.options.enable)
      local ok, fault = xpcall(test.run, debug.traceback, child)
      local ended, why = pcall(child.stop, child)
      if ok and not ended then
        ok, fault = false, why
      end
      passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
      io.stdout:write(("%s %s\n%s"):format(ok and "ok  " or "FAIL", test.name, ok and "" or fault .. "\n" .. (child.stderr or "")))
      io.stdout:flush()
    end
  end
  io.stdout:write(("%d passed, %d failed\n"):format(passed, failed))
  io.stdout:flush()
  os.exit(failed == 0 and passed > 0 and 0 or 1)
end

return M
