--- How the server is started, and what this client says of itself.
local M = {}

M.NAME = "agent_edit"

---@class (exact) agent_edit.Options What a person sets in `vim.g.agent_edit`.
---@field virtual_lines? boolean conflicts are shown below their lines; true unless said otherwise
---@field sign? string what the statusline begins with

---@return agent_edit.Options
function M.options()
  return vim.g.agent_edit or {}
end

--- The features of `workspace/agentEdit` that this client uses, and what it does when it is asked to.
M.CAPABILITIES = {
  experimental = {
    agentEdit = {
      features = {
        "expected_base_sha256",
        "tolerant_match",
        "lenient_match",
        "replace_all",
        "line_edits",
        "original_anchoring",
        "policy",
        "preview",
        "review",
        "resource_operations",
        "save",
      },
      checksVersions = true,
      save = true,
      showEdit = true,
    },
  },
  workspace = { workspaceEdit = { documentChanges = true, failureHandling = "textOnlyTransactional" } },
}

local MARKERS = { ".git", ".jj", ".hg", ".svn" }

--- The folder whose files may be edited while they are not open: the project of the buffer's file, else the working
--- folder, unless that is the person's home or everything.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  local root = vim.fs.root(bufnr, MARKERS)
  if root then
    return root
  end
  local cwd = vim.fs.normalize(vim.fn.getcwd())
  local too_much = vim.fs.normalize(vim.uv.os_homedir() or "/")
  return cwd ~= too_much and vim.fs.dirname(cwd) ~= cwd and cwd or nil
end

--- One server for all documents, since a batch may be about any of them: a further project is a further folder.
---@param client vim.lsp.Client
---@param config vim.lsp.ClientConfig
---@return boolean
local function reuse(client, config)
  if client.name ~= M.NAME or require("agent_edit.client").is_stopped(client) then
    return false
  end
  local root = config.root_dir
  if type(root) == "string" then
    require("agent_edit.client").add_folder(client, root)
  end
  return true
end

--- What `vim.lsp.enable` takes.
---@return vim.lsp.Config
function M.lsp()
  return {
    cmd = { "agent-edit", "lsp" },
    root_dir = function(bufnr, on_dir)
      if require("agent_edit.document").can_attach(bufnr) then
        on_dir(M.root(bufnr))
      end
    end,
    reuse_client = reuse,
    capabilities = M.CAPABILITIES,
    handlers = {
      ["workspace/applyEdit"] = require("agent_edit.apply_edit").handler,
      ["agentEdit/save"] = require("agent_edit.save").handler,
      ["agentEdit/showEdit"] = require("agent_edit.show").handler,
    },
  }
end

--- What `enable` was given, with Neovim 0.10.
---@type table
M.overrides = {}

--- What the person has set of the configuration.
---@return table
function M.of_person()
  return vim.lsp.config and vim.lsp.config[M.NAME] or M.overrides
end

--- The same for `vim.lsp.start`, which Neovim 0.10 has alone.
---@param bufnr integer
---@param overrides? table
---@return vim.lsp.ClientConfig
function M.start(bufnr, overrides)
  local config = vim.tbl_deep_extend("force", M.lsp(), overrides or {})
  config.name = M.NAME
  config.root_dir = M.root(bufnr)
  config.reuse_client = nil
  config.capabilities = vim.tbl_deep_extend("force", vim.lsp.protocol.make_client_capabilities(), config.capabilities)
  return config
end

M.reuse = reuse

return M
