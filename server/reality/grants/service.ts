import type { Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import { countOpen } from './finding-store.ts'
import { listCovering, SUBJECT_KINDS, type IntegrationKey } from './grants.ts'
import { findState, type GrantState } from './reading-store.ts'
import { listPortTables, type PortTable } from './table-store.ts'
import { countUnknown, listNames, type GranteeName } from './unknown-store.ts'
import { seesNames } from './visibility.ts'

const NAMES_SHOWN = 1000

/** Finds the settings and the last reading of an integration's grants; undefined = they were never enabled. */
export async function findGrantState(
  db: Database,
  key: IntegrationKey,
): Promise<GrantState | undefined> {
  return await findState(db, key)
}

/** Lists the tables of output ports in an integration, each once. */
export async function listGrantTables(
  db: Database,
  key: IntegrationKey,
): Promise<Pick<PortTable, 'path' | 'scope' | 'kind'>[]> {
  const tables = await listPortTables(db, key)
  return [...new Map(tables.map((table) => [table.path, table])).values()]
}

/** A name of the platform with its meaning, as the settings show it. */
interface MappedName {
  kind: string
  name: string
  subject: { kind: (typeof SUBJECT_KINDS)[number]; id: string | null } | null
  origin: GranteeName['origin']
  isAdministrator: boolean
}

/** The settings of an integration's grants, as the caller may see them. */
export interface GrantSettings {
  enabled: boolean
  pattern: string | null
  readAt: Instant | null
  attemptedAt: Instant | null
  incompleteBecause: string | null
  findingCount: number
  mappedCount: number
  unknownCount: number
  names: MappedName[] | null
  mayEdit: boolean
}

/** Describes the settings of an integration's grants. Names are those on tables whose providing team the caller approves for. */
export async function describeSettings(
  db: Database,
  caller: Caller,
  { integrationId, ownerTeam }: { integrationId: string; ownerTeam: string | null },
): Promise<GrantSettings> {
  const key = { organizationId: caller.organizationId, integrationId }
  const state = await findState(db, key)
  const mayEdit = may(caller, 'INGESTION_EDIT', ownerTeam ?? undefined)
  const tables = state === undefined ? [] : await listPortTables(db, key)
  const all = await listNames(db, key, listPaths(tables), NAMES_SHOWN)
  const visible = tables.filter(({ providerTeam }) => seesNames(caller, providerTeam))
  const { unknown } = await countUnknown(db, key, listPaths(tables))
  const names =
    visible.length === tables.length
      ? all
      : await listNames(db, key, listPaths(visible), NAMES_SHOWN)
  return {
    enabled: state?.enabled ?? false,
    pattern: state?.pattern ?? null,
    readAt: state?.readAt ?? null,
    attemptedAt: state?.attemptedAt ?? null,
    incompleteBecause: state?.incompleteBecause ?? null,
    findingCount: await countOpen(db, key),
    mappedCount: all.filter(({ origin }) => origin !== null).length,
    unknownCount: unknown,
    names: visible.length === 0 && tables.length > 0 ? null : names.map(toMappedName),
    mayEdit,
  }
}

function listPaths(tables: readonly PortTable[]): string[] {
  return listCovering(tables.map(({ path }) => path))
}

function toMappedName({ subjectKind, subjectId, ...name }: GranteeName): MappedName {
  const known = SUBJECT_KINDS.find((one) => one === subjectKind)
  return {
    ...name,
    subject: known === undefined ? null : { kind: known, id: subjectId },
  }
}
