/** The database and the ports of this server, which no source may be. */

import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import {
  ALLOW,
  always,
  assertRefused,
  DENY,
  LOOPBACK_SPELLINGS,
  useCanary,
} from '../../../test/dialing.ts'

const canary = useCanary()

const OWN = [
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', 'localhost'],
  ['localhost', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.1', '::1'],
  ['::1', '127.0.0.1'],
  ['', '127.0.0.1'],
  ['/var/run/postgresql', '127.0.0.1'],
  ['%2Fvar%2Frun', 'localhost'],
  ['::ffff:127.0.0.1', '2130706433'],
] as const

for (const [own, host] of OWN) {
  test(`Dialer › rejects the own database at ${own || 'no host'} as ${host}`, async () => {
    const rules = { ...ALLOW, allowed: ['127.0.0.0/8'], ownStore: { host: own, port: canary.port } }
    assertRefused(await canary.dial(rules, host), /the database of this server/)
    assert.equal(canary.connections, 0)
  })
}

async function resolveStore(host: string): Promise<string[]> {
  return host === 'store.example' ? ['10.1.1.1', '10.1.1.2'] : [host]
}

test('Dialer › rejects the own database by each of its addresses, also by a translated one', async () => {
  const rules = { ...ALLOW, ownStore: { host: 'store.example', port: canary.port } }
  for (const host of ['10.1.1.1', '10.1.1.2', '64:ff9b::10.1.1.2', 'store.example']) {
    assertRefused(await canary.dial(rules, host, resolveStore), /the database of this server/)
  }
})

for (const host of LOOPBACK_SPELLINGS) {
  test(`Dialer › rejects a port of this server as ${JSON.stringify(host)}, even if it is allowed`, async () => {
    const allowed = ['127.0.0.0/8', '::1', 'localhost']
    const outcome = await canary.dial({ ...ALLOW, allowed, ownPorts: [canary.port] }, host)
    assert.ok(outcome instanceof Error, String(outcome))
    // Some systems do not resolve every notation.
    const isUnknown = 'code' in outcome && /^(ENOTFOUND|EAI_)/.test(String(outcome.code))
    if (!isUnknown) assertRefused(outcome, /port of this server|not a host|never|invalid address/)
    assert.equal(canary.connections, 0)
  })
}

test('Dialer › rejects a port of this server on every address of the machine, by any name', async () => {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const addresses = own.map(({ address }) => address).filter((one) => !one.startsWith('fe80'))
  for (const address of [...addresses, '64:ff9b::7f00:1', '::ffff:127.0.0.1']) {
    const rules = { ...ALLOW, ownPorts: [1, canary.port] }
    const resolve = always('203.0.113.7', address)
    assertRefused(await canary.dial(rules, 'db.example', resolve), /port of this server/)
  }
  assert.equal(canary.connections, 0)
})

test('Dialer › allows other ports of the machine, and the own ports on other machines', async () => {
  assert.equal(
    await canary.dial({ ...ALLOW, ownPorts: [canary.port - 1, canary.port + 1] }, '127.0.0.1'),
    'hello',
  )
  const elsewhere = await canary.dial(
    { ...DENY, ownPorts: [canary.port] },
    'db.example',
    always('10.99.99.99'),
  )
  assertRefused(elsewhere, /private address.*PORTBOOK_PRIVATE_SOURCES/)
})

test('Dialer › allows other ports on the host of the own database', async () => {
  const rules = {
    ...ALLOW,
    ownStore: { host: '127.0.0.1', port: canary.port === 1 ? 2 : canary.port - 1 },
  }
  assert.equal(await canary.dial(rules, '127.0.0.1'), 'hello')
})

test('Dialer › rejects the port of the own database if its host cannot be resolved', async () => {
  const rules = { ...ALLOW, ownStore: { host: 'store.example', port: canary.port } }
  const outcome = await canary.dial(rules, '127.0.0.1', async (host) => {
    if (host === 'store.example') throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return ['127.0.0.1']
  })
  assert.ok(outcome instanceof Error)
  assert.equal(canary.connections, 0)
})
