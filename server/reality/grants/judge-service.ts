import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { compareGrants, type ComparisonResult } from './compare.ts'
import type { Consumer, GrantedPort, IntegrationKey } from './grants.ts'
import { listMapped } from './identity-store.ts'
import type { PartyTeams } from './parties.ts'
import { listPortAgreements, listTeamsOfProducts, listTeamsOfUsers } from './party-store.ts'
import * as readings from './reading-store.ts'
import { describePorts, groupTables, readOthers } from './scope-service.ts'
import { listPortTables, type PortTable } from './table-store.ts'

/** The last reading of an integration, with the tables and output ports that it is about. */
interface JudgedReading {
  readAt: string
  gates: readonly number[]
  delayHours: number
  tables: readonly PortTable[]
  ports: readonly GrantedPort[]
}

/** The deviations of an integration, and whether another one has tables of the same output ports. */
interface AccessJudgement {
  result: ComparisonResult
  sharesPorts: boolean
}

/** Compares the grants of an integration with agreements. It writes nothing. */
export async function judgeAccess(
  db: Database,
  clock: Clock,
  key: IntegrationKey,
  { readAt, gates, delayHours, tables, ports }: JudgedReading,
): Promise<AccessJudgement> {
  const { organizationId } = key
  const groups = groupTables(tables)
  const grantees = await listMapped(db, key)
  const ownReadings = await readings.listReadings(db, key, { groups, gates })
  const agreements = await listPortAgreements(db, clock, organizationId, { ports, readAt })
  const others = await readOthers(db, key, { agreements, readAt })
  const consumers = [grantees, agreements, ...others.map((other) => other.grantees)]
    .flat()
    .map(({ consumer }) => consumer)
  const result = compareGrants({
    ports,
    groups,
    readings: ownReadings,
    grantees,
    agreements,
    delayHours,
    hoursEarlier: 0,
    others,
    ...(await listTeams(db, organizationId, consumers)),
  })
  return { result, sharesPorts: others.length > 0 }
}

/**
 * Compares the grants of an integration again as of another time, by the stored meaning of names. It writes nothing. Undefined =
 * they were not read.
 */
export async function judgeAgain(
  db: Database,
  clock: Clock,
  key: IntegrationKey,
): Promise<ComparisonResult | undefined> {
  const state = await readings.findState(db, key)
  if (state?.enabled !== true || state.readAt === null) return undefined
  const tables = await listPortTables(db, key)
  const ports = await describePorts(db, key, tables, state.membersBecause === null)
  const { readAt, gates, delayHours } = state
  const { result } = await judgeAccess(db, clock, key, { readAt, gates, delayHours, tables, ports })
  return result
}

async function listTeams(
  db: Database,
  organizationId: string,
  consumers: readonly Consumer[],
): Promise<PartyTeams> {
  const listIds = (kind: string): string[] => [
    ...new Set(consumers.filter((one) => one.kind === kind).map(({ id }) => id)),
  ]
  const ofUsers = await listTeamsOfUsers(db, organizationId, listIds('user'))
  const ofProducts = await listTeamsOfProducts(db, organizationId, listIds('data-product'))
  const byUser = Map.groupBy(ofUsers, ({ userId }) => userId)
  return {
    teamsOfUsers: new Map(
      [...byUser].map(([id, rows]) => [id, new Set(rows.map(({ team }) => team))]),
    ),
    teamsOfProducts: new Map(ofProducts.map(({ productId, team }) => [productId, team])),
  }
}
