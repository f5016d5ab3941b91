/**
 * The public keys with which issuers sign tokens. Each process has its own copies, and fetches them when they are needed:
 * a rotated key is found without a restart, and an issuer that is away for a while does not stop sign-ins.
 */

import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  jwksCache,
  type JSONWebKeySet,
  type JWKSCacheInput,
  type JWTVerifyGetKey,
} from 'jose'
import type { Dialer } from './dialer.ts'
import { withoutSlot } from './held-slot.ts'
import { HttpFailure } from './http-client.ts'
import {
  IDENTITY_LIMITS,
  newIdentityFetch,
  type IdentityFetch,
  type IdentityLimits,
} from './identity-fetch.ts'

/** The limits of the keys of an issuer. */
interface KeySetLimits extends IdentityLimits {
  /** After this time, the keys are fetched again. A key that was withdrawn counts for at most this time. */
  freshMs: number
  /** An unknown key, or an issuer that is away, causes at most one fetch in this time. */
  coolDownMs: number
  /** If an issuer is away, its last keys count for this time. */
  lastGoodMs: number
}

/** A fetch, of the discovery document and the keys together, has the time of one request. */
const LIMITS: KeySetLimits = {
  ...IDENTITY_LIMITS,
  freshMs: 10 * 60_000,
  coolDownMs: 30_000,
  lastGoodMs: 24 * 3_600_000,
}

const KEYS_MAX = 100

/** The number of issuers whose keys a process keeps. */
const ISSUERS_MAX = 1000

const DISCOVERY_PATH = '/.well-known/openid-configuration'

/** The origin of the keys of an issuer. */
type KeyOrigin =
  /** The discovery document at the issuer's address names the address of the keys. */
  | { kind: 'discovery' }
  | { kind: 'address'; address: string }
  /** The keys themselves, for issuers that this server cannot reach. */
  | { kind: 'inline'; jwks: unknown }

/** A stored issuer whose keys are needed. */
export interface KeySource {
  /** The id of its row. */
  id: string
  /** The version of its row: a change of the row drops its keys. */
  version: number
  issuer: string
  origin: KeyOrigin
  /** Certificates in PEM that are trusted for this issuer, too. */
  authority: string | undefined
}

/**
 * Returns the key of an issuer that verifies a token. Errors: KeySetFailure; `JWKSNoMatchingKey` of jose if the issuer
 * has no such key, `JWKSMultipleMatchingKeys` if the token names none of several.
 */
export type KeySet = JWTVerifyGetKey

/** The keys of all issuers in this process. */
export interface KeySets {
  /** Returns the keys of an issuer, which are fetched on first use. */
  get(source: KeySource): KeySet
}

/** An error of an issuer whose keys are not available. Its message is a sentence for people, and contains no secret. */
export class KeySetFailure extends Error {
  override readonly name = 'KeySetFailure'
  /** `unreachable`: the issuer did not answer; `invalid`: its answer is not usable. */
  readonly kind: 'unreachable' | 'invalid'

  constructor(kind: KeySetFailure['kind'], message: string, cause?: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

/** Creates the keys of all issuers, without fetching any. */
export function newKeySets(dialer: Dialer, limits: Partial<KeySetLimits> = {}): KeySets {
  const effective = { ...LIMITS, ...limits }
  const sets = new Map<string, KeySet>()
  return {
    get(source) {
      const name = JSON.stringify([source.id, source.version, source.issuer])
      const set = sets.get(name) ?? openKeySet(source, dialer, effective)
      // The first of the map is the one whose last use is the longest ago.
      sets.delete(name)
      sets.set(name, set)
      const [oldest] = sets.keys()
      if (sets.size > ISSUERS_MAX && oldest !== undefined) sets.delete(oldest)
      return set
    },
  }
}

/** A fetched key set as jose stores it: `uat` is the instant of the fetch in milliseconds. Empty before the first. */
type FetchedKeys = JWKSCacheInput & { uat?: number; jwks?: JSONWebKeySet }

function openKeySet(source: KeySource, dialer: Dialer, limits: KeySetLimits): KeySet {
  const { origin, issuer, authority } = source
  if (origin.kind === 'inline') return newInlineKeySet(issuer, origin.jwks)
  const send = newIdentityFetch(dialer, authority, limits)
  const last: FetchedKeys = {}
  const findLast = async (error: KeySetFailure, ...token: Parameters<KeySet>) => {
    if (Date.now() - (last.uat ?? -Infinity) >= limits.lastGoodMs) throw error
    return await findLastKey(last.jwks, error, token)
  }
  let failure: { error: KeySetFailure; at: number } | undefined
  const fetched = createRemoteJWKSet(new URL(issuer), {
    cacheMaxAge: limits.freshMs,
    cooldownDuration: limits.coolDownMs,
    timeoutDuration: limits.requestMs,
    [jwksCache]: last,
    // jose shares one fetch among all that wait for it. The address that it passes is the issuer's.
    [customFetch]: async (_address, { signal }) => {
      try {
        const jwks = await fetchKeys(source, send, signal)
        failure = undefined
        return Response.json(jwks)
      } catch (error) {
        failure = { error: toFailure(issuer, error), at: Date.now() }
        throw failure.error
      }
    },
  })
  return async (header, token) => {
    const isCoolingDown = failure !== undefined && Date.now() - failure.at < limits.coolDownMs
    if (failure !== undefined && isCoolingDown) {
      return await findLast(failure.error, header, token)
    }
    try {
      // One request fetches for all that wait, so none of these may keep the slot that it needs to go on.
      const key = await withoutSlot(async () => await fetched(header, token))
      assertNamed(header, last.jwks)
      return key
    } catch (error) {
      if (error instanceof KeySetFailure) return await findLast(error, header, token)
      throw error
    }
  }
}

function newInlineKeySet(issuer: string, jwks: unknown): KeySet {
  return async (header, token) => {
    const keys = toKeySet(issuer, jwks)
    const key = await createLocalJWKSet(keys)(header, token)
    assertNamed(header, keys)
    return key
  }
}

/**
 * Returns a key of the last set while the issuer is away. A key that it does not have may be a new one, so that the
 * failure of the fetch is the error.
 */
async function findLastKey(
  jwks: JSONWebKeySet | undefined,
  failure: KeySetFailure,
  token: Parameters<KeySet>,
): Promise<Awaited<ReturnType<KeySet>>> {
  if (jwks === undefined) throw failure
  try {
    const key = await createLocalJWKSet(jwks)(...token)
    assertNamed(token[0], jwks)
    return key
  } catch (error) {
    throw error instanceof errors.JWKSNoMatchingKey ? failure : error
  }
}

/** Throws if a token names no key although the issuer has several. Errors: JWKSMultipleMatchingKeys. */
function assertNamed({ kid }: Parameters<KeySet>[0], jwks: JSONWebKeySet | undefined): void {
  const signing = jwks?.keys.filter(({ use }) => use !== 'enc') ?? []
  if (kid === undefined && signing.length > 1) throw new errors.JWKSMultipleMatchingKeys()
}

/** Fetches the keys of an issuer. Errors: KeySetFailure, HttpFailure. */
async function fetchKeys(
  { issuer, origin }: KeySource,
  send: IdentityFetch,
  signal: AbortSignal,
): Promise<JSONWebKeySet> {
  const address =
    origin.kind === 'address' ? origin.address : await discoverKeys(issuer, send, signal)
  return toKeySet(issuer, await fetchDocument(address, send, signal))
}

/**
 * Returns the address of an issuer's keys: OpenID Connect Discovery 1.0, section 4. Errors: KeySetFailure, HttpFailure.
 */
async function discoverKeys(
  issuer: string,
  send: IdentityFetch,
  signal: AbortSignal,
): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}${DISCOVERY_PATH}`
  const document = await fetchDocument(address, send, signal)
  if (readMember(document, 'issuer') !== issuer) {
    throw new KeySetFailure('invalid', `The discovery document of ${issuer} names another issuer`)
  }
  const keys = readMember(document, 'jwks_uri')
  if (typeof keys === 'string' && URL.canParse(keys)) return keys
  throw new KeySetFailure('invalid', `The discovery document of ${issuer} has no jwks_uri`)
}

async function fetchDocument(
  address: string,
  send: IdentityFetch,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await send(address, { headers: { accept: 'application/json' }, signal })
  const { host, pathname } = new URL(address)
  if (response.status !== 200) {
    const problem = `${host} answered ${response.status} for ${pathname}`
    throw new KeySetFailure(response.status >= 500 ? 'unreachable' : 'invalid', problem)
  }
  try {
    return await response.json()
  } catch (error) {
    throw new KeySetFailure('invalid', `${host} answered no JSON for ${pathname}`, error)
  }
}

/** Returns a key set as it is if it is usable: RFC 7517, section 5. Errors: KeySetFailure. */
function toKeySet(issuer: string, value: unknown): JSONWebKeySet {
  const keys = readMember(value, 'keys')
  const fail = (problem: string) =>
    new KeySetFailure('invalid', `The key set of ${issuer} ${problem}`)
  if (!Array.isArray(keys) || !keys.every(isObject)) throw fail('is not a list of keys')
  if (keys.length === 0) throw fail('is empty')
  if (keys.length > KEYS_MAX) throw fail(`has more than ${KEYS_MAX} keys`)
  if (keys.some((key) => Object.hasOwn(key, 'd') || Object.hasOwn(key, 'k'))) {
    throw fail('contains a private key')
  }
  return { keys }
}

function toFailure(issuer: string, error: unknown): KeySetFailure {
  if (error instanceof KeySetFailure) return error
  const isAway =
    !(error instanceof HttpFailure) || !/^(?:refused|redirect|too_large)$/.test(error.kind)
  const message =
    error instanceof HttpFailure && error.kind !== 'cancelled' ? `: ${error.message}` : ' in time'
  return new KeySetFailure(
    isAway ? 'unreachable' : 'invalid',
    `The keys of ${issuer} cannot be fetched${message}`,
    error,
  )
}

function readMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
