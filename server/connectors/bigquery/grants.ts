import { z } from 'zod'
import {
  attemptReading,
  PUBLIC,
  toGrantBatches,
  toOutcomeBatches,
  toUnreadOutcome,
} from '../access.ts'
import { SourceFailure, type AssetPlace, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, SourceGrant } from '../grant.ts'
import { readTableGrants } from '../http/table-grants.ts'
import { toRequestFailure } from './bigquery-error.ts'
import { requestResource, type Warehouse } from './warehouse.ts'

/**
 * Grants of BigQuery are policies of datasets and of tables. Policies of projects and folders are not part of BigQuery.
 * https://cloud.google.com/bigquery/docs/reference/rest/v2/datasets#Dataset
 */

const PROJECT_LIMIT = 'Roles on projects, folders and organizations are not visible.'

const CONDITIONS = 'Grants with a condition, or with an unknown role, are not compared.'
const SHARDS = 'The grants on single shards of a table are not read.'
const HIDDEN =
  'The account does not see the access to the dataset. Grant it bigquery.datasets.getIamPolicy.'

/** The maximum number of members of a policy. BigQuery has at most 1,500. */
const MEMBERS_MAX = 10_000

const text = z.string().nullish()

const entry = z.object({
  role: text,
  userByEmail: text,
  groupByEmail: text,
  domain: text,
  specialGroup: text,
  iamMember: text,
  condition: z.unknown().optional(),
})

const accessAnswer = z.object({ access: z.array(entry).max(MEMBERS_MAX).nullish() })

const policyAnswer = z.object({
  bindings: z
    .array(
      z.object({
        role: z.string(),
        members: z.array(z.string()).max(MEMBERS_MAX).nullish(),
        condition: z.unknown().optional(),
      }),
    )
    .max(MEMBERS_MAX)
    .nullish(),
})

/** A role of a member, on a dataset or table. */
interface Holding {
  member: Grantee | undefined
  role: string
  isConditional: boolean
}

/** The grants on an object; `isPartial` = some of them cannot be compared. */
interface ObjectGrants {
  grants: SourceGrant[]
  isPartial: boolean
}

/**
 * Reads the grants on tables and on their datasets. A dataset or table that cannot be read leaves the others readable. Errors:
 * SourceFailure.
 */
export async function* readGrants(
  warehouse: Warehouse,
  scopes: readonly Scope[],
  tables: readonly AssetPlace[],
): AsyncGenerator<GrantBatch> {
  const datasets = new Set(
    scopes.filter(({ path }) => path.length === 2).map(({ path }) => JSON.stringify(path)),
  )
  const byDataset = Map.groupBy(tables, ({ path }) => JSON.stringify(path.slice(0, 2)))
  for (const [key, own] of byDataset) {
    const path = own[0]?.path.slice(0, 2)
    if (path === undefined || !datasets.has(key)) continue
    const access = await attemptReading(() => readDataset(warehouse, path))
    if (access instanceof SourceFailure) {
      yield* toOutcomeBatches(own.map((table) => toUnreadOutcome(table.path, access)))
      continue
    }
    yield* toGrantBatches(access.grants)
    yield* readTableGrants(own, (table) => readTable(warehouse, table, access))
  }
  // Members of groups are unknown, which the outcomes report.
  yield { membership: {} }
}

async function readDataset(warehouse: Warehouse, path: readonly string[]): Promise<ObjectGrants> {
  const [project = '', dataset = ''] = path
  const address = ['projects', project, 'datasets', dataset]
  // Older versions of a policy hide conditions.
  const query = { accessPolicyVersion: '3' }
  const result = await requestResource(warehouse, address, query, accessAnswer)
  if ('error' in result) {
    throw toRequestFailure(result.error, `the access to ${path.join('.')}`)
  }
  const { access } = result.value
  // A dataset always has an owner.
  if (access === null || access === undefined) throw new SourceFailure('permission', HIDDEN)
  return toObjectGrants(
    path,
    // Views, routines and datasets that may read the dataset are not people.
    access.flatMap(({ role, condition, ...who }) =>
      role ? [{ member: toEntryMember(who, project), role, isConditional: condition != null }] : [],
    ),
  )
}

async function readTable(
  warehouse: Warehouse,
  table: AssetPlace,
  onDataset: ObjectGrants,
): Promise<{ grants: readonly SourceGrant[]; message: string }> {
  if (isSharded(table)) return { grants: [], message: SHARDS }
  const { grants, isPartial } = await readPolicy(warehouse, table.path)
  return { grants, message: isPartial || onDataset.isPartial ? CONDITIONS : PROJECT_LIMIT }
}

// The name of an asset for all shards of a table.
function isSharded({ path }: AssetPlace): boolean {
  return path.at(-1)?.endsWith('*') === true
}

async function readPolicy(warehouse: Warehouse, path: readonly string[]): Promise<ObjectGrants> {
  const [project = '', dataset = '', table = ''] = path
  const address = ['projects', project, 'datasets', dataset, 'tables', `${table}:getIamPolicy`]
  const body = { options: { requestedPolicyVersion: 3 } }
  const result = await requestResource(warehouse, address, {}, policyAnswer, body)
  if ('error' in result) throw toRequestFailure(result.error, `the policy of ${path.join('.')}`)
  const holdings = (result.value.bindings ?? []).flatMap(({ role, members, condition }) =>
    (members ?? []).map((member) => ({
      member: toMember(member),
      role,
      isConditional: condition != null,
    })),
  )
  return toObjectGrants(path, holdings)
}

function toObjectGrants(path: readonly string[], holdings: readonly Holding[]): ObjectGrants {
  const known = holdings.flatMap(({ member, ...more }) =>
    member === undefined ? [] : [{ member, ...more }],
  )
  return {
    isPartial: known.some(({ role, isConditional }) => isConditional || !isKnown(role)),
    grants: known
      .filter(({ isConditional }) => !isConditional)
      .flatMap(({ member, role }) =>
        toEffects(role).map((effect) => ({
          path,
          grantee: member,
          privilege: role,
          effect,
          withGrant: OWNERS.has(shorten(role)),
        })),
      ),
  }
}

// The roles of BigQuery by the last parts of their names, and the older names of three of them.
const OWNERS = new Set(['OWNER', 'dataOwner', 'admin'])
const WRITERS = new Set([...OWNERS, 'WRITER', 'dataEditor'])
const READERS = new Set([...WRITERS, 'READER', 'dataViewer'])
/** Roles without the right to read rows. */
const OTHERS = new Set(['metadataViewer', 'user', 'jobUser', 'readSessionUser', 'resourceViewer'])

function shorten(role: string): string {
  return role.replace(/^roles\/bigquery\./, '')
}

// Custom roles have permissions that BigQuery does not show.
function isKnown(role: string): boolean {
  const name = shorten(role)
  return READERS.has(name) || OTHERS.has(name)
}

function toEffects(role: string): SourceGrant['effect'][] {
  const name = shorten(role)
  if (!READERS.has(name)) return []
  return WRITERS.has(name) ? ['read', 'write'] : ['read']
}

/** Names of groups of the project in access entries, as policies name them. */
const SPECIAL_GROUPS: ReadonlyMap<string, string> = new Map([
  ['projectReaders', 'projectViewer'],
  ['projectWriters', 'projectEditor'],
  ['projectOwners', 'projectOwner'],
])

function toEntryMember(
  who: Omit<z.infer<typeof entry>, 'role' | 'condition'>,
  project: string,
): Grantee | undefined {
  if (who.userByEmail) return { kind: 'user', name: who.userByEmail }
  if (who.groupByEmail) return { kind: 'group', name: who.groupByEmail }
  if (who.domain) return { kind: 'group', name: `domain:${who.domain}` }
  if (who.iamMember) return toMember(who.iamMember)
  if (!who.specialGroup) return undefined
  const group = SPECIAL_GROUPS.get(who.specialGroup)
  return toMember(group === undefined ? who.specialGroup : `${group}:${project}`)
}

/** Parses a member of a policy: https://cloud.google.com/iam/docs/principal-identifiers. Undefined = a deleted one. */
function toMember(member: string): Grantee | undefined {
  if (member === 'allUsers' || member === 'allAuthenticatedUsers') return PUBLIC
  const [kind = '', ...rest] = member.split(':')
  const name = rest.join(':')
  switch (kind) {
    case 'deleted':
      return undefined
    case 'user':
    case 'serviceAccount':
      return { kind: 'user', name }
    case 'group':
      return { kind: 'group', name }
    case 'principal':
      return { kind: 'user', name: member }
    default:
      return { kind: 'group', name: member }
  }
}
