import { AccessPaths, type IntegrationReading } from './access-paths.ts'
import {
  FINDINGS_MAX,
  GRACE_HOURS,
  toPortKey,
  type Consumer,
  type FindingFacts,
  type GroupReading,
  type MappedGrantee,
  type NewFinding,
  type OmittedFindings,
  type PortAgreement,
  type PortKey,
} from './grants.ts'
import { Parties, type PartyTeams } from './parties.ts'

/** Everything that the grants of an integration are compared with. */
interface GrantComparison extends IntegrationReading, PartyTeams {
  agreements: readonly PortAgreement[]
  /** Other integrations that have tables of the same output ports. */
  others: readonly OtherReading[]
}

/** The reading of another integration. */
export interface OtherReading extends IntegrationReading {
  /** Whether it reports what is missing in both, so that this is one finding. */
  isReporting: boolean
}

/** The result of a comparison. */
export interface ComparisonResult {
  findings: NewFinding[]
  /** The ports with more findings than are stored. */
  omitted: OmittedFindings[]
  /** Active agreements of which incomplete readings show no grant: an open finding stays, a new one does not open. */
  undecidedAgreements: string[]
}

/** Returns the deviations of grants from agreements. Nothing is concluded from names that are not mapped. */
export function compareGrants(comparison: GrantComparison): ComparisonResult {
  const judge = new AccessJudge(comparison)
  const findings = new FindingSet()
  for (const reading of comparison.readings) {
    for (const finding of judge.judgeReading(reading)) findings.add(finding)
  }
  const undecidedAgreements: string[] = []
  for (const agreement of comparison.agreements) {
    const finding = judge.judgeAgreement(agreement)
    if (finding === 'undecided') undecidedAgreements.push(agreement.id)
    else if (finding !== undefined) findings.add(finding)
  }
  return { ...findings.list(), undecidedAgreements }
}

/** Judges grants by agreements, and agreements by grants. */
class AccessJudge {
  readonly #comparison: GrantComparison
  readonly #parties: Parties
  readonly #paths: AccessPaths
  readonly #others: readonly { paths: AccessPaths; isReporting: boolean }[]
  readonly #agreements: ReadonlyMap<string, readonly PortAgreement[]>

  constructor(comparison: GrantComparison) {
    this.#comparison = comparison
    this.#parties = new Parties(comparison)
    this.#paths = new AccessPaths(comparison)
    this.#others = comparison.others.map((other) => ({
      paths: new AccessPaths(other),
      isReporting: other.isReporting,
    }))
    this.#agreements = Map.groupBy(comparison.agreements, toPortKey)
  }

  /** Judges what a grantee may do with a group of tables. */
  judgeReading(reading: GroupReading): NewFinding[] {
    const ports = this.#comparison.groups[reading.group]?.ports ?? []
    if (reading.granteeKind === 'public') return ports.map((port) => toPublicFinding(port, reading))
    const grantee = this.#paths.findGrantee(reading.granteeKind, reading.granteeName)
    // Administrators read everything by their role in the platform, which no agreement is about.
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
      // The platform may show a grant after it was revoked.
      const graceHours = GRACE_HOURS + this.#comparison.delayHours
      return ended
        .filter(({ endedHours }) => endedHours !== null && endedHours > graceHours)
        .map((one) => toFinding('still_granted', one, reading))
    }
    const { consumer } = grantee
    return ports.map((port) =>
      toFinding('granted_without_agreement', { ...port, consumer, id: null }, reading),
    )
  }

  /**
   * Judges whether an active agreement is granted, in this or another integration that has tables of the port. Undefined = it
   * is, or it need not be yet, or its consumer has no name.
   */
  judgeAgreement(agreement: PortAgreement): NewFinding | 'undecided' | undefined {
    const own = this.#paths
    if (agreement.state !== 'active' || own.findPort(agreement) === undefined) return undefined
    if (!own.isMapped(agreement) || !own.isDue(agreement)) return undefined
    const others = this.#others.filter(({ paths }) => paths.findPort(agreement) !== undefined)
    const all = [own, ...others.map(({ paths }) => paths)]
    if (all.some((paths) => paths.hasPath(agreement, this.#parties))) return undefined
    if (!all.every((paths) => paths.isDecisive(agreement) && paths.isDue(agreement))) {
      return 'undecided'
    }
    if (others.some(({ isReporting }) => isReporting)) return undefined
    return {
      kind: 'agreement_without_grant',
      productId: agreement.productId,
      portId: agreement.portId,
      granteeKind: '',
      granteeName: '',
      consumer: agreement.consumer,
      agreementId: agreement.id,
      facts: { tableCount: all.reduce((sum, paths) => sum + paths.countTables(agreement), 0) },
    }
  }

  #findActive(port: PortKey, grantee: MappedGrantee): PortAgreement | undefined {
    const agreements = this.#agreements.get(toPortKey(port)) ?? []
    return agreements.find((one) => one.state === 'active' && this.#parties.covers(one, grantee))
  }

  // The one that ended last.
  #findEnded(port: PortKey, grantee: MappedGrantee): PortAgreement | undefined {
    const agreements = this.#agreements.get(toPortKey(port)) ?? []
    return agreements
      .filter((one) => one.state === 'ended' && this.#parties.covers(one, grantee))
      .toSorted((a, b) => (a.endedHours ?? 0) - (b.endedHours ?? 0))[0]
  }

  #provides(key: PortKey, consumer: Consumer): boolean {
    const port = this.#paths.findPort(key)
    return port !== undefined && this.#parties.provides(port, consumer)
  }
}

/** Findings by their key: those of several groups of tables are one. */
class FindingSet {
  readonly #findings = new Map<string, NewFinding>()

  add(finding: NewFinding): void {
    const key = toFindingKey(finding)
    const earlier = this.#findings.get(key)
    if (earlier === undefined) this.#findings.set(key, finding)
    else this.#findings.set(key, { ...earlier, facts: mergeFacts(earlier.facts, finding.facts) })
  }

  // The first ones of each port: an order that does not change keeps them.
  list(): Pick<ComparisonResult, 'findings' | 'omitted'> {
    const sorted = [...this.#findings].toSorted(([one], [other]) => (one < other ? -1 : 1))
    const byPort = Map.groupBy(
      sorted.map(([, finding]) => finding),
      toPortKey,
    )
    return {
      findings: [...byPort.values()].flatMap((some) => some.slice(0, FINDINGS_MAX)),
      omitted: [...byPort.values()].flatMap(([first, ...more]) => {
        const count = more.length + 1 - FINDINGS_MAX
        if (first === undefined || count <= 0) return []
        return [{ productId: first.productId, portId: first.portId, count }]
      }),
    }
  }
}

function mergeFacts(one: FindingFacts, other: FindingFacts): FindingFacts {
  const { isColumnsOnly: _, ...rest } = { ...other, ...one }
  const writes = [...new Set([...(one.writes ?? []), ...(other.writes ?? [])])].toSorted()
  // Groups have no order: the same facts in another one would end an acceptance.
  const [via] = [one.via, other.via].filter((name) => name !== undefined).toSorted()
  const isColumnsOnly = one.isColumnsOnly === true && other.isColumnsOnly === true
  return {
    ...rest,
    tableCount: one.tableCount + other.tableCount,
    ...(via !== undefined && { via }),
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

function toFindingKey(finding: NewFinding): string {
  const { kind, productId, portId, granteeKind, granteeName, agreementId } = finding
  return JSON.stringify([kind, productId, portId, granteeKind, granteeName, agreementId])
}
