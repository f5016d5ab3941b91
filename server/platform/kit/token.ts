import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_BYTES = 32
// 62^43 is the first power of 62 above 2^256, and 62^6 the first above 2^32.
const RANDOM_CHARACTERS = 43
const CHECKSUM_CHARACTERS = 6

/**
 * Generates a secret: the prefix, 32 random bytes in base62 (43 characters) and the CRC-32 of both in base62
 * (6 characters). Scanners can find leaked tokens by it, and typos are detected without a database query.
 */
export function newToken(prefix: string): string {
  const random = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
  return withChecksum(prefix + base62(random, RANDOM_CHARACTERS))
}

/** Returns whether a text has the format and checksum of a token with this prefix. */
export function isToken(text: string, prefix: string): boolean {
  if (text.length !== prefix.length + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS) return false
  if (!text.startsWith(prefix)) return false
  return text === withChecksum(text.slice(0, -CHECKSUM_CHARACTERS))
}

/** Returns the SHA-256 of a token. Only this hash is stored. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function withChecksum(text: string): string {
  return text + base62(BigInt(crc32(text)), CHECKSUM_CHARACTERS)
}

function base62(value: bigint, length: number): string {
  let rest = value
  let digits = ''
  while (digits.length < length) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits
    rest /= 62n
  }
  return digits
}
