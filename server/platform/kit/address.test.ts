import assert from 'node:assert/strict'
import test from 'node:test'
import {
  listEmbeddedAddresses,
  isWithin,
  classifyAddress,
  parseAddress,
  parseRange,
  type Address,
} from './address.ts'

function requireAddress(text: string): Address {
  return parseAddress(text) ?? assert.fail(`invalid address ${text}`)
}

/** Returns the IPv4 addresses embedded in an address, in their standard notation. */
function carriedBy(text: string): string[] {
  return listEmbeddedAddresses(requireAddress(text))
    .filter(({ family }) => family === 4)
    .map(({ value }) => [24n, 16n, 8n, 0n].map((bits) => (value >> bits) & 255n).join('.'))
}

const KINDS: readonly (readonly [text: string, kind: string])[] = [
  ['0.0.0.0', 'forbidden'],
  ['0.1.2.3', 'forbidden'],
  ['9.255.255.255', 'public'],
  ['10.0.0.0', 'special'],
  ['10.255.255.255', 'special'],
  ['11.0.0.0', 'public'],
  ['100.63.255.255', 'public'],
  ['100.64.0.0', 'special'],
  ['100.127.255.255', 'special'],
  ['100.128.0.0', 'public'],
  ['100.100.100.200', 'forbidden'],
  ['127.0.0.1', 'special'],
  ['127.255.255.255', 'special'],
  ['128.0.0.0', 'public'],
  ['168.63.129.16', 'forbidden'],
  ['169.253.255.255', 'public'],
  ['169.254.0.0', 'forbidden'],
  ['169.254.169.254', 'forbidden'],
  ['169.255.0.0', 'public'],
  ['172.15.255.255', 'public'],
  ['172.16.0.0', 'special'],
  ['172.31.255.255', 'special'],
  ['172.32.0.0', 'public'],
  ['192.0.0.1', 'special'],
  ['192.0.0.192', 'forbidden'],
  ['192.0.2.1', 'special'],
  ['192.88.99.1', 'special'],
  ['192.167.255.255', 'public'],
  ['192.168.0.1', 'special'],
  ['198.17.255.255', 'public'],
  ['198.18.0.0', 'special'],
  ['198.19.255.255', 'special'],
  ['198.51.100.1', 'special'],
  ['203.0.113.1', 'special'],
  ['223.255.255.255', 'public'],
  ['224.0.0.1', 'forbidden'],
  ['239.255.255.255', 'forbidden'],
  ['240.0.0.1', 'special'],
  ['255.255.255.255', 'forbidden'],
  ['::', 'forbidden'],
  ['::1', 'special'],
  ['::2', 'special'],
  ['100::1', 'special'],
  ['2001::1', 'special'],
  ['2001:200::1', 'public'],
  ['2001:db8::1', 'special'],
  ['2606:4700::1111', 'public'],
  ['3fff::1', 'special'],
  ['4000::1', 'special'],
  ['5f00::1', 'special'],
  ['64:ff9b::808:808', 'public'],
  ['64:ff9b:1::808:808', 'special'],
  ['fc00::1', 'special'],
  ['fdff::1', 'special'],
  ['fd00:ec2::254', 'forbidden'],
  ['fd20:ce::254', 'forbidden'],
  ['fd00:42::42', 'forbidden'],
  ['fe80::1', 'forbidden'],
  ['fe80::1%eth0', 'forbidden'],
  ['febf::1', 'forbidden'],
  ['fec0::1', 'special'],
  ['ff02::1', 'forbidden'],
  ['::ffff:8.8.8.8', 'public'],
  ['::ffff:127.0.0.1', 'special'],
  ['::FFFF:A9FE:A9FE', 'forbidden'],
]

for (const [text, kind] of KINDS) {
  test(`classifyAddress › ${text} is ${kind}`, () =>
    assert.equal(classifyAddress(requireAddress(text)), kind))
}

const CARRIED: readonly (readonly [text: string, carried: readonly string[]])[] = [
  ['127.0.0.1', ['127.0.0.1']],
  ['::ffff:127.0.0.1', ['127.0.0.1']],
  ['::1', []],
  ['::127.0.0.1', ['127.0.0.1']],
  ['::ffff:0:127.0.0.1', ['127.0.0.1']],
  ['64:ff9b::169.254.169.254', ['169.254.169.254']],
  ['64:ff9b:1::10.0.0.1', ['10.0.0.1']],
  // Examples from RFC 6052, section 2.4, for prefixes of 48, 56 and 64 bits.
  ['64:ff9b:1:c000:2:2100::', ['192.0.2.33', '0.2.33.0', '2.33.0.0']],
  ['64:ff9b:1:1c0:0:221::', ['192.0.2.33', '0.2.33.0']],
  ['64:ff9b:1:1:c0:2:2100::', ['192.0.2.33']],
  ['2002:7f00:1::', ['127.0.0.1']],
  ['2001:0:a9fe:a9fe:8000:63bf:3fff:fdd2', ['169.254.169.254', '192.0.2.45']],
  ['2606:4700::1111', []],
]

for (const [text, carried] of CARRIED) {
  test(`listEmbeddedAddresses › ${text} contains ${carried.join(' and ') || 'no IPv4 address'}`, () => {
    const addresses = carriedBy(text)
    for (const address of carried) assert.ok(addresses.includes(address), addresses.join(' '))
    if (carried.length === 0) assert.deepEqual(addresses, [])
  })
}

test('parseAddress › rejects anything but addresses in standard notation', () => {
  for (const text of [
    '',
    '1',
    '127.1',
    '127.0.0.1.',
    '0127.0.0.1',
    '0x7f.0.0.1',
    '256.0.0.1',
    '1.2.3.4.5',
    '1.2.3',
    '1.2.3.-4',
    '１.2.3.4',
    ':',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    'g::',
    '12345::',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '::1.2.3',
    '1.2.3.4::',
    '[::1]',
    '::1/128',
  ]) {
    assert.equal(parseAddress(text), undefined, text)
  }
})

test('parseRange › matches addresses by their prefix', () => {
  const range = parseRange('10.16.0.0/12') ?? assert.fail()
  assert.ok(isWithin(requireAddress('10.31.255.255'), range))
  assert.ok(isWithin(requireAddress('::ffff:10.16.0.0'), range))
  assert.ok(!isWithin(requireAddress('10.32.0.0'), range))
  assert.ok(!isWithin(requireAddress('::10.16.0.0'), range))
  const all = parseRange('0.0.0.0/0') ?? assert.fail()
  assert.ok(isWithin(requireAddress('255.1.2.3'), all))
  assert.ok(!isWithin(requireAddress('::1'), all))
  const one = parseRange('fd00::5') ?? assert.fail()
  assert.ok(isWithin(requireAddress('fd00:0::0:5'), one))
  assert.ok(!isWithin(requireAddress('fd00::4'), one))
})

test('parseRange › rejects invalid lengths and bits after the prefix', () => {
  for (const text of [
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.1/8',
    '10/8',
    'fd00::/129',
    'fd00::1/8',
    'fe80::1%eth0',
    'db.internal',
    '',
  ]) {
    assert.equal(parseRange(text), undefined, text)
  }
})
