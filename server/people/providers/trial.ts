import { z } from '@hono/zod-openapi'
import { CONNECTION_FIELDS } from './provider-form.ts'

/**
 * A test of a provider: the steps of a sign-in that need no person, in their order. A step that fails ends the test,
 * because those after it depend on it.
 */

/** The steps of a test. */
export const TRIAL_STEPS = [
  'address',
  'host',
  'certificate',
  'discovery',
  'issuer',
  'endpoints',
  'code',
  'keys',
  'secret',
  'redirect',
] as const

/** A step of a test. */
export type TrialStep = (typeof TRIAL_STEPS)[number]

/** The remedy of each step that fails. */
export const REMEDIES: Readonly<Record<TrialStep, string>> = {
  address:
    'Use an address that begins with https. For a provider in your own network, ask the operator of this server to list its host in PORTBOOK_IDENTITY_ALLOWED.',
  host: 'Check the spelling of the issuer, and whether a firewall lets this server reach it.',
  certificate:
    'If your own authority signed the certificate of the provider, enter the certificate of the authority here. Otherwise renew the certificate at the provider.',
  discovery:
    'Copy the issuer from the provider once more. With /.well-known/openid-configuration behind it, a browser must show a JSON document.',
  issuer: 'Copy the issuer from the provider exactly.',
  redirect: 'Register this redirect address at the provider.',
  endpoints: 'Correct the public address in the configuration of the provider.',
  code: 'Allow the authorization code flow with PKCE (S256) for this application at the provider.',
  keys: 'Give the provider a signing key for RS256 or ES256, and let it sign ID tokens with it.',
  secret: 'Create a new client secret at the provider, and enter it here with the client id.',
}

/** The result of a step: a sentence with the cause, and the remedy if there is something to do. */
export interface TrialFinding {
  step: TrialStep
  /** `unsure` = the answer of the provider proves nothing; `skipped` = it was not tried. */
  state: 'passed' | 'failed' | 'unsure' | 'skipped'
  sentence: string
  /** Null = nothing is to do. */
  remedy: string | null
}

/** The form of a test: a draft, or the stored settings of a provider. */
export const trialForm = z
  .strictObject({
    id: z.uuid().openapi({ description: 'The id of the provider or of the draft' }),
    connection: z.strictObject(CONNECTION_FIELDS).optional().openapi({
      description:
        'The settings to test; absent = the stored ones. Without a client secret, the stored one is used if it may be sent there',
    }),
  })
  .openapi('IdentityProviderTest')

/** The form of a test. */
export type TrialForm = z.infer<typeof trialForm>

/** The result of a test: a finding for each step. */
export const trialAnswer = z
  .object({
    findings: z
      .array(
        z.object({
          step: z.enum(TRIAL_STEPS),
          state: z.enum(['passed', 'failed', 'unsure', 'skipped']),
          sentence: z.string(),
          remedy: z.string().nullable(),
        }),
      )
      .length(TRIAL_STEPS.length),
    redirectAddress: z.string(),
  })
  .openapi('IdentityProviderTestResult')

/** Returns a finding without a remedy. */
export function find(
  step: TrialStep,
  state: TrialFinding['state'],
  sentence: string,
): TrialFinding {
  return { step, state, sentence, remedy: null }
}

/** Returns the finding of a step that passed. */
export function pass(step: TrialStep, sentence: string): TrialFinding {
  return find(step, 'passed', sentence)
}
