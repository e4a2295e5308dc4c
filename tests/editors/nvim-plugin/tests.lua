-- The plugin in editors/nvim, in real Neovims, through the built server.
local here = assert(os.getenv("AGENT_EDIT_ROOT")) .. "/tests/editors/nvim-plugin/"
package.path = here .. "?.lua;" .. package.path

for _, it in ipairs({ "applying", "races", "texts", "commands", "showing", "agents", "files" }) do
  dofile(here .. it .. ".lua")
end
require("harness").run()
