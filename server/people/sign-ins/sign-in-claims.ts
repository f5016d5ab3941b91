import { TOLERANCE_S } from '../../platform/kit/token-claims.ts'
import { emailAddress, shortName } from '../users/user.ts'
import type { IdentityProvider } from '../providers/provider.ts'

/** The facts that a provider states about a person who signs in, read from the claims of its tokens. */

/** The maximum number of groups that are read. Providers that have more of them are asked for fewer. */
const GROUPS_MAX = 1000

/** The claims of an ID token or of the answer of the userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>

/** The groups of a person at the provider; undefined = the provider did not send them all. */
export type Groups = readonly string[] | undefined

/** A person as the provider describes them. */
export interface ClaimedPerson {
  subject: string
  /** A well-formed address, whether or not it is verified; undefined = none. */
  email: string | undefined
  /** Whether the provider states that the address belongs to the person; undefined = it states nothing. */
  isEmailVerified: boolean | undefined
  /** Undefined = none that can be shown. */
  name: string | undefined
  groups: Groups
}

/** Returns whether the claims lack what the userinfo endpoint may have: the address, or the groups. */
export function lacksClaims(claims: Claims, { groupsClaim }: IdentityProvider): boolean {
  if (readEmail(claims) === undefined) return true
  return groupsClaim !== null && !hasTooManyGroups(claims) && !hasGroups(claims, groupsClaim)
}

/** Returns the id of a person at the provider: `sub`, or the claim that the provider is configured with. */
export function readSubject(
  claims: Claims,
  { subjectClaim }: Pick<IdentityProvider, 'subjectClaim'>,
): string | undefined {
  const subject = getOwn(claims, subjectClaim)
  const isUsable = typeof subject === 'string' && subject !== '' && subject.length <= 255
  return isUsable ? subject : undefined
}

/** Reads the person of a sign-in. `preferred_username` and `upn` are no addresses, because people may choose them. */
export function readPerson(
  subject: string,
  claims: Claims,
  provider: Pick<IdentityProvider, 'groupsClaim'>,
): ClaimedPerson {
  return {
    subject,
    email: readEmail(claims),
    isEmailVerified: readVerification(getOwn(claims, 'email_verified')),
    name: readName(claims),
    groups: readGroups(claims, provider.groupsClaim),
  }
}

/**
 * Returns whether the person authenticated before an instant, by the claim `auth_time` (OpenID Connect Core 1.0, 2). Some
 * providers leave it out although `max_age` requires it; then nothing is known.
 */
export function wasAuthenticatedBefore(claims: Claims, instant: Date): boolean {
  const authenticatedAt = getOwn(claims, 'auth_time')
  if (typeof authenticatedAt !== 'number') return false
  return authenticatedAt + TOLERANCE_S < instant.getTime() / 1000
}

/**
 * Returns the domain of an address in lower case; undefined for one that is not written in ASCII, which no list of
 * domains has.
 */
export function readDomain(email: string): string | undefined {
  const domain = email.slice(email.lastIndexOf('@') + 1)
  return /^[\x21-\x7e]+$/.test(domain) ? domain.toLowerCase() : undefined
}

/**
 * Reads groups: the claim with the whole name, else the one at the path (`realm_access.roles`). A claim that is absent
 * means no groups. More than 1,000, or what is not a list of texts, means that they are unknown, as does the sign of
 * Entra ID for groups that do not fit into a token; the addresses in `_claim_sources` are never opened.
 */
function readGroups(claims: Claims, groupsClaim: string | null): Groups {
  if (groupsClaim === null) return []
  if (hasTooManyGroups(claims)) return undefined
  const value = findGroups(claims, groupsClaim)
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value) || value.length > GROUPS_MAX) return undefined
  const groups = value.filter((group): group is string => typeof group === 'string')
  return groups.length === value.length ? [...new Set(groups)] : undefined
}

/** Returns whether Entra ID states that a person has more groups than it sends. */
function hasTooManyGroups(claims: Claims): boolean {
  const names = getOwn(claims, '_claim_names')
  if (isObject(names) && getOwn(names, 'groups') !== undefined) return true
  const hasMore = getOwn(claims, 'hasgroups')
  return hasMore === true || hasMore === 'true'
}

function hasGroups(claims: Claims, groupsClaim: string): boolean {
  return findGroups(claims, groupsClaim) !== undefined
}

function findGroups(claims: Claims, groupsClaim: string): unknown {
  const whole = getOwn(claims, groupsClaim)
  if (whole !== undefined) return whole
  let value: unknown = claims
  for (const part of groupsClaim.split('.')) {
    if (!isObject(value)) return undefined
    value = getOwn(value, part)
  }
  return value
}

/** Reads the address of a person; undefined for one that could be taken for another. */
export function readEmail(claims: Claims): string | undefined {
  const { data } = emailAddress.safeParse(getOwn(claims, 'email'))
  return data === undefined || looksLikeAnother(data) ? undefined : data
}

// Some letters of other scripts have an ASCII letter as their lower case, such as the Kelvin sign. Addresses are compared
// in lower case, so that one with such a letter would be that of another person.
function looksLikeAnother(email: string): boolean {
  return (email.match(/[^\0-\x7f]/gu) ?? []).some((letter) =>
    /[\0-\x7f]/.test(letter.toLowerCase()),
  )
}

// Only `true` is a yes, not the text.
function readVerification(value: unknown): boolean | undefined {
  return value === undefined || value === null ? undefined : value === true
}

function readName(claims: Claims): string | undefined {
  const parts = [getOwn(claims, 'given_name'), getOwn(claims, 'family_name')]
  const combined = parts.filter((part) => typeof part === 'string').join(' ')
  for (const name of [getOwn(claims, 'name'), combined]) {
    const { data } = shortName.safeParse(name)
    if (data !== undefined) return data
  }
  return undefined
}

// Names of claims come from a setting, and `constructor` is one that every object inherits.
function getOwn(object: Claims, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
