--- `:checkhealth agent_edit`.
local client_of = require("agent_edit.client")
local config = require("agent_edit.config")

local M = {}
local health = vim.health

local function check_binary()
  local command = config.of_person().cmd or config.lsp().cmd
  if type(command) ~= "table" then
    return health.info("the server is started by a function")
  end
  local path = vim.fn.exepath(command[1])
  if path == "" then
    return health.error(("%s is not on the path"):format(command[1]), {
      "install it: cargo install --path server/lsp",
      "or say where it is: vim.lsp.config('agent_edit', { cmd = { '/path/to/agent-edit', 'lsp' } })",
    })
  end
  local ran, done = pcall(function()
    return vim.system({ path, "--version" }, { text = true }):wait(5000)
  end)
  if ran and done.code == 0 then
    health.ok(("%s: %s"):format(path, vim.trim(done.stdout)))
  else
    health.error(("%s does not run"):format(path))
  end
end

local function check_enabled()
  if not vim.lsp.config then
    health.info("Neovim 0.10: require('agent_edit').enable() starts the server")
  elseif vim.lsp.is_enabled and not vim.lsp.is_enabled(config.NAME) then
    health.warn("it is not enabled", { "vim.lsp.enable('agent_edit')" })
  end
end

---@param client vim.lsp.Client
local function check_client(client)
  local names = {}
  for bufnr in pairs(client.attached_buffers) do
    local name = vim.api.nvim_buf_get_name(bufnr)
    names[#names + 1] = name == "" and "[No Name]" or vim.fn.fnamemodify(name, ":~:.")
  end
  table.sort(names)
  health.ok(("running, client %d; documents: %s"):format(client.id, #names > 0 and table.concat(names, ", ") or "none"))
  health.info("positions are counted in " .. client.offset_encoding)
  local folders = vim.tbl_map(function(it)
    return it.name
  end, client.workspace_folders or {})
  health.info("files are edited in: " .. (#folders > 0 and table.concat(folders, ", ") or "none, open documents alone"))
  local agreed, missing = {}, {}
  for _, it in ipairs(config.CAPABILITIES.experimental.agentEdit.features) do
    table.insert(client_of.has_feature(client, it) and agreed or missing, it)
  end
  health.info("features: " .. table.concat(agreed, ", "))
  if #missing > 0 then
    health.info("this server does not have: " .. table.concat(missing, ", "))
  end
  local handler = client.handlers["workspace/applyEdit"]
  if handler ~= require("agent_edit.apply_edit").handler then
    health.error("edits are not applied by this plugin's handler, but the server was told that versions are checked", {
      "leave `handlers` of the configuration alone",
    })
  end
end

function M.check()
  health.start("agent-edit")
  if vim.fn.has("nvim-0.10") == 0 then
    health.error("Neovim 0.10 or newer is needed")
  end
  check_binary()
  check_enabled()
  local client = client_of.get()
  if client then
    check_client(client)
  else
    health.warn("it does not run", { "open a file, then look again" })
  end
end

return M
