import {
  formatAddress,
  isWithin,
  parseAddress,
  parseRange,
  type Address,
  type AddressRange,
} from '../../platform/kit/address.ts'

/** Each proxy appends the address of its own client to this header. */
const FORWARDED_HEADER = 'x-forwarded-for'
/** A household or a company usually gets an IPv6 network of this size. */
const IPV6_PREFIX_BITS = 64
const HOPS_MAX = 20
const PEERS_CACHED_MAX = 10_000

/** Resolves which client a request comes from, as the key of per-client limits. */
export interface ClientResolver {
  /**
   * Returns the client of a request: an IPv4 address or an IPv6 /64 network. `X-Forwarded-For` is read
   * only if the peer is a trusted proxy, from the right: the first address that is not a trusted proxy
   * is the client. If the header cannot be parsed, the peer is the client. `peer` is the remote address
   * of the connection; undefined within this process.
   */
  resolveClient(peer: string | undefined, headers: Headers): string
  /** Returns the client behind a connection; undefined if it is a trusted proxy, which serves many. */
  resolvePeer(peer: string | undefined): string | undefined
}

interface Peer {
  client: string
  isTrusted: boolean
}

/**
 * Creates a resolver that trusts the given proxies: addresses and ranges such as `10.0.0.0/8`. Throws if
 * an entry is neither.
 */
export function newClientResolver(trustedProxies: readonly string[]): ClientResolver {
  const ranges = trustedProxies.map(toRange)
  const isTrusted = (address: Address): boolean => ranges.some((range) => isWithin(address, range))
  // Parsing an address takes longer than looking it up, and most requests come from known peers.
  const cache = new Map<string, Peer>()

  function findPeer(text: string): Peer {
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const address = parseAddress(text)
    const peer =
      address === undefined
        ? { client: 'unknown', isTrusted: false }
        : { client: toClient(address), isTrusted: isTrusted(address) }
    if (cache.size >= PEERS_CACHED_MAX) cache.clear()
    cache.set(text, peer)
    return peer
  }

  return {
    resolveClient(text = '127.0.0.1', headers) {
      const peer = findPeer(text)
      if (!peer.isTrusted) return peer.client
      const forwarded = headers.get(FORWARDED_HEADER)
      return (forwarded === null ? undefined : findClient(forwarded, isTrusted)) ?? peer.client
    },
    resolvePeer(text = '127.0.0.1') {
      const peer = findPeer(text)
      return peer.isTrusted ? undefined : peer.client
    },
  }
}

function toRange(entry: string): AddressRange {
  const range = parseRange(entry)
  if (range === undefined) throw new Error(`${entry} is neither an address nor a range`)
  return range
}

function findClient(header: string, isTrusted: (address: Address) => boolean): string | undefined {
  let client: string | undefined
  for (const hop of header.split(',').slice(-HOPS_MAX).toReversed()) {
    const address = parseAddress(withoutPort(hop.trim()))
    if (address === undefined) return undefined
    client = toClient(address)
    if (!isTrusted(address)) return client
  }
  return client
}

// Some proxies write `192.0.2.1:4711` and `[2001:db8::1]:4711`.
function withoutPort(hop: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, '$1')
}

function toClient(address: Address): string {
  if (address.family === 4) return `4:${address.value}`
  return `6:${address.value >> BigInt(128 - IPV6_PREFIX_BITS)}`
}

/** Returns the address of a client as people write it: `192.0.2.1`, or `2001:db8:1:2::/64`. */
export function formatClient(client: string): string {
  const [family, value] = /^([46]):(\d{1,39})$/.exec(client)?.slice(1) ?? []
  if (value === undefined) return client
  if (family === '4') return formatAddress({ family: 4, value: BigInt(value) })
  const network = BigInt(value) << BigInt(128 - IPV6_PREFIX_BITS)
  return `${formatAddress({ family: 6, value: network })}/${IPV6_PREFIX_BITS}`
}
