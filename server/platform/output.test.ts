import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatStart } from './output.ts'

const url = 'http://127.0.0.1:8080'
const setupLink = `${url}/set-up#pbs_secret`

test('formatStart › on a terminal, shows the setup link on a separate line with instructions', () => {
  const lines = formatStart({ url, setupLink }, true).split('\n')
  assert.equal(lines[0], `portbook listening on ${url}`)
  assert.ok(lines.includes(`  ${setupLink}`))
  assert.match(lines.join('\n'), /Open this link in your browser/)
  assert.ok(!lines.join('\n').includes('{'))
})

test('formatStart › without a terminal or after setup, shows one line without the link', () => {
  assert.equal(formatStart({ url, setupLink }, false), `portbook listening on ${url}`)
  assert.equal(formatStart({ url, setupLink: undefined }, true), `portbook listening on ${url}`)
})
