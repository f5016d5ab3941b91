import type { Services } from '../../requests/http/endpoint.ts'
import { getPerson } from '../users/service.ts'
import type { VerifiedClaims } from './exchange-service.ts'
import { listGroupRoles } from './identity-store.ts'
import { matchPerson, type Match } from './match-service.ts'
import type { OpenedProvider } from '../providers/provider.ts'
import { readPerson, type ClaimedPerson } from './sign-in-claims.ts'
import { SignInRefused, type TriedSignIn } from './sign-in.ts'

const CLAIMS_CHARACTERS_MAX = 20_000

const SENTENCES = {
  known: 'This person would be signed in.',
  linked: 'This member would be linked to the provider, and signed in.',
  joined: 'This person would become a new member, and would be signed in.',
} as const

/** Shows an owner what a sign-in of this person would do. Nothing is written. */
export async function trySignIn(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  provider: OpenedProvider,
  { subject, claims }: Pick<VerifiedClaims, 'subject' | 'claims'>,
): Promise<TriedSignIn> {
  const person = readPerson(subject, claims, provider)
  const result = await matchPerson(db, clock, { provider, person }).catch((error: unknown) => {
    if (error instanceof SignInRefused) return error
    throw error
  })
  const isRefused = result instanceof SignInRefused
  const account = isRefused ? undefined : await findAccount(db, result)
  return {
    claims: JSON.stringify(claims, null, 2).slice(0, CLAIMS_CHARACTERS_MAX),
    email: person.email ?? null,
    isEmailVerified: person.isEmailVerified === true,
    groups: toGroups(person),
    person: account ?? null,
    outcome: isRefused ? 'refused' : result.outcome,
    sentence: isRefused ? result.message : SENTENCES[result.outcome],
    roles: await listGroupRoles(db, provider.organizationId, person.groups ?? []),
  }
}

async function findAccount(
  db: Services['db'],
  match: Match,
): Promise<{ name: string; email: string } | undefined> {
  if (match.outcome === 'joined') return undefined
  const { name, email } = await getPerson(db, match.userId)
  return { name, email }
}

function toGroups({ groups }: ClaimedPerson): string[] | null {
  return groups === undefined ? null : [...groups]
}
