import {
  FINDINGS_MAX,
  GRACE_HOURS,
  type Consumer,
  type FindingFacts,
  type GrantedPort,
  type GroupReading,
  type MappedGrantee,
  type NewFinding,
  type PortAgreement,
  type PortKey,
  type TableGroup,
} from './grants.ts'

/** Everything that the grants of an integration are compared with. */
interface GrantComparison {
  ports: readonly GrantedPort[]
  groups: readonly TableGroup[]
  readings: readonly GroupReading[]
  grantees: readonly MappedGrantee[]
  agreements: readonly PortAgreement[]
  /** The teams in which people have a role, by user id, also those above a team. */
  teamsOfUsers: ReadonlyMap<string, ReadonlySet<string>>
  /** The owning teams of data products that are subjects, by product. */
  teamsOfProducts: ReadonlyMap<string, string>
  /** The time after which the platform shows a grant. */
  delayHours: number
}

/** The result of a comparison. */
export interface ComparisonResult {
  findings: NewFinding[]
  /** Active agreements of which incomplete readings show no grant: an open finding stays, a new one does not open. */
  undecidedAgreements: string[]
}

/** Returns the deviations of grants from agreements. Nothing is concluded from names that are not mapped. */
export function compareGrants(comparison: GrantComparison): ComparisonResult {
  const world = new World(comparison)
  const findings = new FindingSet()
  for (const reading of comparison.readings) {
    for (const finding of world.judge(reading)) findings.add(finding)
  }
  const undecidedAgreements: string[] = []
  for (const agreement of comparison.agreements) {
    const finding = world.judgeAgreement(agreement)
    if (finding === 'undecided') undecidedAgreements.push(agreement.id)
    else if (finding !== undefined) findings.add(finding)
  }
  return { findings: findings.list(), undecidedAgreements }
}

class World {
  readonly #comparison: GrantComparison
  readonly #ports: ReadonlyMap<string, GrantedPort>
  readonly #agreements: ReadonlyMap<string, readonly PortAgreement[]>
  readonly #grantees: ReadonlyMap<string, MappedGrantee>

  constructor(comparison: GrantComparison) {
    this.#comparison = comparison
    this.#ports = new Map(comparison.ports.map((port) => [toPortKey(port), port]))
    this.#agreements = Map.groupBy(comparison.agreements, toPortKey)
    this.#grantees = new Map(
      comparison.grantees.map((grantee) => [toGranteeKey(grantee.kind, grantee.name), grantee]),
    )
  }

  /** Judges what a grantee may do with a group of tables. */
  judge(reading: GroupReading): NewFinding[] {
    const ports = this.#comparison.groups[reading.group]?.ports ?? []
    if (reading.granteeKind === 'public') return ports.map((port) => toPublicFinding(port, reading))
    const grantee = this.#grantees.get(toGranteeKey(reading.granteeKind, reading.granteeName))
    // Administrators read everything by their position, which no agreement is about.
    if (grantee === undefined || reading.isAdministrator) return []
    const active = ports.flatMap((port) => this.#findActive(port, grantee) ?? [])
    if (active.length > 0) {
      return isWide(reading)
        ? active.map((one) => toFinding('wider_than_agreed', one, reading))
        : []
    }
    if (reading.ownCount === 0) return []
    if (ports.some((port) => this.#provides(port, grantee.consumer))) return []
    const ended = ports.flatMap((port) => this.#findEnded(port, grantee) ?? [])
    if (ended.length > 0) {
      return ended
        .filter(({ endedHours }) => endedHours !== null && endedHours > GRACE_HOURS)
        .map((one) => toFinding('still_granted', one, reading))
    }
    const { consumer } = grantee
    return ports.map((port) =>
      toFinding('granted_without_agreement', { ...port, consumer, id: null }, reading),
    )
  }

  /** Judges whether an active agreement is granted. Undefined = it is, or it need not be yet, or its consumer has no name. */
  judgeAgreement(agreement: PortAgreement): NewFinding | 'undecided' | undefined {
    const port = this.#ports.get(toPortKey(agreement))
    if (agreement.state !== 'active' || port === undefined) return undefined
    const isMapped = this.#comparison.grantees.some(
      ({ consumer, agreementId }) =>
        agreementId === agreement.id || isSame(consumer, agreement.consumer),
    )
    if (!isMapped || !this.#isDue(agreement) || this.#hasPath(agreement)) return undefined
    if (!port.isWhole || !port.isComplete) return 'undecided'
    const tableCount = this.#comparison.groups
      .filter(({ ports }) => ports.some((one) => isSamePort(one, agreement)))
      .reduce((sum, { paths }) => sum + paths.length, 0)
    return {
      kind: 'agreement_without_grant',
      productId: agreement.productId,
      portId: agreement.portId,
      granteeKind: '',
      granteeName: '',
      consumer: agreement.consumer,
      agreementId: agreement.id,
      facts: { tableCount },
    }
  }

  #isDue({ activeHours, provisionedHours }: PortAgreement): boolean {
    const { delayHours } = this.#comparison
    if (provisionedHours !== null && provisionedHours > delayHours) return true
    return activeHours !== null && activeHours > GRACE_HOURS + delayHours
  }

  // Everyone who belongs to the consumer and reads is a path, so that nothing is invented. To write is not to read.
  #hasPath(agreement: PortAgreement): boolean {
    const { readings, groups } = this.#comparison
    return readings.some(({ group, granteeKind, granteeName, tableCount }) => {
      if (tableCount === 0) return false
      const isOfPort = groups[group]?.ports.some((one) => isSamePort(one, agreement)) === true
      if (!isOfPort) return false
      if (granteeKind === 'public') return true
      const grantee = this.#grantees.get(toGranteeKey(granteeKind, granteeName))
      return grantee !== undefined && this.#covers(agreement, grantee, 'either way')
    })
  }

  #findActive(port: PortKey, grantee: MappedGrantee): PortAgreement | undefined {
    const agreements = this.#agreements.get(toPortKey(port)) ?? []
    return agreements.find((one) => one.state === 'active' && this.#covers(one, grantee))
  }

  // The one that ended last.
  #findEnded(port: PortKey, grantee: MappedGrantee): PortAgreement | undefined {
    const agreements = this.#agreements.get(toPortKey(port)) ?? []
    return agreements
      .filter((one) => one.state === 'ended' && this.#covers(one, grantee))
      .toSorted((a, b) => (a.endedHours ?? 0) - (b.endedHours ?? 0))[0]
  }

  // A team and the data products that it owns act for each other, and people for their teams. `either way` also counts
  // the people of an agreement as their team.
  #covers(
    agreement: PortAgreement,
    { consumer, agreementId }: MappedGrantee,
    direction: 'to agreement' | 'either way' = 'to agreement',
  ): boolean {
    if (agreementId === agreement.id || isSame(consumer, agreement.consumer)) return true
    const { teamsOfUsers } = this.#comparison
    const { consumerTeam } = agreement
    const team = this.#getTeam(consumer)
    if (consumerTeam !== null) {
      if (team !== undefined) return team === consumerTeam
      return teamsOfUsers.get(consumer.id)?.has(consumerTeam) === true
    }
    if (direction === 'to agreement' || team === undefined) return false
    return teamsOfUsers.get(agreement.consumer.id)?.has(team) === true
  }

  #provides(key: PortKey, consumer: Consumer): boolean {
    const port = this.#ports.get(toPortKey(key))
    if (port === undefined) return false
    const team = this.#getTeam(consumer)
    if (team !== undefined) return team === port.providerTeam
    return this.#comparison.teamsOfUsers.get(consumer.id)?.has(port.providerTeam) === true
  }

  // Undefined for people, and for data products that do not exist any more.
  #getTeam({ kind, id }: Consumer): string | undefined {
    if (kind === 'team') return id
    return kind === 'data-product' ? this.#comparison.teamsOfProducts.get(id) : undefined
  }
}

/** Findings by their key: those of several groups of tables are one. */
class FindingSet {
  readonly #findings = new Map<string, NewFinding>()

  add(finding: NewFinding): void {
    const key = toFindingKey(finding)
    const known = this.#findings.get(key)
    if (known === undefined) this.#findings.set(key, finding)
    else this.#findings.set(key, { ...known, facts: mergeFacts(known.facts, finding.facts) })
  }

  // The first ones of each port: an order that does not change keeps them.
  list(): NewFinding[] {
    const sorted = [...this.#findings].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const byPort = Map.groupBy(sorted, ([, finding]) => toPortKey(finding))
    return [...byPort.values()].flatMap((some) =>
      some.slice(0, FINDINGS_MAX).map(([, finding]) => finding),
    )
  }
}

function mergeFacts(one: FindingFacts, other: FindingFacts): FindingFacts {
  const { isColumnsOnly: _, ...rest } = { ...other, ...one }
  const writes = [...new Set([...(one.writes ?? []), ...(other.writes ?? [])])].toSorted()
  const isColumnsOnly = one.isColumnsOnly === true && other.isColumnsOnly === true
  return {
    ...rest,
    tableCount: one.tableCount + other.tableCount,
    ...(writes.length > 0 && { writes }),
    ...(isColumnsOnly && { isColumnsOnly }),
  }
}

function toFinding(
  kind: NewFinding['kind'],
  { productId, portId, consumer, id }: PortKey & { consumer: Consumer; id: string | null },
  reading: GroupReading,
): NewFinding {
  const { granteeKind, granteeName, tableCount, via, writes } = reading
  const isWider = kind === 'wider_than_agreed'
  return {
    kind,
    productId,
    portId,
    granteeKind,
    granteeName,
    consumer,
    agreementId: id,
    facts: {
      tableCount,
      ...(via !== null && { via }),
      ...(writes.length > 0 && { writes: [...writes].toSorted() }),
      ...(reading.hasGrantOption && { hasGrantOption: true as const }),
      ...(reading.isContainerWide && { isContainerWide: true as const }),
      ...(!isWider && !reading.readsAllColumns && { isColumnsOnly: true as const }),
    },
  }
}

function toPublicFinding({ productId, portId }: PortKey, { tableCount }: GroupReading): NewFinding {
  return {
    kind: 'granted_without_agreement',
    productId,
    portId,
    granteeKind: 'public',
    granteeName: '',
    consumer: null,
    agreementId: null,
    facts: { tableCount },
  }
}

function isWide({ writes, hasGrantOption, isContainerWide }: GroupReading): boolean {
  return writes.length > 0 || hasGrantOption || isContainerWide
}

function isSame(one: Consumer, other: Consumer): boolean {
  return one.kind === other.kind && one.id === other.id
}

function isSamePort(one: PortKey, other: PortKey): boolean {
  return one.productId === other.productId && one.portId === other.portId
}

function toPortKey({ productId, portId }: PortKey): string {
  return JSON.stringify([productId, portId])
}

function toGranteeKey(kind: string, name: string): string {
  return JSON.stringify([kind, name])
}

function toFindingKey(finding: NewFinding): string {
  const { kind, productId, portId, granteeKind, granteeName, agreementId } = finding
  return JSON.stringify([kind, productId, portId, granteeKind, granteeName, agreementId])
}
