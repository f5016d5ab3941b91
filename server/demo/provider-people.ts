import { toAddress } from './people.ts'

/**
 * The people of the OpenID provider of the demo. The provider has no passwords: a visitor of its page chooses one of
 * them, which is why it serves only this machine.
 */

/** A person of the provider of the demo. */
export interface ProviderPerson {
  /** The claim `sub`. */
  subject: string
  name: string
  email: string
  groups: readonly string[]
  /** The result of signing in as them, as the page of the provider describes it. */
  outcome: string
}

/** The groups of the provider. Only the first is mapped to a role. */
export const PROVIDER_GROUPS = {
  mapped: 'Terminal Operations',
  unmapped: 'Network Planning',
} as const

/** The people that the page of the provider offers. */
export const PROVIDER_PEOPLE: readonly ProviderPerson[] = [
  {
    subject: 'd7a2f1c4',
    name: 'Henrike Vossberg',
    email: toAddress('henrike.vossberg'),
    groups: [PROVIDER_GROUPS.unmapped],
    outcome: 'Owns the organization: is linked to the account that she has already',
  },
  {
    subject: '5b90e36a',
    name: 'Nadia Farkas',
    email: toAddress('nadia.farkas'),
    groups: [PROVIDER_GROUPS.mapped],
    outcome: `Is new, and in the group ${PROVIDER_GROUPS.mapped}: becomes a member and an Editor of the team Terminals`,
  },
  {
    subject: 'e81c7d25',
    name: 'Levi Brandt',
    email: toAddress('levi.brandt'),
    groups: [PROVIDER_GROUPS.unmapped],
    outcome: `Is new, and in the group ${PROVIDER_GROUPS.unmapped}: is refused until an owner maps this group to a role`,
  },
]
