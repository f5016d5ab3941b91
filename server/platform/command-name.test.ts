import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCommand } from './command-name.ts'

test('formatCommand › names a command as the user started Portbook', () => {
  for (const name of ['npx portbook', 'portbook', 'npm run --silent portbook --']) {
    const environment = { PORTBOOK_COMMAND_NAME: name }
    assert.equal(formatCommand('restore <file>', environment), `${name} restore <file>`)
    assert.equal(formatCommand('', environment), name)
  }
})

test('formatCommand › without a launcher, the name is portbook', () => {
  assert.equal(formatCommand('verify', {}), 'portbook verify')
  assert.equal(formatCommand('verify', { PORTBOOK_COMMAND_NAME: '' }), 'portbook verify')
})
