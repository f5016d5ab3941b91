import {
  GRACE_HOURS,
  toPortKey,
  type GrantedPort,
  type GroupReading,
  type MappedGrantee,
  type PortAgreement,
  type TableGroup,
} from './grants.ts'
import type { Parties } from './parties.ts'

/** The last reading of an integration's grants, as far as it concerns output ports. */
export interface IntegrationReading {
  ports: readonly GrantedPort[]
  groups: readonly TableGroup[]
  readings: readonly GroupReading[]
  grantees: readonly MappedGrantee[]
  /** The time after which the platform shows a grant. */
  delayHours: number
  /** The time by which the reading is older than that of the integration that is compared. */
  hoursEarlier: number
}

/** The ways by which consumers read the tables of output ports in one integration. */
export class AccessPaths {
  readonly #reading: IntegrationReading
  readonly #ports: ReadonlyMap<string, GrantedPort>
  readonly #grantees: ReadonlyMap<string, MappedGrantee>
  readonly #readers = new Map<string, GroupReading[]>()
  readonly #tableCounts = new Map<string, number>()
  readonly #consumers: ReadonlySet<string>

  constructor(reading: IntegrationReading) {
    this.#reading = reading
    this.#ports = new Map(reading.ports.map((port) => [toPortKey(port), port]))
    this.#grantees = new Map(
      reading.grantees.map((grantee) => [toGranteeKey(grantee.kind, grantee.name), grantee]),
    )
    this.#consumers = new Set(
      reading.grantees.flatMap(({ consumer: { kind, id }, agreementId }) => [
        toGranteeKey(kind, id),
        ...(agreementId === null ? [] : [toGranteeKey('agreement', agreementId)]),
      ]),
    )
    for (const { ports, paths } of reading.groups) {
      for (const port of ports) {
        const key = toPortKey(port)
        this.#tableCounts.set(key, (this.#tableCounts.get(key) ?? 0) + paths.length)
      }
    }
    for (const one of reading.readings.filter(({ tableCount }) => tableCount > 0)) {
      for (const port of reading.groups[one.group]?.ports ?? []) {
        const key = toPortKey(port)
        const readers = this.#readers.get(key)
        if (readers === undefined) this.#readers.set(key, [one])
        else readers.push(one)
      }
    }
  }

  /** Finds an output port that has tables in the integration. */
  findPort(port: Parameters<typeof toPortKey>[0]): GrantedPort | undefined {
    return this.#ports.get(toPortKey(port))
  }

  /** Finds the meaning of a name of the platform. */
  findGrantee(kind: string, name: string): MappedGrantee | undefined {
    return this.#grantees.get(toGranteeKey(kind, name))
  }

  /** Returns the number of tables of an output port in the integration. */
  countTables(port: Parameters<typeof toPortKey>[0]): number {
    return this.#tableCounts.get(toPortKey(port)) ?? 0
  }

  /** Returns whether the consumer of an agreement has a name in the integration. */
  isMapped({ id, consumer }: PortAgreement): boolean {
    return (
      this.#consumers.has(toGranteeKey('agreement', id)) ||
      this.#consumers.has(toGranteeKey(consumer.kind, consumer.id))
    )
  }

  /** Returns whether the reading is late enough to show the grant of an active agreement. */
  isDue({ activeHours, provisionedHours }: PortAgreement): boolean {
    const { delayHours, hoursEarlier } = this.#reading
    if (provisionedHours !== null && provisionedHours - hoursEarlier > delayHours) return true
    return activeHours !== null && activeHours - hoursEarlier > GRACE_HOURS + delayHours
  }

  /** Returns whether the reading shows everything about the port of an agreement, so that a missing path is gone. */
  isDecisive(agreement: PortAgreement): boolean {
    const port = this.findPort(agreement)
    return port !== undefined && port.isWhole && port.isComplete && this.isMapped(agreement)
  }

  /**
   * Returns whether the consumer of an agreement reads a table of the port. Everyone who belongs to the consumer and reads
   * is a path, so that no finding is wrong. A privilege to write is not one to read.
   */
  hasPath(agreement: PortAgreement, parties: Parties): boolean {
    const readers = this.#readers.get(toPortKey(agreement)) ?? []
    return readers.some(({ granteeKind, granteeName }) => {
      if (granteeKind === 'public') return true
      const grantee = this.findGrantee(granteeKind, granteeName)
      return grantee !== undefined && parties.covers(agreement, grantee, 'either way')
    })
  }
}

function toGranteeKey(kind: string, name: string): string {
  return JSON.stringify([kind, name])
}
