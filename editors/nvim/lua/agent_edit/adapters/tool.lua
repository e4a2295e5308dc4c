--- What agents inside Neovim are offered, whichever plugin they speak through: one tool, with paths for URIs.
local M = {}

M.NAME = "edit_documents"

M.DESCRIPTION = table.concat({
  "Edits the documents that the user has open in the editor, unsaved text included, and other files of the project.",
  "Each edit replaces old_text, which must stand in exactly one place of the document, by new_text.",
  "All edits are applied, or none; if any does not fit, the answer says which and why, and where its text most likely",
  "stands. Edits of one file are applied in order, each to what the earlier ones left.",
}, " ")

--- JSON Schema of the arguments.
M.PARAMETERS = {
  type = "object",
  properties = {
    edits = {
      type = "array",
      description = "The edits, in order.",
      items = {
        type = "object",
        properties = {
          path = { type = "string", description = "The file, absolute or relative to the working directory." },
          old_text = {
            type = "string",
            description = "The text to replace, copied from the document, with enough lines around it to be unique.",
          },
          new_text = { type = "string", description = "The text in its place, whole: nothing may be left out of it." },
          replace_all = { type = "boolean", description = "Replace every place where old_text stands." },
        },
        required = { "path", "old_text", "new_text" },
      },
    },
    label = { type = "string", description = "What the edits are for, in a few words." },
  },
  required = { "edits" },
}

---@class (exact) agent_edit.ToolEdit
---@field path string
---@field old_text string
---@field new_text string
---@field replace_all? boolean

---@class (exact) agent_edit.ToolArguments
---@field edits agent_edit.ToolEdit[]
---@field label? string

---@param path string
---@return string
local function uri_of(path)
  return vim.uri_from_fname(vim.fs.normalize(vim.fn.fnamemodify(vim.fn.expand(vim.fn.fnameescape(path)), ":p")))
end

--- The batch that the arguments ask for. What they are not, the server says.
---@param arguments agent_edit.ToolArguments
---@param agent string
---@return agent_edit.Batch
function M.batch(arguments, agent)
  local documents, by_uri = {}, {}
  for _, it in ipairs(type(arguments.edits) == "table" and arguments.edits or {}) do
    local uri = uri_of(tostring(it.path))
    if not by_uri[uri] then
      by_uri[uri] = { textDocument = { uri = uri }, edits = {} }
      documents[#documents + 1] = by_uri[uri]
    end
    local replace_all = it.replace_all == true or nil
    table.insert(by_uri[uri].edits, { oldText = it.old_text, newText = it.new_text, replaceAll = replace_all })
  end
  local label = type(arguments.label) == "string" and vim.fn.strcharpart(arguments.label, 0, 200) or nil
  return { documents = documents, matching = "tolerant", agent = agent, label = label }
end

return M
