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

/**
 * The titles of TLS modes, named after PostgreSQL's: the forms and messages of all sources use
 * them.
 */
export const TLS_TITLES = {
  off: 'Off',
  require: 'Require (no certificate check)',
  verifyCa: 'Require (verify-ca)',
  verifyFull: 'Require (verify-full)',
} as const

/** The title of the field that holds the TLS mode. */
export const TLS_FIELD_TITLE = 'Encryption'

/** The hint for a connection that is not encrypted, or a server whose identity is not verified. */
export const VERIFY_HINT = `Set ${TLS_FIELD_TITLE} to "${TLS_TITLES.verifyFull}" to protect the connection.`

/** The hint for a server that does not support TLS. */
export const NO_TLS_HINT = `Enable TLS on the server, or set ${TLS_FIELD_TITLE} to "${TLS_TITLES.off}".`

/** The title of the button that sets the TLS mode to `off`. */
export const TURN_OFF_TITLE = 'Turn encryption off'

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

/** Creates the field of a port with a default. */
export function createPortField(port: number, texts: Partial<FieldTexts> = {}) {
  return z
    .int()
    .min(1)
    .max(65_535)
    .default(port)
    .meta({ title: 'Port', ...texts })
}

/** Creates the field of the user that reads. */
export function createUserField(charactersMax: number) {
  return z.string().min(1).max(charactersMax).meta(USER_TEXTS)
}

/** The texts of the user that reads. */
export const USER_TEXTS = {
  title: 'User',
  description: 'Use a separate user with read-only access.',
} satisfies FieldTexts

/** Creates the field of a choice with a default, from the titles of its values. */
export function createChoiceField<Choice extends string>(
  preset: NoInfer<Choice>,
  choices: Readonly<Record<Choice, string>>,
  texts: Omit<FieldTexts, 'choices'>,
) {
  return z
    .enum(listChoices(choices))
    .default(preset)
    .meta({ ...texts, choices })
}

function listChoices<Choice extends string>(choices: Readonly<Record<Choice, string>>): Choice[]
function listChoices(choices: object): string[] {
  return Object.keys(choices)
}

/** Creates the field of a TLS mode. */
export function createTlsField<Mode extends string>(
  preset: NoInfer<Mode>,
  modes: Readonly<Record<Mode, string>>,
) {
  return createChoiceField(preset, modes, { title: TLS_FIELD_TITLE })
}

/** Creates a field that is on or off. */
export function createFlagField(preset: boolean, texts: FieldTexts) {
  return z
    .boolean()
    .default(preset)
    .meta({ ...texts })
}

const neededField = z.object({
  isNeeded: z.literal(true),
  onlyWith: z.object({ name: z.string(), values: z.array(z.string()) }),
})

/**
 * Creates a configuration from its fields, and checks that those are given that are needed with the values of
 * others: `isNeeded` and `onlyWith`.
 */
export function createConfiguration<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).superRefine((given, context) => {
    for (const [name, field] of Object.entries(shape)) {
      const { onlyWith } = neededField.safeParse(z.globalRegistry.get(field)).data ?? {}
      const choice = onlyWith?.values.find((value) => value === Reflect.get(given, onlyWith.name))
      if (choice === undefined || Reflect.get(given, name) !== undefined) continue
      context.addIssue({ code: 'custom', path: [name], message: `is needed for ${choice}` })
    }
  })
}

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
export const includeViews = createFlagField(true, {
  title: 'Include views',
  description: 'Includes their columns and definitions.',
})

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
