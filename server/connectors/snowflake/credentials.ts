import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { SourceFailure, type Setup } from '../connector.ts'
import { requestClientToken } from '../http/client-credentials.ts'
import {
  newRenewableCredentials,
  newTokenCredentials,
  toBearer,
  type Credentials,
} from '../http/credentials.ts'
import type { Transport } from '../http/transport.ts'
import { getAddress, getTokenAccount } from './account.ts'
import type { SnowflakeConfiguration } from './configuration.ts'

/** Creates the credentials of the configured authentication. Errors: SourceFailure auth. */
export function newCredentials(
  configuration: SnowflakeConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  const { authentication, account, user = '', clientId = '', scope, accountLocator } = configuration
  switch (authentication) {
    case 'keyPair': {
      const { privateKey = '', passphrase } = secrets
      return newKeyPairCredentials({ account, user, privateKey, passphrase })
    }
    case 'token':
      return newTokenCredentials((secrets['token'] ?? '').trim(), {
        [TOKEN_TYPE_HEADER]: 'PROGRAMMATIC_ACCESS_TOKEN',
      })
    case 'oauth': {
      const endpoint = new URL(configuration.tokenEndpoint ?? getAddress(configuration))
      const clientSecret = secrets['clientSecret'] ?? ''
      return newRenewableCredentials(async () => {
        const issued = await requestClientToken(
          { endpoint, clientId, clientSecret, scope },
          transport,
        )
        const headers = {
          ...issued.headers,
          [TOKEN_TYPE_HEADER]: 'OAUTH',
          // With OAuth, an address with the name of an organization does not determine the account.
          ...(accountLocator === undefined ? {} : { 'snowflake-account': accountLocator }),
        }
        return { ...issued, headers }
      })
    }
  }
}

/** The header that declares the kind of token. */
const TOKEN_TYPE_HEADER = 'x-snowflake-authorization-token-type'

// Snowflake accepts tokens that are valid for at most one hour. The clocks may differ slightly.
const LIFETIME_SECONDS = 3500
const CLOCK_DIFFERENCE_SECONDS = 30

const KEY_BITS_MIN = 2048

/** A user and the private key that signs its tokens. */
interface KeyPair {
  account: string
  user: string
  /** PKCS#8 in PEM. */
  privateKey: string
  passphrase: string | undefined
}

/**
 * Creates credentials that sign a token before the first request, and another before it expires.
 * Errors: SourceFailure auth if the key cannot be used.
 */
function newKeyPairCredentials(pair: KeyPair): Credentials {
  const key = readPrivateKey(pair)
  const subject = `${getTokenAccount(pair.account)}.${pair.user.toUpperCase()}`
  const issuer = `${subject}.${getFingerprint(key)}`
  return newRenewableCredentials(async () => {
    const issuedAtMs = performance.now()
    const nowSeconds = Math.floor(Date.now() / 1000)
    const expiresAtSeconds = nowSeconds + LIFETIME_SECONDS
    // Loaded on first use, as it is rarely needed.
    const { SignJWT } = await import('jose')
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(issuer)
      .setSubject(subject)
      .setIssuedAt(nowSeconds - CLOCK_DIFFERENCE_SECONDS)
      .setExpirationTime(expiresAtSeconds)
      .sign(key)
    const headers = { ...toBearer(token), [TOKEN_TYPE_HEADER]: 'KEYPAIR_JWT' }
    return { headers, lifetimeSeconds: LIFETIME_SECONDS, issuedAtMs }
  })
}

/** Returns the fingerprint of a public key, as DESCRIBE USER shows it. */
function getFingerprint(key: KeyObject): string {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return `SHA256:${createHash('sha256').update(der).digest('base64')}`
}

function readPrivateKey({ privateKey, passphrase }: KeyPair): KeyObject {
  let key: KeyObject
  try {
    key = createPrivateKey({
      key: privateKey.trim(),
      ...(passphrase === undefined ? {} : { passphrase }),
    })
  } catch (error) {
    throw new SourceFailure('auth', describeKeyError(privateKey, passphrase), { cause: error })
  }
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0
  if (key.asymmetricKeyType === 'rsa' && bits >= KEY_BITS_MIN) return key
  const message = `The private key is not an RSA key with at least ${KEY_BITS_MIN} bits`
  throw new SourceFailure('auth', message)
}

function describeKeyError(privateKey: string, passphrase: string | undefined): string {
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(privateKey)) {
    return 'The private key is not in PEM format: it must begin with -----BEGIN PRIVATE KEY----- or -----BEGIN ENCRYPTED PRIVATE KEY-----'
  }
  if (!privateKey.includes('ENCRYPTED')) return 'The private key is damaged or incomplete'
  return passphrase === undefined
    ? 'The private key is encrypted, and the passphrase is missing'
    : 'The private key cannot be decrypted with this passphrase'
}
