import { findPort } from '../../agreements/party-service.ts'
import { notFound } from '../../platform/errors.ts'
import type { Caller } from '../../requests/access/caller.ts'
import type { ReadingServices } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationGrants, PortGrants } from './access-finding.ts'
import {
  listCovering,
  parseGranteeKind,
  parseObjectPath,
  toPortKey,
  type Consumer,
  type GroupReading,
  type IntegrationKey,
  type MappedGrantee,
  type PortKey,
} from './grants.ts'
import { listMapped } from './identity-store.ts'
import * as readings from './reading-store.ts'
import { listPortTables, type PortTable } from './table-store.ts'
import { countUnknown, listConsumerNames, listIntegrations } from './unknown-store.ts'
import { isSelf, seesNames } from './visibility.ts'

const TABLES_SHOWN = 100
const GRANTEES_SHOWN = 1000

/** The limits of every comparison. */
const LIMITS = [
  'Views over the tables and shares to other accounts are not followed.',
  'Names without exactly one known consumer are counted, and nothing is concluded from them.',
]

/** Describes the grants on the tables of an output port, as the caller may see them. Errors: not_found. */
export async function getPortGrants(
  services: ReadingServices,
  caller: Caller,
  { productId, port: named }: { productId: string; port: string },
): Promise<PortGrants> {
  const { db } = services
  const { organizationId } = caller
  const result = await findPort(services, organizationId, { productId, port: named })
  if ('unknown' in result) throw notFound()
  const { port, providerTeam } = result.provider
  const all = await listPortTables(db, { organizationId, productIds: [productId] })
  const tables = all.filter(({ portId }) => portId === port)
  const byIntegration = Map.groupBy(tables, ({ integrationId }) => integrationId)
  const integrations = await listIntegrations(db, organizationId, [...byIntegration.keys()])
  const shown: IntegrationGrants[] = []
  for (const { id: integrationId, externalId, name } of integrations) {
    const own = byIntegration.get(integrationId) ?? []
    const key = { organizationId, integrationId }
    const portKey = { productId, portId: port }
    const description = await describeGrants(db, caller, key, {
      tables: own,
      providerTeam,
      portKey,
    })
    shown.push({ integration: externalId, name, ...description })
  }
  return {
    dataProductId: productId,
    outputPortId: port,
    isWhole: tables.length > 0 && tables.every(({ unlinkedCount }) => unlinkedCount === 0),
    integrations: shown,
    limits: LIMITS,
  }
}

async function describeGrants(
  db: Database,
  caller: Caller,
  key: IntegrationKey,
  {
    tables,
    providerTeam,
    portKey,
  }: { tables: readonly PortTable[]; providerTeam: string; portKey: PortKey },
): Promise<Omit<IntegrationGrants, 'integration' | 'name'>> {
  const paths = tables.map(({ path }) => path)
  const state = await readings.findState(db, key)
  const nothing = {
    reason: null,
    readAt: null,
    tables: paths.slice(0, TABLES_SHOWN).map(parseObjectPath),
    tableCount: paths.length,
    mappedCount: 0,
    unknownCount: 0,
    isPublic: false,
    omittedCount: 0,
    grantees: null,
  }
  if (state?.enabled !== true) return { ...nothing, state: 'off' }
  if (state.readAt === null) {
    return { ...nothing, state: 'not_read', reason: state.incompleteBecause }
  }
  const coverage = await readings.listCoverage(db, key, paths)
  const isComplete = state.membersBecause === null && coverage.every((one) => one.isComplete)
  const reason =
    state.membersBecause ??
    coverage.find((one) => one.incompleteBecause !== null)?.incompleteBecause ??
    (isComplete ? null : state.incompleteBecause)
  const groups = [{ ports: [], paths }]
  const rows = await readings.listReadings(db, key, { groups, gates: state.gates })
  const mapped = await listMapped(db, key)
  const { unknown } = await countUnknown(db, key, listCovering(paths))
  const own = rows.filter(({ granteeKind }) => granteeKind !== 'public')
  return {
    ...nothing,
    state: !coverage.every((one) => one.isCurrent)
      ? 'not_read'
      : isComplete
        ? 'complete'
        : 'incomplete',
    reason,
    readAt: state.readAt,
    mappedCount: own.length,
    unknownCount: unknown,
    isPublic: own.length < rows.length,
    omittedCount: state.omitted.find((one) => toPortKey(one) === toPortKey(portKey))?.count ?? 0,
    grantees: await presentGrantees(db, caller, own, { mapped, providerTeam }),
  }
}

// A person sees the own name, also without the right to see those of others.
async function presentGrantees(
  db: Database,
  caller: Caller,
  rows: readonly GroupReading[],
  { mapped, providerTeam }: { mapped: readonly MappedGrantee[]; providerTeam: string },
): Promise<IntegrationGrants['grantees']> {
  const consumers = new Map(
    mapped.map(({ kind, name, consumer }) => [JSON.stringify([kind, name]), consumer]),
  )
  const seesAll = seesNames(caller, providerTeam)
  const visible = rows
    .map((row) => ({
      row,
      consumer: consumers.get(JSON.stringify([row.granteeKind, row.granteeName])),
    }))
    .filter(({ consumer }) => seesAll || (consumer !== undefined && isSelf(caller, consumer)))
    .slice(0, GRANTEES_SHOWN)
  if (!seesAll && visible.length === 0) return null
  const wanted = visible.flatMap(({ consumer }) => consumer ?? [])
  const named = await listConsumerNames(db, caller.organizationId, wanted)
  const names = new Map(named.map(({ kind, id, name }) => [JSON.stringify([kind, id]), name]))
  return visible.map(({ row, consumer }) => presentGrantee(row, consumer, names))
}

function presentGrantee(
  row: GroupReading,
  consumer: Consumer | undefined,
  names: ReadonlyMap<string, string>,
): NonNullable<IntegrationGrants['grantees']>[number] {
  return {
    kind: parseGranteeKind(row.granteeKind),
    name: row.granteeName,
    tableCount: row.tableCount,
    via: row.via,
    writes: [...row.writes],
    hasGrantOption: row.hasGrantOption,
    isContainerWide: row.isContainerWide,
    isColumnsOnly: !row.readsAllColumns,
    isAdministrator: row.isAdministrator,
    consumer:
      consumer === undefined
        ? null
        : {
            ...consumer,
            name: names.get(JSON.stringify([consumer.kind, consumer.id])) ?? null,
          },
  }
}
