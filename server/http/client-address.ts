import { kindOf, parseAddress, type Address } from '../kit/address.ts'

/** A proxy in front of the catalog adds to this header whom it answers. */
const FORWARDED_HEADER = 'x-forwarded-for'
const SIX_PREFIX_BITS = 64

/**
 * Whom a request comes from, for limits alone: an IPv4 address, or the network of an IPv6 address, all
 * of which one household has. A proxy stands at a loopback or private address: what it says last of
 * its client counts, and what everybody else says does not. `peer` is the other end of the connection;
 * undefined = there is none, within this process.
 */
export function clientOf(peer: string | undefined, headers: Headers): string {
  const direct = parseAddress(peer ?? '127.0.0.1')
  if (direct === undefined) return 'unknown'
  if (kindOf(direct) === 'public') return networkOf(direct)
  const said = headers.get(FORWARDED_HEADER)?.split(',').at(-1)?.trim() ?? ''
  return networkOf(parseAddress(said) ?? direct)
}

function networkOf(address: Address): string {
  if (address.family === 4) return `4:${address.value}`
  const prefix = address.value >> BigInt(128 - SIX_PREFIX_BITS)
  return `6:${prefix}`
}
