-- Run by TestNeovim with drain.go open. Any failure ends Neovim with exit code 1.

local patience = 300 * 1000 -- milliseconds

local function fail(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end

local function await(what, condition)
  if not vim.wait(patience, condition, 100) then
    fail('waited in vain for ' .. what .. '; shown is ' .. vim.inspect(vim.diagnostic.get(0)))
  end
  io.stderr:write(what .. '\n')
end

local function findings()
  return vim.tbl_filter(function(d) return d.source == 'ctxloop' end, vim.diagnostic.get(0))
end

local client = vim.lsp.start_client({
  cmd = { vim.env.GOPLS },
  root_dir = vim.fn.getcwd(),
  settings = { gopls = { diagnosticsDelay = '0s' } },
})
vim.lsp.buf_attach_client(0, client)
await('gopls is attached', function()
  return vim.lsp.get_client_by_id(client) and vim.lsp.buf_get_clients(0)[client]
end)

-- Type the bug.
local function lines(text) return vim.split(text:gsub('\n$', ''), '\n') end
local good, bad = lines(vim.env.GOOD), lines(vim.env.BAD)
local at = vim.fn.search('\\V' .. vim.fn.escape(good[1], '\\') .. '\\n' .. vim.fn.escape(good[2], '\\'), 'cw')
if at == 0 then fail('the good code is not there') end
vim.api.nvim_buf_set_lines(0, at - 1, at - 1 + #good, true, bad)

await('the bug is marked', function() return #findings() == 1 end)
local found = findings()[1]
io.stderr:write(found.source .. ': ' .. found.message .. '\n')

-- Apply what Neovim offers to do about it, which it asks for a choice of.
vim.ui.select = function(items, _, choose) choose(items[1]) end
vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
vim.lsp.buf.code_action({ only = { 'quickfix' } })

await('the bug is gone', function()
  return #findings() == 0 and vim.fn.search('time\\.After(wait)', 'cnw') > 0
end)
vim.cmd('write')
vim.cmd('qall')
