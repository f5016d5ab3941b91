import { domainToASCII } from 'node:url'
import { z } from '@hono/zod-openapi'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * A mail domain of an organization: `velmora.example`. Once it is verified, the addresses of a provider in it count as
 * those of the organization's people. Subdomains are domains of their own.
 */

/** The maximum number of domains of an organization. */
export const DOMAINS_MAX = 50

/** The proofs that verify a domain. */
const DOMAIN_PROOFS = ['dns', 'operator', 'only-organization'] as const

/** A domain of an organization. */
export interface MailDomain {
  domain: string
  /** The value of its TXT record. */
  challenge: string
  verifiedAt: Instant | null
  proof: (typeof DOMAIN_PROOFS)[number] | null
  createdAt: Instant
}

const DOMAIN_CHARACTERS_MAX = 253
const LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/

/**
 * Returns a domain in lower case and ASCII, without a dot at its end: `Größe.Example.` is `xn--gre-6ka8i.example`. Returns
 * undefined for other texts, for names without a dot and for addresses of numbers.
 */
export function toMailDomain(given: string): string | undefined {
  const name = given.trim()
  if (name === '' || name.length > DOMAIN_CHARACTERS_MAX || /[\s\p{Cc}/\\@?#%:[\]]/u.test(name)) {
    return undefined
  }
  const domain = domainToASCII(name).toLowerCase().replace(/\.$/, '')
  const labels = domain.split('.')
  const isName = labels.length > 1 && domain.length <= DOMAIN_CHARACTERS_MAX
  // A name whose last label is a number is an address.
  const isNumeric = /^(?:\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? '')
  return isName && !isNumeric && labels.every((label) => LABEL.test(label)) ? domain : undefined
}

/** Returns the domain of an e-mail address in the same form; undefined = it has none. */
export function findDomainOfAddress(email: string): string | undefined {
  const at = email.lastIndexOf('@')
  return at < 1 ? undefined : toMailDomain(email.slice(at + 1))
}

/** Returns the name of the TXT record of a domain. */
export function toRecordName(domain: string): string {
  return `_portbook.${domain}`
}

/** Returns the text of the TXT record with a challenge. */
export function toRecordText(challenge: string): string {
  return `portbook-domain=${challenge}`
}

const instant = z.string().openapi({ format: 'date-time' })

/** The answer about a domain. */
export const domainAnswer = z
  .object({
    domain: z.string(),
    recordName: z.string().openapi({ description: 'The name of the TXT record that verifies it' }),
    recordText: z.string().openapi({ description: 'The text of the TXT record' }),
    verifiedAt: instant.nullable(),
    proof: z.enum(DOMAIN_PROOFS).nullable().openapi({
      description:
        'only-organization = the organization was the only one of the installation: another one with a proof takes the domain',
    }),
    createdAt: instant,
  })
  .openapi('MailDomain')

/** The domains of an organization. */
export const domainsAnswer = z
  .object({ domains: z.array(domainAnswer).max(DOMAINS_MAX), max: z.int() })
  .openapi('MailDomains')

/** A domain in a form, which becomes lower case and ASCII. */
export const mailDomain = z.string().transform((given, context) => {
  const domain = toMailDomain(given)
  if (domain !== undefined) return domain
  context.addIssue('must be a domain like example.com')
  return z.NEVER
})

/** The form of a new domain. */
export const domainForm = z.strictObject({ domain: mailDomain })

/** Returns the answer about a domain. */
export function toDomainAnswer({ challenge, ...domain }: MailDomain): z.infer<typeof domainAnswer> {
  return {
    ...domain,
    recordName: toRecordName(domain.domain),
    recordText: toRecordText(challenge),
  }
}
