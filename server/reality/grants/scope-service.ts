import type { Database } from '../../platform/tables.ts'
import type { OtherReading } from './compare.ts'
import type { GrantedPort, IntegrationKey, PortAgreement, TableGroup } from './grants.ts'
import { listMapped } from './identity-store.ts'
import * as readings from './reading-store.ts'
import { listPortTables, type PortTable } from './table-store.ts'

/** Output ports by what was read of the grants on their tables. */

/** Groups tables by the output ports that they belong to. */
export function groupTables(tables: readonly PortTable[]): TableGroup[] {
  const byPath = Map.groupBy(tables, ({ path }) => path)
  const owned = [...byPath].map(([path, rows]) => ({
    path,
    ports: rows.map(({ productId, portId }) => ({ productId, portId })),
  }))
  const byPorts = Map.groupBy(owned, ({ ports }) => JSON.stringify(ports))
  return [...byPorts.values()].map((some) => ({
    ports: some[0]?.ports ?? [],
    paths: some.map(({ path }) => path),
  }))
}

/** Describes output ports by the last reading of their tables in an integration. */
export async function describePorts(
  db: Database,
  key: IntegrationKey,
  tables: readonly PortTable[],
  hasAllMembers: boolean,
): Promise<GrantedPort[]> {
  const paths = [...new Set(tables.map(({ path }) => path))]
  const coverage = await readings.listCoverage(db, key, paths)
  const byPath = new Map(coverage.map((one) => [one.path, one]))
  const byPort = Map.groupBy(tables, ({ productId, portId }) => JSON.stringify([productId, portId]))
  return [...byPort.values()].flatMap((own) => {
    const [first] = own
    if (first === undefined) return []
    const { productId, portId, providerTeam, contractId, unlinkedCount } = first
    const covers = own.map(({ path }) => byPath.get(path))
    return [
      {
        productId,
        portId,
        providerTeam,
        contractId,
        isWhole: unlinkedCount === 0,
        isCurrent: covers.every((one) => one?.isCurrent === true),
        isComplete: hasAllMembers && covers.every((one) => one?.isComplete === true),
      },
    ]
  })
}

/**
 * Reads the other integrations that have tables of the output ports of active agreements. An integration whose grants are not
 * read has its ports, too, but they are not complete.
 */
export async function readOthers(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
  { agreements, readAt }: { agreements: readonly PortAgreement[]; readAt: string },
): Promise<OtherReading[]> {
  const active = agreements.filter(({ state }) => state === 'active')
  if (active.length === 0) return []
  const productIds = [...new Set(active.map(({ productId }) => productId))]
  const tables = await listPortTables(db, { organizationId, otherThan: integrationId, productIds })
  const byIntegration = Map.groupBy(tables, (table) => table.integrationId)
  const others: OtherReading[] = []
  for (const [other, own] of byIntegration) {
    const key = { organizationId, integrationId: other }
    others.push({ ...(await readOther(db, key, own, readAt)), isReporting: other < integrationId })
  }
  return others
}

async function readOther(
  db: Database,
  key: IntegrationKey,
  tables: readonly PortTable[],
  readAt: string,
): Promise<Omit<OtherReading, 'isReporting'>> {
  const state = await readings.findState(db, key)
  const isRead = state?.enabled === true && state.readAt !== null
  const groups = groupTables(tables)
  const ports = await describePorts(db, key, tables, isRead && state.membersBecause === null)
  if (!isRead || state.readAt === null) {
    return { ports, groups, readings: [], grantees: [], delayHours: 0, hoursEarlier: 0 }
  }
  const { gates, delayHours } = state
  const earlier = Temporal.Instant.from(readAt).since(state.readAt)
  return {
    ports,
    groups,
    readings: await readings.listReadings(db, key, { groups, gates }),
    grantees: await listMapped(db, key),
    delayHours,
    hoursEarlier: earlier.total('hours'),
  }
}
