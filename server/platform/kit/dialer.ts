import { lookup } from 'node:dns/promises'
import { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { domainToASCII } from 'node:url'
import {
  listEmbeddedAddresses,
  isLoopback,
  isSameAddress,
  isWithin,
  classifyAddress,
  parseAddress,
  parseRange,
  type Address,
  type AddressRange,
} from './address.ts'
import { withoutSlot } from './held-slot.ts'
import { untilAborted } from './signals.ts'

/** Opens all outgoing connections, only to allowed addresses. */
export interface Dialer {
  /** The rules as plain data, from which a process that reads a source creates its own dialer. */
  readonly rules: DialRules
  /**
   * Creates an unconnected socket, which drivers accept as their stream. Its `connect(port, host)` resolves the
   * host once, checks every address and connects to a checked one; a forbidden address destroys it with a
   * DialRefused before anything is sent.
   *
   * Errors, as its event `error`: DialRefused; those of the operating system with their code, such as
   * `ENOTFOUND` and `ECONNREFUSED`; `ETIMEDOUT` after ten seconds.
   */
  socket(): Socket
  /**
   * Resolves a host and checks whether a connection would be allowed now. A request holds no slot until the answer or
   * the abort of the signal, and holds one again afterwards. Errors: DialRefused; those of the operating system if the
   * host cannot be resolved; the reason of an aborted signal.
   */
  check(host: string, port: number, signal: AbortSignal): Promise<void>
}

/** An error of a forbidden address. Its message contains no secret. */
export class DialRefused extends Error {
  override readonly name = 'DialRefused'
}

/** The operator's rules for outgoing connections. */
export interface DialRules {
  privateAddresses: 'allow' | 'deny'
  /** Hosts and address ranges that are allowed regardless: `db.internal`, `10.0.0.0/8`. */
  allowed: readonly string[]
  /** The sentence after the refusal of a private address; absent = it names the settings of sources. */
  advice?: string
  /** The database of this process, which is never allowed. An empty host or a path is this machine. */
  ownStore: { host: string; port: number } | undefined
  /** Ports of this server, which are never allowed on any address of this machine. */
  ownPorts?: readonly number[]
  /** A redirected host and port, to which no other rule applies. */
  redirect?: Redirect
}

/** A host and port that the program itself redirects to another address. */
export interface Redirect {
  host: string
  port: number
  /** A Unix socket, or a host and port. */
  target: { path: string } | { host: string; port: number }
}

/** Returns the addresses of a host, at least one. Errors: those of the operating system. */
export type Resolve = (host: string) => Promise<readonly string[]>

/** The timeout of a connection, including the DNS lookup. */
const CONNECT_TIMEOUT_MS = 10_000

/** The timeout of one address before the next is tried. */
const ATTEMPT_TIMEOUT_MS = 3000

const SOURCE_ADVICE = 'See PORTBOOK_PRIVATE_SOURCES and PORTBOOK_PRIVATE_SOURCES_ALLOWED'

const HOST_CHARACTERS_MAX = 253

/** Characters that are invalid in a host. `%` selects an interface, which only link-local addresses need. */
const FOREIGN_CHARACTERS = /[\s\p{Cc}/\\@?#%]/u

/** Creates a dialer. Errors: if an entry of `allowed` is invalid. */
export function newDialer(rules: DialRules, resolve: Resolve = resolveBySystem): Dialer {
  const check = newChecker(rules, resolve)
  return {
    rules,
    socket: () => new CheckedSocket(check, rules.redirect),
    async check(host, port, signal) {
      await withoutSlot(() => untilAborted(check(host, port), signal))
    },
  }
}

/** Returns why an entry of the allowed hosts and ranges is invalid; undefined = it is valid. */
export function validateAllowedHost(entry: string): string | undefined {
  if (isRange(entry) || isHostName(normalizeHostName(entry))) return undefined
  return `${entry} is not a host name, an address or a range like 10.0.0.0/8`
}

/**
 * Returns whether the operator allows a host regardless of the general rule: its name is listed, or it is a private
 * address, with or without brackets, in a listed range.
 */
export function isListedHost({ allowed }: DialRules, host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  const { ranges, names } = splitAllowed(allowed)
  const address = parseAddress(bare)
  if (address === undefined) return names.has(normalizeHostName(bare))
  return listEmbeddedAddresses(address).some(
    (form) => classifyAddress(form) === 'special' && ranges.some((range) => isWithin(form, range)),
  )
}

function splitAllowed(allowed: readonly string[]): { ranges: AddressRange[]; names: Set<string> } {
  const ranges = allowed.flatMap((entry) => parseRange(entry) ?? [])
  return {
    ranges,
    names: new Set(allowed.filter((entry) => !isRange(entry)).map(normalizeHostName)),
  }
}

/** Resolves a host and checks all of its addresses. Errors: DialRefused; those of the resolver. */
type Checker = (host: string, port: number) => Promise<DialAddress[]>

interface DialAddress {
  address: string
  family: 4 | 6
}

class CheckedSocket extends Socket {
  readonly #check: Checker
  readonly #redirect: Redirect | undefined

  constructor(check: Checker, redirect: Redirect | undefined) {
    super()
    this.#check = check
    this.#redirect = redirect
  }

  // Accepts all overloads of the base class, and rejects calls without host and port.
  override connect(...parts: unknown[]): this {
    const { host, port, listener } = parseTarget(parts)
    if (host === undefined || port === undefined) {
      return this.destroy(new DialRefused('Connections need a host and a port'))
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
        // Not the host itself: the base class would not call `lookup` for an address.
        host: 'checked.invalid',
        port,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
        lookup: (_name, _options, answer) => {
          this.#check(host, port).then(
            (addresses) => answer(null, addresses),
            (error: unknown) => answer(toError(error), []),
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

/** Parses `connect(port, host, listener)`, `connect(port, listener)` and `connect({ port, host }, listener)`. */
function parseTarget(parts: readonly unknown[]): Target {
  const [first] = parts
  const listener = parts.find((part) => typeof part === 'function')
  const given =
    typeof first === 'object' && first !== null ? first : { port: first, host: parts[1] }
  const host = 'host' in given && typeof given.host === 'string' ? given.host : 'localhost'
  const port = 'port' in given ? parsePort(given.port) : undefined
  const isPath = 'path' in given && given.path !== undefined
  return {
    ...(port === undefined || isPath ? {} : { host, port }),
    ...(listener === undefined ? {} : { listener: () => Reflect.apply(listener, undefined, []) }),
  }
}

function parsePort(value: unknown): number | undefined {
  const port = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value
  const isPort = typeof port === 'number' && Number.isInteger(port) && port > 0 && port <= 65_535
  return isPort ? port : undefined
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

function newChecker(rules: DialRules, resolve: Resolve): Checker {
  const problems = rules.allowed.flatMap((entry) => validateAllowedHost(entry) ?? [])
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const { ranges, names } = splitAllowed(rules.allowed)
  const { advice = SOURCE_ADVICE } = rules
  return async (given, port) => {
    const host = given.replace(/^\[(.*)\]$/, '$1')
    assertHost(host)
    const addresses = (await resolve(host)).map(parseResolvedAddress)
    if (addresses.length === 0) throw new DialRefused(`${host} has no address`)
    const isAllowed = rules.privateAddresses === 'allow' || names.has(normalizeHostName(host))
    for (const { parsed } of addresses) assertAllowed(host, parsed, isAllowed, { ranges, advice })
    const parsed = addresses.map((each) => each.parsed)
    if (rules.ownPorts?.includes(port) === true) assertNotThisMachine(host, parsed)
    if (rules.ownStore?.port === port) {
      await assertNotOwnStore(host, parsed, rules.ownStore.host, resolve)
    }
    return addresses.map(({ dialAddress }) => dialAddress)
  }
}

function assertHost(host: string): void {
  const isUsable =
    host !== '' && host.length <= HOST_CHARACTERS_MAX && !/[\s\p{Cc}/\\@]/u.test(host)
  if (!isUsable) throw new DialRefused('The host is not a host name or an address')
}

/** Parses a resolved address. Zones are rejected: only link-local addresses need one. */
function parseResolvedAddress(text: string): { parsed: Address; dialAddress: DialAddress } {
  const parsed = parseAddress(text)
  if (parsed === undefined || text.includes('%')) {
    throw new DialRefused('The host resolves to an invalid address')
  }
  return { parsed, dialAddress: { address: text, family: text.includes(':') ? 6 : 4 } }
}

/** Throws if an address is not allowed. One such address rejects the host with all its addresses. */
function assertAllowed(
  host: string,
  address: Address,
  isAllowed: boolean,
  { ranges, advice }: { ranges: readonly AddressRange[]; advice: string },
): void {
  for (const form of listEmbeddedAddresses(address)) {
    const kind = classifyAddress(form)
    if (kind === 'forbidden') {
      throw new DialRefused(`${host} resolves to an address that is never allowed`)
    }
    if (kind === 'special' && !isAllowed && !ranges.some((range) => isWithin(form, range))) {
      throw new DialRefused(
        `${host} resolves to a private address, which the operator of this server has not allowed. ${advice}`,
      )
    }
  }
}

function assertNotThisMachine(host: string, addresses: readonly Address[]): void {
  const isLocal = newLocalCheck()
  if (addresses.flatMap(listEmbeddedAddresses).some(isLocal)) {
    throw new DialRefused(`${host} resolves to a port of this server, which cannot be a source`)
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
  const forms = addresses.flatMap(listEmbeddedAddresses)
  if (forms.some((form) => isOwn(form) || (isOwnLocal && isLocal(form)))) {
    throw new DialRefused(
      `${host} resolves to the database of this server, which cannot be a source`,
    )
  }
}

/** Returns a function that checks whether an address is one of this machine's current interfaces. */
function newLocalCheck(): (address: Address) => boolean {
  const local = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .flatMap(({ address }) => parseAddress(address) ?? [])
  return (address) => isLoopback(address) || local.some((other) => isSameAddress(address, other))
}

function isRange(entry: string): boolean {
  return parseRange(entry) !== undefined
}

/** Normalizes a name for comparison: to ASCII, in lower case, without a trailing dot. */
function normalizeHostName(name: string): string {
  // The conversion ignores anything that follows a host in a URL.
  return FOREIGN_CHARACTERS.test(name) ? '' : domainToASCII(name).replace(/\.$/, '')
}

// A name whose last label is a number is an address in a non-standard notation: the URL standard, 3.5.
function isHostName(name: string): boolean {
  const labels = name.split('.')
  return (
    name.length <= HOST_CHARACTERS_MAX &&
    labels.every((label) => /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/.test(label)) &&
    !/^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')
  )
}

async function resolveBySystem(host: string): Promise<string[]> {
  const addresses = await lookup(host, { all: true })
  return addresses.map(({ address }) => address)
}
