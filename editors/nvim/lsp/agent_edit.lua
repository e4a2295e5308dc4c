---@type vim.lsp.Config
return require("agent_edit.config").lsp()
