import type { Consumer, GrantedPort, MappedGrantee, PortAgreement } from './grants.ts'

/** The teams of people and data products. */
export interface PartyTeams {
  /** The teams in which people have a role, by user id, also those above a team. */
  teamsOfUsers: ReadonlyMap<string, ReadonlySet<string>>
  /** The owning teams of data products that are subjects, by product. */
  teamsOfProducts: ReadonlyMap<string, string>
}

/** The parties of agreements: a team and its data products act for each other, and people for their teams. */
export class Parties {
  readonly #teams: PartyTeams

  constructor(teams: PartyTeams) {
    this.#teams = teams
  }

  /** Returns whether an agreement is about a name of the platform. `either way` also counts its people as their team. */
  covers(
    agreement: PortAgreement,
    { consumer, agreementId }: MappedGrantee,
    direction: 'to agreement' | 'either way' = 'to agreement',
  ): boolean {
    if (agreementId === agreement.id || isSame(consumer, agreement.consumer)) return true
    const { consumerTeam } = agreement
    if (consumerTeam !== null) return this.#acts(consumer, consumerTeam)
    if (direction === 'to agreement' || consumer.kind === 'user') return false
    const team = this.#getTeam(consumer)
    return team !== undefined && this.#acts(agreement.consumer, team)
  }

  /** Returns whether a consumer acts for the provider of an output port. */
  provides({ providerTeam }: GrantedPort, consumer: Consumer): boolean {
    return this.#acts(consumer, providerTeam)
  }

  // Ids are unique for each kind only.
  #acts(consumer: Consumer, team: string): boolean {
    if (consumer.kind !== 'user') return this.#getTeam(consumer) === team
    return this.#teams.teamsOfUsers.get(consumer.id)?.has(team) === true
  }

  // Undefined for people, and for data products that do not exist any more.
  #getTeam({ kind, id }: Consumer): string | undefined {
    if (kind === 'team') return id
    return kind === 'data-product' ? this.#teams.teamsOfProducts.get(id) : undefined
  }
}

function isSame(one: Consumer, other: Consumer): boolean {
  return one.kind === other.kind && one.id === other.id
}
