import { X509Certificate } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { shortName } from '../users/user.ts'
import { DOMAINS_MAX, mailDomain } from './domain.ts'
import {
  CLIENT_AUTHENTICATIONS,
  EMAIL_TRUSTS,
  JOIN_RULES,
  SUBJECT_CLAIMS,
  type ProviderSettings,
} from './provider.ts'

/** The maximum size of a form in bytes: mostly its certificates. */
export const PROVIDER_FORM_BYTES_MAX = 64 * 1024

const ISSUER_CHARACTERS_MAX = 500
const CLIENT_ID_CHARACTERS_MAX = 255
const SECRET_CHARACTERS_MAX = 2048
const CLAIM_CHARACTERS_MAX = 200
const AUTHORITY_CHARACTERS_MAX = 32 * 1024
const CERTIFICATES_MAX = 10
const SESSION_HOURS_MAX = 168

/** The hosts of Microsoft's clouds at which an issuer begins with the tenant. */
const MICROSOFT_HOSTS: ReadonlySet<string> = new Set([
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'login.windows.net',
  'sts.windows.net',
])

/** The addresses of Microsoft that are not a tenant: every organization, or private accounts, sign in there. */
const SHARED_TENANTS: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers'])

/** Adds the problem of a text, if it has one, as an issue of a schema. */
function withCheck(schema: z.ZodString, findProblem: (text: string) => string | undefined) {
  return schema.superRefine((text, context) => {
    const message = findProblem(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
}

function text(charactersMax: number) {
  return z
    .string()
    .min(1, 'must not be empty')
    .max(charactersMax, `must have at most ${charactersMax} characters`)
    .regex(/^\P{Cc}*$/u, 'must not contain control characters or line breaks')
    .regex(/^(?!\s).*(?<!\s)$/u, 'must not begin or end with a space')
}

const authority = withCheck(
  z
    .string()
    .max(AUTHORITY_CHARACTERS_MAX, `must have at most ${AUTHORITY_CHARACTERS_MAX} characters`),
  findAuthorityProblem,
)

// A provider lists verified domains of its organization, so it has no more than that.
const domains = z
  .array(mailDomain)
  .max(DOMAINS_MAX, `must be at most ${DOMAINS_MAX} domains`)
  .transform((all) => [...new Set(all)].toSorted())

/** The fields that a connection to a provider needs. */
export const CONNECTION_FIELDS = {
  issuer: withCheck(text(ISSUER_CHARACTERS_MAX), findIssuerProblem),
  clientId: text(CLIENT_ID_CHARACTERS_MAX),
  clientAuthentication: z.enum(CLIENT_AUTHENTICATIONS),
  clientSecret: text(SECRET_CHARACTERS_MAX).optional().openapi({
    description: 'Absent = the secret stays as it is. It is never returned',
  }),
  authority: authority.nullable(),
}

const FIELDS = {
  name: shortName,
  ...CONNECTION_FIELDS,
  subjectClaim: z.enum(SUBJECT_CLAIMS),
  emailTrust: z.enum(EMAIL_TRUSTS),
  domains,
  joinRule: z.enum(JOIN_RULES),
  groupsClaim: text(CLAIM_CHARACTERS_MAX).nullable(),
  sessionHours: z
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(SESSION_HOURS_MAX, `must be at most ${SESSION_HOURS_MAX}`),
  signsOut: z.boolean(),
  enabled: z.boolean(),
}

/** Adds the issues of fields that do not fit each other. */
function checkTogether(
  form: Omit<ProviderSettings, 'name' | 'enabled'> & { clientSecret?: string | undefined },
  context: z.RefinementCtx,
): void {
  const add = (field: string, message: string): void => {
    context.addIssue({ code: 'custom', path: [field], message })
  }
  if (form.clientAuthentication === 'none' && form.clientSecret !== undefined) {
    add('clientSecret', 'must be left out if the client authenticates without a secret')
  }
  if (form.joinRule === 'groups' && form.groupsClaim === null) {
    add('groupsClaim', 'is needed if members of certain groups may join')
  }
  if (form.domains.length > 0) return
  if (form.joinRule !== 'invited') {
    add('domains', 'must name at least one domain if people may join without an invitation')
  }
  if (form.emailTrust === 'provider') {
    add('domains', 'must name at least one domain if the addresses of the provider are trusted')
  }
}

/** The form of a new provider. `id` and `proof` are those of a draft. */
export const newProviderForm = z
  .strictObject({ ...FIELDS, id: z.uuid().optional(), proof: z.string().max(200).optional() })
  .superRefine(checkTogether)
  .openapi('NewIdentityProvider')

/** The form to replace a provider. */
export const providerForm = z
  .strictObject({
    ...FIELDS,
    confirmedLinkCount: z.int().optional().openapi({
      description:
        'The number of links that the change removes, as the person has confirmed it: a new issuer, client id or authentication removes all',
    }),
  })
  .superRefine(checkTogether)
  .openapi('IdentityProviderChange')

/** A form of a provider. */
export type ProviderForm = z.infer<typeof providerForm>

/** The form of a new provider. */
export type NewProviderForm = z.infer<typeof newProviderForm>

/** Returns why a text cannot be an issuer, as a clause after its name; undefined = it can. */
function findIssuerProblem(issuer: string): string | undefined {
  if (/[<>{}]/.test(issuer)) return 'still has a placeholder. Replace it'
  const url = /^https?:\/\/[^\s\\|^`"]+$/i.test(issuer) ? URL.parse(issuer) : null
  if (url === null) return 'must be an address like https://id.example.com'
  if (url.username !== '' || url.password !== '') return 'must not contain a user or a password'
  if (issuer.includes('?') || issuer.includes('#')) return 'must not have a query or a fragment'
  if (issuer.includes('/.well-known/')) {
    return 'must be the address before /.well-known/openid-configuration'
  }
  const [, tenant = ''] = url.pathname.split('/')
  if (MICROSOFT_HOSTS.has(url.hostname) && SHARED_TENANTS.has(tenant.toLowerCase())) {
    return `must name your tenant: with "${tenant}" accounts of every organization could sign in. Use https://${url.hostname}/<tenant id>/v2.0`
  }
  return undefined
}

/** Returns why a text cannot be an authority, as a clause after its name; undefined = it can. */
function findAuthorityProblem(pem: string): string | undefined {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem)) return 'must not contain a private key'
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) return 'must be certificates in PEM, -----BEGIN CERTIFICATE-----'
  if (blocks.length > CERTIFICATES_MAX) return `must be at most ${CERTIFICATES_MAX} certificates`
  const invalid = blocks.findIndex((block) => !isCertificate(block))
  return invalid === -1 ? undefined : `has an invalid certificate, the ${invalid + 1}. one`
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
