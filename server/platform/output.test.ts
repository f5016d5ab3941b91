import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatStart } from './output.ts'

const url = 'http://127.0.0.1:8080'
const dataDirectory = '/home/ada/.portbook'
const setupLink = `${url}/set-up#pbs_secret`

test('formatStart › on a terminal, shows the setup link on a separate line with instructions', () => {
  const lines = formatStart({ url, dataDirectory, setupLink, signIns: [] }, true).split('\n')
  assert.equal(lines[0], `portbook listening on ${url}`)
  assert.ok(lines.includes(`  ${setupLink}`))
  assert.ok(lines.includes(`  Data: ${dataDirectory}`))
  assert.match(lines.join('\n'), /Open this link in your browser/)
  assert.ok(!lines.join('\n').includes('{'))
})

test('formatStart › without a terminal or after setup, shows one line without the link', () => {
  assert.equal(
    formatStart({ url, dataDirectory, setupLink, signIns: [] }, false),
    `portbook listening on ${url}`,
  )
  assert.equal(
    formatStart({ url, dataDirectory: undefined, setupLink: undefined, signIns: [] }, true),
    `portbook listening on ${url}`,
  )
})

test('formatStart › shows the passwords of the demo on a terminal, and nowhere else', () => {
  const signIns = [{ email: 'ada@velmora.example', password: 'demo_1234', role: 'Owner' }]
  const demo = { url, dataDirectory, setupLink: undefined, signIns }
  const lines = formatStart(demo, true).split('\n')
  assert.equal(lines[0], `portbook listening on ${url}`)
  for (const text of ['Owner', 'ada@velmora.example', 'demo_1234']) {
    assert.ok(lines.some((line) => line.trim() === text))
  }
  assert.equal(formatStart(demo, false), `portbook listening on ${url}`)
})
