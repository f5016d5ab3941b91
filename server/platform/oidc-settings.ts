import { z } from 'zod'

/** An identity provider in the settings; its values are checked where providers are. */
export interface OidcSettings {
  issuer: string
  clientId: string
  /** Undefined = the client has no secret. */
  clientSecret: string | undefined
  /** The address of its organization; undefined = the only one. */
  organization: string | undefined
  name: string
  domains: readonly string[]
  joinRule: string
  groupsClaim: string | null
  emailTrust: string
  subjectClaim: string
}

/** The settings of an identity provider. */
export const OIDC_SHAPE = {
  PORTBOOK_OIDC_ISSUER: z.string().optional(),
  PORTBOOK_OIDC_CLIENT_ID: z.string().optional(),
  PORTBOOK_OIDC_CLIENT_SECRET: z.string().optional(),
  PORTBOOK_OIDC_ORGANIZATION: z.string().optional(),
  PORTBOOK_OIDC_NAME: z.string().default('Single sign-on'),
  PORTBOOK_OIDC_DOMAINS: z.string().default(''),
  PORTBOOK_OIDC_JOIN: z.string().default('invited'),
  PORTBOOK_OIDC_GROUPS_CLAIM: z.string().optional(),
  PORTBOOK_OIDC_EMAIL_TRUST: z.string().default('claim'),
  PORTBOOK_OIDC_SUBJECT_CLAIM: z.string().default('sub'),
}

const NEEDED = ['PORTBOOK_OIDC_ISSUER', 'PORTBOOK_OIDC_CLIENT_ID'] as const

/** Returns the identity provider of the settings; undefined = there is none. */
export function toOidc(values: z.infer<z.ZodObject<typeof OIDC_SHAPE>>): OidcSettings | undefined {
  const { PORTBOOK_OIDC_ISSUER: issuer, PORTBOOK_OIDC_CLIENT_ID: clientId } = values
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer,
    clientId,
    clientSecret: values.PORTBOOK_OIDC_CLIENT_SECRET,
    organization: values.PORTBOOK_OIDC_ORGANIZATION,
    name: values.PORTBOOK_OIDC_NAME,
    domains: values.PORTBOOK_OIDC_DOMAINS.split(/[\s,]+/).filter((part) => part !== ''),
    joinRule: values.PORTBOOK_OIDC_JOIN,
    groupsClaim: values.PORTBOOK_OIDC_GROUPS_CLAIM ?? null,
    emailTrust: values.PORTBOOK_OIDC_EMAIL_TRUST,
    subjectClaim: values.PORTBOOK_OIDC_SUBJECT_CLAIM,
  }
}

/** Returns the problems of settings of an identity provider that lacks others. */
export function findOidcConflicts(given: NodeJS.ProcessEnv): string[] {
  const [first] = Object.keys(given).filter((name) => name.startsWith('PORTBOOK_OIDC_'))
  const missing = NEEDED.filter((name) => given[name] === undefined)
  if (first === undefined || missing.length === 0) return []
  return [`${missing.join(' and ')} must also be set with ${first}`]
}
