import { z } from 'zod'

/**
 * The texts of fields, and the fields that connectors of databases share. Forms are generated from the JSON Schema
 * of a configuration: each field sets FieldTexts with `.meta()`.
 */

/** The rules by which a form shows a field or a secret. */
export interface FieldDisplay {
  /** The field applies only if another field has one of these values. */
  onlyWith?: { name: string; values: string[] }
  /** Whether the field is rarely needed and shown separately. */
  isRare?: boolean
  /** Whether the field is required when it applies. */
  isNeeded?: boolean
}

/** The texts of a field in a form. */
export interface FieldTexts extends FieldDisplay {
  title: string
  /** The hint below the field. */
  description?: string
  /** The first one is the placeholder. */
  examples?: string[]
  /** The titles of choices, by value. */
  choices?: Record<string, string>
}

/** The host of a server. Drivers would treat a path as a Unix socket. */
export const host = z
  .string()
  .max(253)
  .regex(/^[^\s/\\@?#[\]]+$/, 'must be a host name or address')
  .meta({
    title: 'Host',
    description: 'Name or address, reachable from this server.',
    examples: ['db.example.com'],
  } satisfies FieldTexts)

/** The texts of the user that reads. */
export const USER_TEXTS = {
  title: 'User',
  description: 'Use a separate user with read-only access.',
} satisfies FieldTexts

const pem = z
  .string()
  .max(100_000)
  .regex(/-----BEGIN [A-Z ]+-----/, 'must be in PEM format')
  .optional()
const PEM_TEXTS = { isRare: true, examples: ['-----BEGIN CERTIFICATE-----'] }

/**
 * Creates the field of the authority that signs the server's certificate. It defaults to the authorities that this
 * machine trusts.
 */
export function createCaField(onlyWith: FieldDisplay['onlyWith'] & {}) {
  return pem.meta({
    ...PEM_TEXTS,
    title: 'Certificate authority',
    description:
      'The authority that signed the certificate of the server, in PEM. Leave empty to use the authorities that this machine trusts.',
    onlyWith,
  } satisfies FieldTexts)
}

/** Creates the field of the client certificate, whose key is a secret. */
export function createClientCertificateField(onlyWith: FieldDisplay['onlyWith'] & {}) {
  return pem.meta({
    ...PEM_TEXTS,
    title: 'Client certificate',
    description: 'In PEM, if the server requires one. Its key is a secret.',
    onlyWith,
  } satisfies FieldTexts)
}

/** Whether views are read too. */
export const includeViews = z
  .boolean()
  .default(true)
  .meta({
    title: 'Include views',
    description: 'Includes their columns and definitions.',
  } satisfies FieldTexts)

/** The time after which a statement is cancelled. */
export const statementTimeoutMs = z
  .int()
  .min(1000)
  .max(3_600_000)
  .default(300_000)
  .meta({
    isRare: true,
    title: 'Statement timeout, in milliseconds',
    description: 'A statement that takes longer is cancelled.',
  } satisfies FieldTexts)
