--- A tool for codecompanion.nvim, as its configuration takes it in `interactions.chat.tools`. Loading this needs no
--- codecompanion.
local tool = require("agent_edit.adapters.tool")

---@param lines string[]?
---@return string
local function last(lines)
  return lines and lines[#lines] and tostring(lines[#lines]) or ""
end

return {
  name = tool.NAME,
  cmds = {
    ---@param arguments agent_edit.ToolArguments
    ---@param options { output_cb: fun(result: { status: "success"|"error", data: string }) }
    function(_, arguments, options)
      require("agent_edit").apply(tool.batch(arguments, "codecompanion"), function(outcome)
        options.output_cb({ status = outcome.error and "error" or "success", data = outcome.message })
      end)
    end,
  },
  schema = {
    type = "function",
    ["function"] = { name = tool.NAME, description = tool.DESCRIPTION, parameters = tool.PARAMETERS },
  },
  output = {
    prompt = function(self)
      return ("Apply %d edits?"):format(#(self.args.edits or {}))
    end,
    success = function(self, stdout, meta)
      meta.tools.chat:add_tool_output(self, last(stdout))
    end,
    -- The report is for the model, which can mend the batch by it.
    error = function(self, stderr, meta)
      meta.tools.chat:add_tool_output(self, last(stderr))
    end,
  },
}
