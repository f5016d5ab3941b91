/**
 * Parses and classifies IP addresses. The ranges come from IANA's registries:
 * https://www.iana.org/assignments/iana-ipv4-special-registry
 * https://www.iana.org/assignments/iana-ipv6-special-registry
 */

/** An IP address in its effective form: an IPv4-mapped IPv6 address is stored as IPv4. */
export interface Address {
  family: 4 | 6
  value: bigint
}

/** All addresses with a common prefix. */
export interface AddressRange {
  family: 4 | 6
  value: bigint
  prefixBits: number
}

/**
 * `forbidden`: hosts no legitimate service, or a metadata service that hands out a machine's credentials.
 * `special`: loopback, private and reserved ranges. `public`: all others.
 */
type AddressKind = 'forbidden' | 'special' | 'public'

const BITS = { 4: 32, 6: 128 } as const

/** Parses an address in its standard notation, without its zone (`%eth0`). Returns undefined if invalid. */
export function parseAddress(text: string): Address | undefined {
  const [bare = ''] = text.split('%', 1)
  const four = parseFour(bare)
  if (four !== undefined) return { family: 4, value: four }
  const six = parseSix(bare)
  return six === undefined ? undefined : unmapAddress(six)
}

/**
 * Parses `10.0.0.0/8`, `fd00::/8` or a single address. Returns undefined if the text is invalid or has bits set
 * after its prefix.
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

/** Returns an address in its standard notation (RFC 5952 for IPv6). */
export function formatAddress({ family, value }: Address): string {
  const groupBits = family === 4 ? 8 : 16
  const groups: bigint[] = []
  for (let shift = BITS[family] - groupBits; shift >= 0; shift -= groupBits) {
    groups.push((value >> BigInt(shift)) & ((1n << BigInt(groupBits)) - 1n))
  }
  if (family === 4) return groups.join('.')
  // A URL host has the standard notation, with the longest run of zeros left out.
  const text = groups.map((group) => group.toString(16)).join(':')
  return new URL(`http://[${text}]`).hostname.slice(1, -1)
}

/** Returns whether an address is in a range. */
export function isWithin({ family, value }: Address, range: AddressRange): boolean {
  const suffixBits = BigInt(BITS[family] - range.prefixBits)
  return family === range.family && value >> suffixBits === range.value >> suffixBits
}

/** Returns whether two addresses are the same. */
export function isSameAddress(one: Address, other: Address): boolean {
  return one.family === other.family && one.value === other.value
}

/** Returns whether an address is a loopback address. */
export function isLoopback(address: Address): boolean {
  return LOOPBACK.some((range) => isWithin(address, range))
}

/** Returns whether a host name or an address, with or without brackets, is only this machine. */
export function isLoopbackHost(host: string): boolean {
  const address = parseAddress(host.replace(/^\[(.*)\]$/, '$1'))
  return host === 'localhost' || (address !== undefined && isLoopback(address))
}

/** Classifies an address. The IPv4 addresses embedded in it must be classified separately. */
export function classifyAddress(address: Address): AddressKind {
  const isIn = (ranges: readonly AddressRange[]) => ranges.some((range) => isWithin(address, range))
  if (isIn(FORBIDDEN)) return 'forbidden'
  if (isIn(SPECIAL)) return 'special'
  return address.family === 4 || isIn(GLOBAL_SIX) ? 'public' : 'special'
}

/**
 * Returns an address and all IPv4 addresses embedded in it: translators (NAT64) and tunnels (6to4,
 * Teredo) may deliver its packets there.
 */
export function listEmbeddedAddresses(address: Address): Address[] {
  if (address.family === 4) return [address]
  const inner = CARRIERS.filter(({ range }) => isWithin(address, range))
    .flatMap(({ carried }) => carried(address.value))
    .map((value): Address => ({ family: 4, value }))
  return [address, ...inner]
}

function parseFour(text: string): bigint | undefined {
  const parts = text.split('.')
  // A leading zero is ambiguous, because some parsers read such a number as octal: reject it.
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) {
    return undefined
  }
  const bytes = parts.map(BigInt)
  if (bytes.some((byte) => byte > 255n)) return undefined
  return bytes.reduce((value, byte) => (value << 8n) | byte, 0n)
}

function parseSix(text: string): bigint | undefined {
  const halves = text.split('::')
  const [head, tail] = halves.map((half, place) => parseGroups(half, place === halves.length - 1))
  if (halves.length > 2 || head === undefined) return undefined
  if (halves.length === 1) return head.length === 8 ? joinGroups(head) : undefined
  if (tail === undefined || head.length + tail.length > 7) return undefined
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0n)
  return joinGroups([...head, ...zeros, ...tail])
}

/** Parses the 16-bit groups of one half; the last one may end with an IPv4 address. */
function parseGroups(half: string, isLast: boolean): bigint[] | undefined {
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

function joinGroups(groups: readonly bigint[]): bigint {
  return groups.reduce((value, group) => (value << 16n) | group, 0n)
}

/** Converts `::ffff:a.b.c.d` to a.b.c.d, to which the operating system sends its packets. */
function unmapAddress(value: bigint): Address {
  const isMapped = value >> 32n === 0xffffn
  return isMapped ? { family: 4, value: value & 0xffffffffn } : { family: 6, value }
}

function parseRanges(...texts: string[]): AddressRange[] {
  return texts.map((text) => {
    const range = parseRange(text)
    if (range === undefined) throw new Error(`Invalid address range "${text}"`)
    return range
  })
}

const LOOPBACK = parseRanges('127.0.0.0/8', '::1')

const FORBIDDEN = parseRanges(
  '0.0.0.0/8', // "This network": many systems use it for themselves.
  '169.254.0.0/16', // Link-local, with the metadata services of most clouds.
  '224.0.0.0/4', // Multicast.
  '255.255.255.255', // Broadcast.
  '::',
  'fe80::/10', // Link-local.
  'ff00::/8', // Multicast.
  // Metadata services outside the link-local range, which hand a machine its credentials.
  '100.100.100.200', // https://www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata
  '168.63.129.16', // https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  '192.0.0.192', // Oracle Cloud, before it moved to the link-local range.
  'fd00:ec2::/32', // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html
  'fd20:ce::254', // https://cloud.google.com/compute/docs/metadata/querying-metadata
  'fd00:42::42', // Scaleway.
)

const SPECIAL = parseRanges(
  '10.0.0.0/8', // Private, like the next two: RFC 1918.
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10', // Carrier-grade NAT: RFC 6598.
  '127.0.0.0/8', // Loopback.
  '192.0.0.0/24', // Protocol assignments: RFC 6890.
  '192.0.2.0/24', // Documentation, like the next two: RFC 5737.
  '198.51.100.0/24',
  '203.0.113.0/24',
  '192.88.99.0/24', // 6to4 relays, deprecated: RFC 7526.
  '198.18.0.0/15', // Benchmarks: RFC 2544.
  '240.0.0.0/4', // Reserved: RFC 1112.
  '2001::/23', // Protocol assignments, Teredo among them: RFC 2928.
  '2001:db8::/32', // Documentation: RFC 3849.
  '3fff::/20', // Documentation: RFC 9637.
)

// All other IPv6 addresses are loopback, unique local (fc00::/7), site-local (fec0::/10),
// IPv4-compatible, for documentation, discard-only or unassigned.
const GLOBAL_SIX = parseRanges('2000::/3', '64:ff9b::/96')

interface Carrier {
  range: AddressRange
  /** Returns the IPv4 addresses embedded in an address of this range. */
  carried(value: bigint): bigint[]
}

const CARRIERS: readonly Carrier[] = [
  ...carriers('::/96', lastFour), // IPv4-compatible: RFC 4291, section 2.5.5.1.
  ...carriers('::ffff:0:0:0/96', (value) => [value & 0xffffffffn]), // Translated: RFC 2765.
  ...carriers('64:ff9b::/96', (value) => [value & 0xffffffffn]), // NAT64: RFC 6052.
  ...carriers('64:ff9b:1::/48', translatedLocally), // Local NAT64: RFC 8215.
  ...carriers('2002::/16', (value) => [(value >> 80n) & 0xffffffffn]), // 6to4: RFC 3056.
  // Teredo, RFC 4380: the server, and the client with its bits inverted.
  ...carriers('2001::/32', (value) => [(value >> 64n) & 0xffffffffn, ~value & 0xffffffffn]),
]

function carriers(range: string, carried: Carrier['carried']): Carrier[] {
  return parseRanges(range).map((range) => ({ range, carried }))
}

/** Returns the last 32 bits; nothing for `::` and `::1`. */
function lastFour(value: bigint): bigint[] {
  return value <= 1n ? [] : [value]
}

/**
 * Returns all possible addresses of a local translator. Its operator chooses the length of the prefix, which
 * determines the position of the address (RFC 6052, section 2.2, without byte 8): every position followed only
 * by zeros is possible.
 */
function translatedLocally(value: bigint): bigint[] {
  const high = (value >> 64n) & 0xffffn
  const low = value & 0xffffffffffffffn
  const all = (high << 56n) | low
  const candidates = [40n, 32n, 24n]
    .filter((suffixBits) => (all & ((1n << suffixBits) - 1n)) === 0n)
    .map((suffixBits) => (all >> suffixBits) & 0xffffffffn)
  return [...candidates, value & 0xffffffffn].filter((four) => four !== 0n)
}
