import { lookup } from 'node:dns/promises'
import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import {
  formsOf,
  isLoopback,
  isSameAddress,
  isWithin,
  kindOf,
  parseAddress,
  parseRange,
  type Address,
  type AddressRange,
} from './address.ts'

/** Opens every outgoing connection, only to allowed addresses. */
export interface Dialer {
  /** The rules it enforces, as plain data: a process that reads a source builds its own dialer from them. */
  readonly rules: DialRules
  /**
   * Returns an unconnected socket. Its `connect(port, host)` resolves the host once, checks every address,
   * and connects to a checked one; a rejected address ends it with DialRefused before anything is sent.
   * Drivers use it as their stream. Errors, as the event `error`: DialRefused; those of the operating system
   * with their code, `ENOTFOUND`, `ECONNREFUSED`; `ETIMEDOUT` after ten seconds.
   */
  socket(): Socket
}

/** The address must not be connected to. The message contains no secrets. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused'
}

/** The operator's rules for outgoing connections. */
export interface DialRules {
  privateAddresses: 'allow' | 'deny'
  /** Hosts and address ranges that are allowed nevertheless: `db.internal`, `10.0.0.0/8`. */
  allowed: readonly string[]
  /** The database of this process, which is never connected to. An empty host or a path is this machine. */
  ownStore: { host: string; port: number } | undefined
  /** Ports of this server, which are never connected to on any address of this machine. */
  ownPorts?: readonly number[]
  /** The one name that is connected to somewhere else; no other rule applies to it. */
  redirect?: Redirect
}

/** A host and port that lead to another address, chosen by the program itself. */
export interface Redirect {
  host: string
  port: number
  /** A Unix socket, or a host and port. */
  target: { path: string } | { host: string; port: number }
}

/** Finds the addresses of a host, at least one. Errors: those of the operating system. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The time for a whole connect, including name resolution. */
const CONNECT_TIMEOUT_MS = 10_000

/** One address, before the next one is tried. */
const ATTEMPT_TIMEOUT_MS = 3000

const HOST_CHARACTERS_MAX = 253

/**
 * Characters that no host has. The `%` of a zone selects an interface, which only link-local addresses need.
 */
const FOREIGN_CHARACTERS = /[\s\p{Cc}/\\@?#%]/u

/** Creates the dialer of a process. Errors: an invalid entry of `allowed`. */
export function newDialer(rules: DialRules, resolve: Resolve = resolveBySystem): Dialer {
  const judge = newJudge(rules, resolve)
  return { rules, socket: () => new CheckedSocket(judge, rules.redirect) }
}

/** Returns what is wrong with an entry of the allowed hosts and ranges; undefined if it is valid. */
export function problemOfAllowed(entry: string): string | undefined {
  if (isRange(entry) || isHostName(hostNameOf(entry))) return undefined
  return `${entry} is neither a host name nor an address nor a range like 10.0.0.0/8`
}

/** Returns the addresses that may be connected to. Errors: DialRefused; those of the resolver. */
type Judge = (host: string, port: number) => Promise<Dialled[]>

interface Dialled {
  address: string
  family: 4 | 6
}

class CheckedSocket extends Socket {
  readonly #judge: Judge
  readonly #redirect: Redirect | undefined

  constructor(judge: Judge, redirect: Redirect | undefined) {
    super()
    this.#judge = judge
    this.#redirect = redirect
  }

  // Accepts every overload of the base class, and rejects those without a host and a port.
  override connect(...parts: unknown[]): this {
    const { host, port, listener } = targetOf(parts)
    if (host === undefined || port === undefined) {
      return this.destroy(new DialRefused('Only a host and a port can be connected to'))
    }
    const timer = setTimeout(() => {
      this.destroy(
        Object.assign(new Error(`no connection within ${CONNECT_TIMEOUT_MS} ms`), {
          code: 'ETIMEDOUT',
        }),
      )
    }, CONNECT_TIMEOUT_MS)
    this.once('connect', () => clearTimeout(timer))
    this.once('close', () => clearTimeout(timer))
    if (host === this.#redirect?.host && port === this.#redirect.port) {
      return super.connect({ ...this.#redirect.target }, listener)
    }
    return super.connect(
      {
        // Not the host itself: the base class looks no address up, and would not ask about it.
        host: 'checked.invalid',
        port,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
        lookup: (_name, _options, answer) => {
          this.#judge(host, port).then(
            (addresses) => answer(null, addresses),
            (error: unknown) => answer(errorOf(error), []),
          )
        },
      },
      listener,
    )
  }
}

interface Target {
  host?: string
  port?: number
  listener?: () => void
}

/** Reads `connect(port, host, listener)`, `connect(port, listener)` and `connect({ port, host }, listener)`. */
function targetOf(parts: readonly unknown[]): Target {
  const [first] = parts
  const listener = parts.find((part) => typeof part === 'function')
  const given =
    typeof first === 'object' && first !== null ? first : { port: first, host: parts[1] }
  const host = 'host' in given && typeof given.host === 'string' ? given.host : 'localhost'
  const port = 'port' in given ? portOf(given.port) : undefined
  const isPath = 'path' in given && given.path !== undefined
  return {
    ...(port === undefined || isPath ? {} : { host, port }),
    ...(listener === undefined ? {} : { listener: () => Reflect.apply(listener, undefined, []) }),
  }
}

function portOf(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535
  return isPort ? port : undefined
}

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function newJudge(rules: DialRules, resolve: Resolve): Judge {
  const problems = rules.allowed.flatMap((entry) => problemOfAllowed(entry) ?? [])
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const ranges = rules.allowed.flatMap((entry) => parseRange(entry) ?? [])
  const names = new Set(rules.allowed.filter((entry) => !isRange(entry)).map(hostNameOf))
  return async (given, port) => {
    const host = given.replace(/^\[(.*)\]$/, '$1')
    assertHost(host)
    const addresses = (await resolve(host)).map(addressOf)
    if (addresses.length === 0) throw new DialRefused(`${host} has no address`)
    const isAllowed = rules.privateAddresses === 'allow' || names.has(hostNameOf(host))
    for (const { parsed } of addresses) assertAllowed(host, parsed, isAllowed, ranges)
    const parsed = addresses.map((each) => each.parsed)
    if (rules.ownPorts?.includes(port) === true) assertNotThisMachine(host, parsed)
    if (rules.ownStore?.port === port) {
      await assertNotOwnStore(host, parsed, rules.ownStore.host, resolve)
    }
    return addresses.map(({ dialled }) => dialled)
  }
}

function assertHost(host: string): void {
  const isUsable =
    host !== '' && host.length <= HOST_CHARACTERS_MAX && !/[\s\p{Cc}/\\@]/u.test(host)
  if (!isUsable) throw new DialRefused('The host is neither a host name nor an address')
}

/** A zone selects an interface of this machine; only link-local addresses need one. */
function addressOf(text: string): { parsed: Address; dialled: Dialled } {
  const parsed = parseAddress(text)
  if (parsed === undefined || text.includes('%')) {
    throw new DialRefused('The host has an address that cannot be read')
  }
  return { parsed, dialled: { address: text, family: text.includes(':') ? 6 : 4 } }
}

/** One forbidden address rejects the host, so that a name cannot choose among its addresses. */
function assertAllowed(
  host: string,
  address: Address,
  isAllowed: boolean,
  ranges: readonly AddressRange[],
): void {
  for (const form of formsOf(address)) {
    const kind = kindOf(form)
    if (kind === 'forbidden') {
      throw new DialRefused(`${host} leads to an address that is never connected to`)
    }
    if (kind === 'special' && !isAllowed && !ranges.some((range) => isWithin(form, range))) {
      throw new DialRefused(
        `${host} leads to a private address, which the operator of this server has not allowed. See PORTBOOK_PRIVATE_SOURCES and PORTBOOK_PRIVATE_SOURCES_ALLOWED`,
      )
    }
  }
}

function assertNotThisMachine(host: string, addresses: readonly Address[]): void {
  const isLocal = newLocalCheck()
  if (addresses.flatMap(formsOf).some(isLocal)) {
    throw new DialRefused(`${host} leads to a port of this server itself, which is no source`)
  }
}

async function assertNotOwnStore(
  host: string,
  addresses: readonly Address[],
  ownHost: string,
  resolve: Resolve,
): Promise<void> {
  // A socket path is on this machine, and the server behind it may also listen on addresses.
  const isPath = ownHost === '' || /^(?:\/|%2f)/i.test(ownHost)
  const own = isPath ? [] : (await resolve(ownHost)).flatMap((text) => parseAddress(text) ?? [])
  const isLocal = newLocalCheck()
  const isOwn = (one: Address) => own.some((other) => isSameAddress(one, other))
  const isOwnLocal = isPath || own.some(isLocal)
  const forms = addresses.flatMap(formsOf)
  if (forms.some((form) => isOwn(form) || (isOwnLocal && isLocal(form)))) {
    throw new DialRefused(`${host} leads to the store of this server, which is no source`)
  }
}

/** Returns a check whether an address belongs to this machine, by its current interfaces. */
function newLocalCheck(): (address: Address) => boolean {
  const local = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => parseAddress(address) ?? [])
  return (address) => isLoopback(address) || local.some((other) => isSameAddress(address, other))
}

function isRange(entry: string): boolean {
  return parseRange(entry) !== undefined
}

/** Returns a name in the form in which names are compared: ASCII, lower case, without the final dot. */
function hostNameOf(name: string): string {
  // The conversion would ignore what follows a host in a URL.
  return FOREIGN_CHARACTERS.test(name) ? '' : domainToASCII(name).replace(/\.$/, '')
}

// A name whose last label is a number is an address in an unusual notation (URL standard, 3.5).
function isHostName(name: string): boolean {
  const labels = name.split('.')
  return (
    name.length <= HOST_CHARACTERS_MAX &&
    labels.every((label) => /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/.test(label)) &&
    !/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')
  )
}

async function resolveBySystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
