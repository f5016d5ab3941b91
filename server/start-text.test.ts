import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatStart } from './start-text.ts'

const url = 'http://127.0.0.1:8080'
const setupLink = `${url}/set-up#pbs_secret`

test('a terminal gets the set-up link on a line of its own, in plain words', () => {
  const lines = formatStart({ url, setupLink }, true).split('\n')
  assert.equal(lines[0], `portbook listening on ${url}`)
  assert.ok(lines.includes(`  ${setupLink}`))
  assert.match(lines.join('\n'), /Open this link in your browser/)
  assert.ok(!lines.join('\n').includes('{'))
})

test('a pipe or file gets one line without the secret, and so does a terminal after the set-up', () => {
  assert.equal(formatStart({ url, setupLink }, false), `portbook listening on ${url}`)
  assert.equal(formatStart({ url, setupLink: undefined }, true), `portbook listening on ${url}`)
})
