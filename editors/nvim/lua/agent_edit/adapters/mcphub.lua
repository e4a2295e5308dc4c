--- A native tool for mcphub.nvim, as its `add_tool` takes it. Loading this needs no mcphub.
local tool = require("agent_edit.adapters.tool")

local M = {
  name = tool.NAME,
  description = tool.DESCRIPTION,
  inputSchema = tool.PARAMETERS,
}

--- Answers when the batch is applied or refused: what it returns itself is nothing.
---@param request { params: agent_edit.ToolArguments }
---@param response table
function M.handler(request, response)
  require("agent_edit").apply(tool.batch(request.params, "mcphub"), function(outcome)
    if outcome.error then
      response:error(outcome.message)
    else
      response:text(outcome.message):send()
    end
  end)
end

--- Adds it to mcphub, if that is there.
---@param server? string the native server it is a tool of
---@return boolean
function M.register(server)
  local found, mcphub = pcall(require, "mcphub")
  if found then
    mcphub.add_tool(server or "agent_edit", { name = M.name, description = M.description, inputSchema = M.inputSchema, handler = M.handler })
  end
  return found
end

return M
