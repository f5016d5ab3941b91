import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

/** Encrypts and decrypts secrets with one key: AES-256-GCM, bound to the location of the secret. */
export interface SecretBox {
  /** Identifies the key without revealing it: 8 hexadecimal characters. */
  keyId: string
  seal(secret: string, belongsTo: string): Buffer
  /** Decrypts a secret. Errors: if it was sealed with another key, for another location, or was changed. */
  open(sealed: Buffer, belongsTo: string): string
}

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Generates a key, in the form that `parseEncryptionKey` accepts. */
export function newEncryptionKey(): string {
  return randomBytes(KEY_BYTES).toString('base64')
}

/** Parses a key of 32 bytes in base64 or hexadecimal. Returns undefined if it is invalid. */
export function parseEncryptionKey(text: string): Buffer | undefined {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(trimmed)) return undefined
  const key = Buffer.from(trimmed, 'base64')
  return key.length === KEY_BYTES ? key : undefined
}

/** Creates a secret box for a key of 32 bytes. */
export function secretBox(key: Buffer): SecretBox {
  return {
    keyId: createHash('sha256').update(key).digest('hex').slice(0, 8),
    seal(secret, belongsTo) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(belongsTo))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open(sealed, belongsTo) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(belongsTo)).setAuthTag(tag)
      const text = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
  }
}
