/**
 * Which person signs in: the first of these that fits. A known identity; the account that links one; an invitation; the
 * record of the directory with the same id; the member with the same verified address; a new member, if the rule of the
 * provider lets people join. Nothing looks up a person by an address in another organization.
 */

import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { claimInvitation } from '../organizations/invitation-service.ts'
import type { MemberRole } from '../organizations/member.ts'
import { toEmailKey } from '../users/user.ts'
import * as store from './identity-store.ts'
import type { IdentityProvider } from '../providers/provider.ts'
import { readDomain, type ClaimedPerson } from './sign-in-claims.ts'
import { SignInRefused } from './sign-in.ts'

/** A sign-in whose tokens are verified. */
interface MatchInput {
  provider: IdentityProvider
  person: ClaimedPerson
  /** The person who is signed in, for `link` and `confirm`; absent for a sign-in. */
  signedIn?: { kind: 'link' | 'confirm'; userId: string } | undefined
  /** The token of the invitation that the person accepts; undefined = none. */
  invitation?: string | undefined
}

/** The person of a sign-in. */
export type Match =
  /** A member with this identity. */
  | { outcome: 'known'; userId: string }
  /** A member who gets this identity: by their own request, by the directory, or by the address. */
  | { outcome: 'linked'; userId: string; by: 'person' | 'directory' | 'address' }
  /** A new member. */
  | { outcome: 'joined'; email: string; role: MemberRole; by: 'invitation' | 'rule' }

/** An address that counts as that of the person. */
interface VerifiedAddress {
  email: string
  /** Whether the provider lists its domain. */
  isListed: boolean
  /** Whether the provider lists its domain, and the organization has proved that it owns it. */
  isOwned: boolean
}

/**
 * Finds the person of a sign-in, or decides that a new member joins; an invitation that is accepted is used up. Errors:
 * SignInRefused.
 */
export async function matchPerson(db: Database, clock: Clock, input: MatchInput): Promise<Match> {
  const { provider, person, signedIn } = input
  const key = {
    organizationId: provider.organizationId,
    providerId: provider.id,
    subject: person.subject,
  }
  const identified = await store.findIdentity(db, key)
  if (identified !== undefined) return acceptIdentified(identified, input)
  if (signedIn !== undefined) {
    if (signedIn.kind === 'confirm') throw anotherPerson()
    const member = await store.findMember(db, { ...key, userId: signedIn.userId })
    return acceptLink(member, provider)
  }
  const address = await findVerifiedAddress(db, provider, person)
  const byAddress =
    address && (await store.findMemberByAddress(db, { ...key, email: address.email }))
  if (input.invitation !== undefined && byAddress === undefined) {
    return await acceptInvitation(db, clock, provider, { address, token: input.invitation })
  }
  const byDirectory = await store.findDirectoryMember(db, key)
  if (byDirectory !== undefined) return acceptCandidate(byDirectory, 'directory')
  if (address === undefined) throw unverified(person, provider)
  if (byAddress !== undefined) {
    if (address.isOwned) return acceptCandidate(byAddress, 'address')
    throw new SignInRefused(
      'provider_person_unknown',
      'member_not_linked',
      `Your account is not linked to ${provider.name} yet. Sign in in another way, and link it under Profile.`,
    )
  }
  return await acceptJoin(db, provider, person, address)
}

function acceptIdentified(
  { userId, isSuspended }: store.IdentifiedMember,
  { signedIn }: MatchInput,
): Match {
  if (signedIn !== undefined && signedIn.userId !== userId) {
    throw signedIn.kind === 'link' ? newTakenError('identity_of_another') : anotherPerson()
  }
  if (isSuspended) throw suspended()
  return { outcome: 'known', userId }
}

function acceptLink(member: store.Candidate | undefined, provider: IdentityProvider): Match {
  if (member === undefined) throw newUnknownError(provider)
  if (member.isSuspended) throw suspended()
  if (member.hasIdentityHere) throw newTakenError('person_has_another')
  return { outcome: 'linked', userId: member.userId, by: 'person' }
}

function acceptCandidate(member: store.Candidate, by: 'directory' | 'address'): Match {
  if (member.isSuspended) throw suspended()
  const isTaken = by === 'directory' ? member.hasIdentityHere : member.hasIdentity
  if (isTaken) throw newTakenError('person_has_another')
  return { outcome: 'linked', userId: member.userId, by }
}

async function acceptInvitation(
  db: Database,
  clock: Clock,
  provider: IdentityProvider,
  { address, token }: { address: VerifiedAddress | undefined; token: string },
): Promise<Match> {
  if (address === undefined) {
    throw new SignInRefused(
      'provider_email_unverified',
      'invitation_email_unverified',
      `${provider.name} does not confirm your e-mail address, so you cannot accept the invitation with it.`,
    )
  }
  const invitation = await claimInvitation(db, clock, token)
  if (invitation === undefined) {
    throw newInvitationError(
      'invitation_closed',
      'The invitation was used, replaced or revoked, or has expired. Ask for a new link.',
    )
  }
  // An error rolls back the transaction, so that the invitation stays open.
  if (invitation.organizationId !== provider.organizationId) {
    throw newInvitationError('invitation_elsewhere', 'The invitation is for another organization.')
  }
  if (toEmailKey(invitation.email) !== toEmailKey(address.email)) {
    throw newInvitationError(
      'invitation_of_another',
      'The invitation is for another e-mail address.',
    )
  }
  return { outcome: 'joined', email: address.email, role: invitation.role, by: 'invitation' }
}

async function acceptJoin(
  db: Database,
  provider: IdentityProvider,
  { groups }: ClaimedPerson,
  address: VerifiedAddress,
): Promise<Match> {
  const { organizationId, joinRule } = provider
  if (joinRule === 'invited') throw newUnknownError(provider)
  if (!address.isListed) {
    throw new SignInRefused(
      'provider_person_unknown',
      'domain_not_listed',
      `People with an e-mail address of your domain cannot join with ${provider.name}. Ask an owner of the organization for an invitation.`,
    )
  }
  if (joinRule === 'groups') {
    const roles = await store.listGroupRoles(db, organizationId, groups ?? [])
    if (roles.length === 0) throw withoutGroup(provider, groups === undefined)
  }
  return { outcome: 'joined', email: address.email, role: 'Member', by: 'rule' }
}

/**
 * Returns the address of a person if it counts as theirs: the provider states so, or it states nothing and is trusted for
 * the domains that the organization owns.
 */
export async function findVerifiedAddress(
  db: Database,
  { organizationId, domains, emailTrust }: IdentityProvider,
  { email, isEmailVerified }: ClaimedPerson,
): Promise<VerifiedAddress | undefined> {
  const domain = email === undefined ? undefined : readDomain(email)
  const isListed = domain !== undefined && domains.includes(domain)
  const isOwned = isListed && (await store.isDomainVerified(db, organizationId, domain))
  const isTrusted = isEmailVerified ?? (emailTrust === 'provider' && isOwned)
  return email !== undefined && isTrusted ? { email, isListed, isOwned } : undefined
}

function newInvitationError(reason: string, message: string): SignInRefused {
  return new SignInRefused('provider_person_unknown', reason, message)
}

function unverified({ email }: ClaimedPerson, { name }: IdentityProvider): SignInRefused {
  return email === undefined
    ? new SignInRefused(
        'provider_email_unverified',
        'email_missing',
        `${name} sent no e-mail address, so you cannot be recognized. Ask an owner of the organization.`,
      )
    : new SignInRefused(
        'provider_email_unverified',
        'email_unverified',
        `${name} does not confirm that your e-mail address belongs to you. Confirm it there, and start again.`,
      )
}

function withoutGroup({ name }: IdentityProvider, isUnknown: boolean): SignInRefused {
  return isUnknown
    ? new SignInRefused(
        'provider_group_missing',
        'groups_unknown',
        `You are in more groups than ${name} sends, so it is unknown whether one of them may join. Ask its administrator to send app roles instead of groups.`,
      )
    : new SignInRefused(
        'provider_group_missing',
        'group_missing',
        `None of your groups at ${name} may join the organization. Ask its administrator, or an owner of the organization.`,
      )
}

/** Creates the error for a person who is not a member and may not join. */
export function newUnknownError({ name }: Pick<IdentityProvider, 'name'>): SignInRefused {
  return new SignInRefused(
    'provider_person_unknown',
    'not_a_member',
    `${name} signed you in, but you are not a member of its organization here. Ask one of the owners for an invitation.`,
  )
}

function suspended(): SignInRefused {
  return new SignInRefused(
    'member_suspended',
    'suspended',
    'Your account is suspended in this organization. Ask one of its owners.',
  )
}

/** Creates the error for an identity, or a person, with another link. */
export function newTakenError(reason: 'identity_of_another' | 'person_has_another'): SignInRefused {
  return new SignInRefused(
    'identity_taken',
    reason,
    reason === 'identity_of_another'
      ? 'This account at the identity provider is linked to another person here. Sign in there with your own account, or sign in here as that person.'
      : 'Your account here is already linked to another account at an identity provider. Sign in with that one, or remove the link under Profile.',
  )
}

function anotherPerson(): SignInRefused {
  return new SignInRefused(
    'identity_taken',
    'another_person',
    'You signed in at the identity provider as another person than here. Start again with your own account.',
  )
}
