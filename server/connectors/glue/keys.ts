import { SourceFailure, type Setup } from '../connector.ts'
import type { GlueConfiguration } from './configuration.ts'

/** A key that signs requests. */
export interface AwsKey {
  accessKeyId: string
  secretAccessKey: string
  /** Only temporary keys have one. */
  sessionToken?: string
}

/** A temporary key. */
export interface IssuedKey {
  key: AwsKey
  lifetimeSeconds: number
  /** On the monotonic clock: when it was requested. */
  issuedAtMs: number
}

/** The source of the key that signs the next request. */
export interface KeySource {
  /** Returns a key that has not expired. Errors: SourceFailure auth, and those of the transport. */
  get(): Promise<AwsKey>
  /** Called if AWS rejected a key as expired; returns false if no other key is available. */
  renew(rejected: AwsKey): boolean
}

/** A key is renewed this long before it expires, or when a tenth of its lifetime is left. */
const RENEWAL_MS = 60_000

/** Creates the source of a key that cannot be renewed. */
export function newFixedKey(key: AwsKey): KeySource {
  return { get: async () => key, renew: () => false }
}

/** Creates a source that requests a key before the first use, and another before it expires. */
export function newTemporaryKeys(request: () => Promise<IssuedKey>): KeySource {
  let current: { key: AwsKey; renewAtMs: number } | undefined
  // Concurrent requests that need a key wait for the same one.
  let requested: Promise<AwsKey> | undefined
  const renew = async (): Promise<AwsKey> => {
    try {
      const issued = await request()
      current = { key: issued.key, renewAtMs: getRenewalTime(issued) }
      return issued.key
    } finally {
      requested = undefined
    }
  }
  return {
    async get() {
      if (current !== undefined && performance.now() < current.renewAtMs) return current.key
      return await (requested ??= renew())
    },
    renew(rejected) {
      // Another request may have renewed the key already.
      if (current?.key === rejected) current = undefined
      return true
    },
  }
}

function getRenewalTime({ lifetimeSeconds, issuedAtMs }: IssuedKey): number {
  const lifetimeMs = lifetimeSeconds * 1000
  return issuedAtMs + Math.max(lifetimeMs - RENEWAL_MS, lifetimeMs * 0.9)
}

/** Returns the configured key. Errors: SourceFailure auth, without the secrets. */
export function readKey({ accessKeyId }: GlueConfiguration, secrets: Setup['secrets']): AwsKey {
  const secretAccessKey = secrets['secretAccessKey']?.trim() ?? ''
  const sessionToken = secrets['sessionToken']?.trim() ?? ''
  // A header cannot contain other characters; the error of the platform would repeat the token.
  if (!/^[\x21-\x7E]+$/.test(secretAccessKey)) {
    throw new SourceFailure('auth', 'The secret access key is missing or has invalid characters')
  }
  if (!/^[\x21-\x7E]*$/.test(sessionToken)) {
    throw new SourceFailure('auth', 'The session token has invalid characters')
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken === '' ? {} : { sessionToken }) }
}
