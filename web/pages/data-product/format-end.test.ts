import assert from 'node:assert/strict'
import test from 'node:test'
import { curlCommands } from './curl-commands.ts'
import { endText } from './format-end.ts'

const at = (instant: string) => endText('2026-12-31', Date.parse(instant))

test('endText › counts days of UTC to the last one, which still counts', () => {
  assert.match(at('2026-11-21T23:59:59Z'), /: 40 days are left$/)
  assert.match(at('2026-12-30T00:00:00Z'), /: 1 day is left$/)
  assert.match(at('2026-12-31T23:59:59Z'), /^Today is the last day/)
  assert.match(at('2027-01-01T00:00:00Z'), /^DPS was taken until/)
})

test('curlCommands › no id ends the quotation of the shell', () => {
  const { get, put } = curlCommands('https://p.example', "a'; rm -rf $HOME #", 'application/yaml')
  for (const command of [get, put]) {
    assert.equal(command.split("'").length, 3)
    assert.ok(command.includes('/api/dataproducts/a%27%3B%20rm%20-rf%20%24HOME%20%23'))
  }
  assert.match(put, /Content-Type: application\/yaml/)
  assert.match(put, /@dataproduct\.yaml/)
})
