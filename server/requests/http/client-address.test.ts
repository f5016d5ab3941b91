import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatClient, newClientResolver } from './client-address.ts'

const CLIENT = '198.51.100.7'

function resolve(
  trustedProxies: readonly string[],
  peer: string | undefined,
  forwarded?: string,
): string {
  const headers = new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })
  return newClientResolver(trustedProxies).resolveClient(peer, headers)
}

/** Returns how a client with this address is named. */
function getName(address: string): string {
  return resolve([], address)
}

test('X-Forwarded-For › is ignored unless the peer is a trusted proxy, also from private addresses', () => {
  for (const peer of ['127.0.0.1', '10.1.2.3', '192.168.1.1', '::1', 'fd00::1', '203.0.113.9']) {
    assert.equal(resolve([], peer, CLIENT), getName(peer), peer)
    assert.equal(resolve(['172.16.0.0/12'], peer, CLIENT), getName(peer), peer)
  }
  assert.equal(resolve(['127.0.0.1'], '127.0.0.2', CLIENT), getName('127.0.0.2'))
})

test('X-Forwarded-For › a trusted proxy is an address or a range, IPv4 or IPv6', () => {
  for (const [proxies, peer] of [
    [['127.0.0.1'], '127.0.0.1'],
    [['127.0.0.1'], '::ffff:127.0.0.1'],
    [['127.0.0.1'], undefined],
    [['10.0.0.0/8', '::1'], '10.200.0.1'],
    [['10.0.0.0/8', '::1'], '::1'],
    [['fd00::/8'], 'fd12:3456::1'],
  ] as const) {
    assert.equal(resolve(proxies, peer, CLIENT), getName(CLIENT), String(peer))
  }
})

test('X-Forwarded-For › is read from the right: the first address that is not a trusted proxy counts', () => {
  const proxies = ['10.0.0.0/8']
  assert.equal(resolve(proxies, '10.0.0.1', `1.1.1.1, ${CLIENT}`), getName(CLIENT))
  assert.equal(
    resolve(proxies, '10.0.0.1', `1.1.1.1,${CLIENT}, 10.9.9.9 , 10.8.8.8`),
    getName(CLIENT),
  )
  assert.equal(resolve(proxies, '10.0.0.1', '10.9.9.9, 10.8.8.8'), getName('10.9.9.9'))
  assert.equal(resolve(proxies, '10.0.0.1', `${CLIENT}:4711`), getName(CLIENT))
  assert.equal(resolve(proxies, '10.0.0.1', '[2001:db8::1]:4711'), getName('2001:db8::1'))
})

test('X-Forwarded-For › garbage falls back to the peer', () => {
  for (const garbage of [
    '',
    ',',
    'unknown',
    '_hidden',
    '1.2.3',
    '1.2.3.4.5',
    `${CLIENT}, unknown`,
    `${CLIENT}, `,
    '[::1',
    '999.1.1.1',
    'x'.repeat(16_000),
    ','.repeat(16_000),
    ':'.repeat(1000),
  ]) {
    assert.equal(resolve(['10.0.0.1'], '10.0.0.1', garbage), getName('10.0.0.1'), garbage)
  }
  assert.equal(resolve(['10.0.0.1'], '10.0.0.1'), getName('10.0.0.1'))
  assert.equal(resolve([], 'garbage', CLIENT), 'unknown')
})

test('client › an IPv6 client is its /64 network', () => {
  assert.equal(getName('2001:db8:1:2::3'), getName('2001:db8:1:2:ffff::'))
  assert.notEqual(getName('2001:db8:1:2::3'), getName('2001:db8:1:3::3'))
})

test('client › a connection of a trusted proxy has no client of its own', () => {
  const clients = newClientResolver(['10.0.0.0/8'])
  assert.equal(clients.resolvePeer('10.1.1.1'), undefined)
  assert.equal(clients.resolvePeer('11.1.1.1'), getName('11.1.1.1'))
})

test('formatClient › writes an address, or the network of an IPv6 address, as people do', () => {
  for (const [address, text] of [
    ['192.0.2.1', '192.0.2.1'],
    ['0.0.0.0', '0.0.0.0'],
    ['255.255.255.255', '255.255.255.255'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8::/64'],
    ['::1', '::/64'],
    ['no address', 'unknown'],
  ] as const) {
    assert.equal(formatClient(getName(address)), text, address)
  }
})
