/**
 * Internet addresses as numbers, and their purposes by IANA's registries:
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */

/** An address, in the form in which it is used: an IPv4 address in IPv6 clothes is the IPv4 one. */
export interface Address {
  family: 4 | 6
  value: bigint
}

/** All addresses with the same first bits. */
export interface AddressRange {
  family: 4 | 6
  value: bigint
  prefixBits: number
}

/**
 * `forbidden`: addresses without services, or with services that return credentials of the machine.
 * `special`: loopback, private and reserved ranges. `public`: all others.
 */
export type AddressKind = 'forbidden' | 'special' | 'public'

const BITS = { 4: 32, 6: 128 } as const

/** Parses an address, ignoring a zone (`%eth0`); undefined if the text is not an address. */
export function parseAddress(text: string): Address | undefined {
  const [bare = ''] = text.split('%', 1)
  const four = parseFour(bare)
  if (four !== undefined) return { family: 4, value: four }
  const six = parseSix(bare)
  return six === undefined ? undefined : withoutMapping(six)
}

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or one address; undefined if the text is neither or has bits after its
 * prefix.
 */
export function parseRange(text: string): AddressRange | undefined {
  const [start = '', length, more] = text.split('/')
  const address = start.includes('%') ? undefined : parseAddress(start)
  if (address === undefined || more !== undefined) return undefined
  const bits = BITS[address.family]
  if (length === undefined) return { ...address, prefixBits: bits }
  if (!/^\d{1,3}$/.test(length) || Number(length) > bits) return undefined
  const range = { ...address, prefixBits: Number(length) }
  const isWhole = (range.value & ((1n << BigInt(bits - range.prefixBits)) - 1n)) === 0n
  return isWhole ? range : undefined
}

/** Returns whether an address is in a range. */
export function isWithin({ family, value }: Address, range: AddressRange): boolean {
  const behind = BigInt(BITS[family] - range.prefixBits)
  return family === range.family && value >> behind === range.value >> behind
}

/** Returns whether two addresses are the same. */
export function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.value === other.value
}

/** Returns whether an address is the machine itself. */
export function isLoopback(address: Address): boolean {
  return LOOPBACK.some((range) => isWithin(address, range))
}

/** Returns the kind of an address, not considering addresses that are embedded in it. */
export function kindOf(address: Address): AddressKind {
  const isIn = (ranges: readonly AddressRange[]) => ranges.some((range) => isWithin(address, range))
  if (isIn(FORBIDDEN)) return 'forbidden'
  if (isIn(SPECIAL)) return 'special'
  return address.family === 4 || isIn(GLOBAL_SIX) ? 'public' : 'special'
}

/**
 * Returns an address and all IPv4 addresses that packets for it may reach, through translators (NAT64) and
 * tunnels (6to4, Teredo).
 */
export function formsOf(address: Address): Address[] {
  if (address.family === 4) return [address]
  const inner = CARRIERS.filter(({ range }) => isWithin(address, range))
    .flatMap(({ carried }) => carried(address.value))
    .map((value): Address => ({ family: 4, value }))
  return [address, ...inner]
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split('.')
  // A number with a leading zero means eight to some and ten to others: it is no address to us.
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) {
    return undefined
  }
  const bytes = parts.map(BigInt)
  if (bytes.some((byte) => byte > 255n)) return undefined
  return bytes.reduce((value, byte) => (value << 8n) | byte, 0n)
}

function parseSix(text: string): bigint | undefined {
  const halves = text.split('::')
  const [head, tail] = halves.map((half, place) => groupsOf(half, place === halves.length - 1))
  if (halves.length > 2 || head === undefined) return undefined
  if (halves.length === 1) return head.length === 8 ? valueOf(head) : undefined
  if (tail === undefined || head.length + tail.length > 7) return undefined
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0n)
  return valueOf([...head, ...zeros, ...tail])
}

/** Returns the 16-bit groups of one half; the last one may end with an IPv4 address. */
function groupsOf(half: string, isLast: boolean): bigint[] | undefined {
  if (half === '') return []
  const groups: bigint[] = []
  const parts = half.split(':')
  for (const [place, part] of parts.entries()) {
    const four = isLast && place === parts.length - 1 ? parseFour(part) : undefined
    if (four !== undefined) groups.push(four >> 16n, four & 0xffffn)
    else if (/^[\da-f]{1,4}$/i.test(part)) groups.push(BigInt(`0x${part}`))
    else return undefined
  }
  return groups
}

function valueOf(groups: readonly bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/** The operating system sends what goes to `::ffff:a.b.c.d` to a.b.c.d. */
function withoutMapping(value: bigint): Address {
  const isMapped = value >> 32n === 0xffffn
  return isMapped ? { family: 4, value: value & 0xffffffffn } : { family: 6, value }
}

function rangesOf(...texts: string[]): AddressRange[] {
  return texts.map((text) => {
    const range = parseRange(text)
    if (range === undefined) throw new Error(`${text} is no range of addresses`)
    return range
  })
}

const LOOPBACK = rangesOf('127.0.0.0/8', '::1')

const FORBIDDEN = rangesOf(
  '0.0.0.0/8', // "This network": many systems take it for themselves.
  '169.254.0.0/16', // Link-local, with the metadata services of most clouds.
  '224.0.0.0/4', // Multicast.
  '255.255.255.255', // Broadcast.
  '::',
  'fe80::/10', // Link-local.
  'ff00::/8', // Multicast.
  // Metadata services elsewhere, which hand a machine its credentials.
  '100.100.100.200', // https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
  '168.63.129.16', // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '192.0.0.192', // Oracle Cloud, before it moved to the link-local range.
  'fd00:ec2::/32', // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  'fd20:ce::254', // https://cloud.google.com/compute/docs/metadata/querying-metadata
  'fd00:42::42', // Scaleway.
)

const SPECIAL = rangesOf(
  '10.0.0.0/8', // Private, as the next two: RFC 1918.
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // Shared by customers of one provider: RFC 6598.
  '127.0.0.0/8', // Loopback.
  '192.0.0.0/24', // Protocol assignments: RFC 6890.
  '192.0.2.0/24', // Documentation, as the next two: RFC 5737.
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24', // Relays of 6to4, deprecated: RFC 7526.
  '198.18.0.0/15', // Benchmarks: RFC 2544.
  '240.0.0.0/4', // Reserved: RFC 1112.
  '2001::/23', // Protocol assignments, Teredo among them: RFC 2928.
  '2001:db8::/32', // Documentation: RFC 3849.
  '3fff::/20', // Documentation: RFC 9637.
)

// All other IPv6 addresses are loopback, unique local (fc00::/7), site-local (fec0::/10), IPv4-compatible,
// for documentation, discard-only or unassigned.
const GLOBAL_SIX = rangesOf('2000::/3', '64:ff9b::/96')

interface Carrier {
  range: AddressRange
  /** Returns the IPv4 addresses that an address of this range contains. */
  carried(value: bigint): bigint[]
}

const CARRIERS: readonly Carrier[] = [
  ...carriers('::/96', lastFour), // IPv4-compatible: RFC 4291, section 2.5.5.1.
  ...carriers('::ffff:0:0:0/96', (value) => [value & 0xffffffffn]), // Translated: RFC 2765.
  ...carriers('64:ff9b::/96', (value) => [value & 0xffffffffn]), // NAT64: RFC 6052.
  ...carriers('64:ff9b:1::/48', translatedLocally), // Local NAT64: RFC 8215.
  ...carriers('2002::/16', (value) => [(value >> 80n) & 0xffffffffn]), // 6to4: RFC 3056.
  // Teredo, RFC 4380: the server, and the client with its bits turned around.
  ...carriers('2001::/32', (value) => [(value >> 64n) & 0xffffffffn, ~value & 0xffffffffn]),
]

function carriers(range: string, carried: Carrier['carried']): Carrier[] {
  return rangesOf(range).map((range) => ({ range, carried }))
}

/** `::` and `::1` carry nothing. */
function lastFour(value: bigint): bigint[] {
  return value <= 1n ? [] : [value]
}

/**
 * The operator chooses the prefix length of a local translator, which decides the position of the address
 * (RFC 6052, section 2.2; byte 8 is skipped). Every position with only zeros after it counts.
 */
function translatedLocally(value: bigint): bigint[] {
  const high = (value >> 64n) & 0xffffn
  const low = value & 0xffffffffffffffn
  const all = (high << 56n) | low
  const found = [40n, 32n, 24n]
    .filter((behind) => (all & ((1n << behind) - 1n)) === 0n)
    .map((behind) => (all >> behind) & 0xffffffffn)
  return [...found, value & 0xffffffffn].filter((four) => four !== 0n)
}
