import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeVersion, findPinnedVersion } from './client-versions.ts'
import { PEER_RECIPES } from './recipes.ts'

const GUIDE = readFileSync(join(import.meta.dirname, '../../docs/guides/clients.md'), 'utf8')

const CLIENTS = [...PEER_RECIPES].flatMap(([peer, { clients = [] }]) =>
  clients.map((client) => ({ peer, client })),
)

for (const { peer, client } of CLIENTS) {
  test(`${client} › the guide names the version that tests run with`, () => {
    const version = findPinnedVersion(peer, client)
    assert.ok(version !== undefined)
    const names = GUIDE.matchAll(new RegExp(`${client}(?:\\[\\w+\\])?==([\\w.]+)`, 'g'))
    assert.deepEqual([...new Set([...names].map(([, named]) => named))], [version])
  })
}

test('describeVersion › reports a newer version, and one that is not known', () => {
  const client = { client: 'x', pinned: '1.2.3' }
  assert.equal(describeVersion({ ...client, newest: '1.2.3' }), 'x 1.2.3 is the newest')
  assert.equal(describeVersion({ ...client, newest: '1.3.0' }), 'x 1.2.3: the newest is 1.3.0')
  const unknown = describeVersion({ ...client, newest: undefined })
  assert.equal(unknown, 'x 1.2.3: the newest version is not known')
})
