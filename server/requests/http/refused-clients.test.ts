import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLogLines } from '../../../test/log-lines.ts'
import { newRefusedClients } from './refused-clients.ts'

test('refused connections › are counted, and the client is logged once a minute with the setting to check', () => {
  const { log, lines } = readLogLines()
  let nowMs = 1_000_000
  const refused = newRefusedClients(log, () => nowMs)
  assert.equal(refused.find(), undefined)
  for (const client of ['198.51.100.7', '198.51.100.7', '198.51.100.8']) refused.record(client)
  const { at, ...latest } = refused.find() ?? { at: '' }
  assert.deepEqual(latest, { client: '198.51.100.8', count: 3 })
  assert.equal(new Date(at).toISOString(), at)
  assert.equal(lines.length, 1)
  nowMs += 60_000
  refused.record('198.51.100.9')
  assert.deepEqual(
    lines.map(({ level, client, count, setting }) => ({ level, client, count, setting })),
    [
      { level: 40, client: '198.51.100.7', count: 1, setting: 'PORTBOOK_TRUSTED_PROXIES' },
      { level: 40, client: '198.51.100.9', count: 4, setting: 'PORTBOOK_TRUSTED_PROXIES' },
    ],
  )
  assert.match(
    lines[0]?.msg ?? '',
    /too many\. If it is a proxy, add it to PORTBOOK_TRUSTED_PROXIES$/,
  )
})
