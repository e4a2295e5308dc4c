if vim.g.loaded_agent_edit then
  return
end
vim.g.loaded_agent_edit = true

vim.api.nvim_create_user_command("AgentEdit", function(arguments)
  require("agent_edit.command").run(arguments)
end, {
  nargs = "*",
  range = true,
  bang = true,
  desc = "Batches of edits by agents",
  complete = function(...)
    return require("agent_edit.command").complete(...)
  end,
})

-- `vim.lsp.enable` goes by file types; documents without one are documents, too.
vim.api.nvim_create_autocmd({ "BufReadPost", "BufNewFile", "BufEnter", "VimEnter" }, {
  group = vim.api.nvim_create_augroup("agent_edit.attach", {}),
  callback = function(event)
    if vim.lsp.is_enabled and vim.lsp.is_enabled("agent_edit") and vim.bo[event.buf].filetype == "" then
      require("agent_edit").start(event.buf)
    end
  end,
})
