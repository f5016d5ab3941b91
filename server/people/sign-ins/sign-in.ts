import { z } from '@hono/zod-openapi'
import { readCookie } from '../../requests/access/session.ts'
import type { ErrorCode } from '../../platform/error-codes.ts'
import { session } from '../organizations/signed-in.ts'

/**
 * A sign-in with an identity provider: the authorization code flow of OpenID Connect Core 1.0 (3.1) with PKCE (RFC 7636).
 * Between its start and its end, the browser holds the secret of a transaction.
 */

/** Strict: only requests of our own pages carry it. */
const TRANSACTION_COOKIE = '__Host-portbook-transaction'

/** The prefix of the secret of a transaction. */
export const TRANSACTION_PREFIX = 'pbt_'

/** The life of a transaction in seconds. */
export const TRANSACTION_SECONDS = 10 * 60

/** A person may link an identity within this time after signing in. */
export const RECENT_SIGN_IN_SECONDS = 5 * 60

const QUERY_CHARACTERS_MAX = 8000
const PATH_CHARACTERS_MAX = 2000
const INVITATION_CHARACTERS_MAX = 200

/**
 * The purpose of a transaction: a session; an identity for the account that is signed in; the look of an owner at what a
 * sign-in would do; or the proof that the person is still there.
 */
export type TransactionKind = 'sign-in' | 'link' | 'try' | 'confirm'

/** The codes of a sign-in that failed. */
type SignInCode = Extract<
  ErrorCode,
  | 'transaction_lost'
  | 'identity_taken'
  | 'member_suspended'
  | 'managed_by_provider'
  | `provider_${string}`
>

/**
 * A failed sign-in. The message is a sentence for the person; the reason, and the explanation for owners, are for the log
 * and the page of the provider. None contains a secret or an address.
 */
export class SignInRefused extends Error {
  override readonly name = 'SignInRefused'
  readonly code: SignInCode
  readonly reason: string
  /** The details for owners; absent = the message. */
  readonly explanation: string

  constructor(code: SignInCode, reason: string, message: string, explanation = message) {
    super(message)
    this.code = code
    this.reason = reason
    this.explanation = explanation
  }
}

/** The filter of the ways to sign in. */
export const optionsQuery = z.object({
  email: z.string().optional().openapi({ description: 'The address of the person' }),
  organization: z
    .string()
    .optional()
    .openapi({ description: 'The vanity address of an organization' }),
})

/** The ways to sign in. */
export const signInOptions = z
  .object({
    password: z
      .boolean()
      .openapi({ description: 'Whether the rule of the organization allows passwords' }),
    passkeys: z.boolean(),
    asksAddress: z.boolean().openapi({
      description:
        'Whether the providers depend on the address of the person, which the request lacks',
    }),
    providers: z.array(z.object({ id: z.uuid(), name: z.string(), organizationName: z.string() })),
  })
  .openapi('SignInOptions')

/** The ways to sign in. */
export type SignInOptions = z.infer<typeof signInOptions>

/** The form to start a sign-in. */
export const startForm = z.strictObject({
  providerId: z.uuid(),
  next: z.string().max(PATH_CHARACTERS_MAX, 'is too long').openapi({
    description: 'The page to open afterwards; other sites are replaced by the home page',
  }),
  invitation: z
    .string()
    .max(INVITATION_CHARACTERS_MAX, 'is too long')
    .optional()
    .openapi({ description: 'The token of an invitation that the person accepts' }),
})

/** The form to start a sign-in of a person who is signed in. */
export const nextForm = startForm.pick({ next: true })

/** A started sign-in: the address of the provider to open. */
export const startedSignIn = z.object({ url: z.string() }).openapi('StartedSignIn')

/** The form to finish a sign-in. */
export const finishForm = z.strictObject({
  providerId: z.string().max(64, 'is too long'),
  query: z
    .string()
    .max(QUERY_CHARACTERS_MAX, 'is too long')
    .openapi({ description: 'The query with which the provider opened the page' }),
})

/** The result that a sign-in of a person would have, for owners. */
const triedSignIn = z
  .object({
    claims: z
      .string()
      .openapi({ description: 'The claims of the ID token and of the userinfo endpoint, as JSON' }),
    email: z.string().nullable(),
    isEmailVerified: z.boolean(),
    groups: z
      .array(z.string())
      .nullable()
      .openapi({ description: 'null = the provider did not send them all' }),
    person: z.object({ name: z.string(), email: z.string() }).nullable(),
    outcome: z
      .enum(['known', 'linked', 'joined', 'refused'])
      .openapi({ description: 'What the sign-in of this person would do' }),
    sentence: z.string(),
    roles: z.array(
      z.object({
        group: z.string(),
        team: z.string().nullable().openapi({ description: 'null = owner of the organization' }),
        role: z.string(),
      }),
    ),
  })
  .openapi('TriedSignIn')

/** The result that a sign-in of a person would have. */
export type TriedSignIn = z.infer<typeof triedSignIn>

/** A finished sign-in. */
export const finishedSignIn = z
  .object({
    kind: z.enum(['sign-in', 'link', 'try', 'confirm']),
    next: z.string().openapi({ description: 'The page to open' }),
    session: session
      .nullable()
      .openapi({ description: 'The new session; null = none was started' }),
    tried: triedSignIn.nullable(),
  })
  .openapi('FinishedSignIn')

/** Returns the headers that give a browser the secret of its transaction. */
export function transactionHeaders(secret: string): Record<string, string> {
  return {
    'set-cookie': `${TRANSACTION_COOKIE}=${secret}; Path=/; Max-Age=${TRANSACTION_SECONDS}; Secure; HttpOnly; SameSite=Strict`,
  }
}

/** Returns the secret of the transaction that a request carries; undefined = none. */
export function readTransactionSecret(headers: Headers): string | undefined {
  return readCookie(headers, TRANSACTION_COOKIE)
}
