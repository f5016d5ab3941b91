import { z } from 'zod'
import { PUBLIC, toGrantBatches, toOutcomeBatches } from '../access.ts'
import { isPartialFailure, SourceFailure, type AssetPlace, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, GrantOutcome, SourceGrant } from '../grant.ts'
import { mapConcurrently } from '../http/parallel.ts'
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

/** Tables whose policies are read before they are reported. */
const TABLES_AT_ONCE = 200
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
    const access = await attempt(() => readDataset(warehouse, path))
    if (access instanceof SourceFailure) {
      yield* toOutcomeBatches(own.map((table) => toUnread(table, access)))
      continue
    }
    yield* toGrantBatches(access.grants)
    for (let at = 0; at < own.length; at += TABLES_AT_ONCE) {
      yield* readTables(warehouse, own.slice(at, at + TABLES_AT_ONCE), access)
    }
  }
  // Members of groups are unknown, which the outcomes report.
  yield { membership: {} }
}

async function attempt<T>(read: () => Promise<T>): Promise<T | SourceFailure> {
  try {
    return await read()
  } catch (error) {
    if (isPartialFailure(error)) return error
    throw error
  }
}

function toUnread({ path }: AssetPlace, { message }: SourceFailure): GrantOutcome {
  return { path, isWhole: false, message }
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

async function* readTables(
  warehouse: Warehouse,
  tables: readonly AssetPlace[],
  { isPartial }: ObjectGrants,
): AsyncGenerator<GrantBatch> {
  const policies = await mapConcurrently(tables, async (table) =>
    isSharded(table) ? undefined : await attempt(() => readTable(warehouse, table.path)),
  )
  const outcomes: GrantOutcome[] = []
  for (const [at, table] of tables.entries()) {
    const policy = policies[at]
    if (policy === undefined) outcomes.push(toWhole(table, SHARDS))
    else if (policy instanceof SourceFailure) outcomes.push(toUnread(table, policy))
    else {
      yield* toGrantBatches(policy.grants)
      const hasUnknown = isPartial || policy.isPartial
      outcomes.push(toWhole(table, hasUnknown ? CONDITIONS : PROJECT_LIMIT))
    }
  }
  yield* toOutcomeBatches(outcomes)
}

function toWhole({ path }: AssetPlace, message: string): GrantOutcome {
  return { path, isWhole: true, message }
}

// The name of an asset for all shards of a table.
function isSharded({ path }: AssetPlace): boolean {
  return path.at(-1)?.endsWith('*') === true
}

async function readTable(warehouse: Warehouse, path: readonly string[]): Promise<ObjectGrants> {
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
          withGrant: OWNERS.has(role),
        })),
      ),
  }
}

const OWNERS = new Set(['OWNER', 'roles/bigquery.dataOwner', 'roles/bigquery.admin'])
const WRITERS = new Set([...OWNERS, 'WRITER', 'roles/bigquery.dataEditor'])
const READERS = new Set([...WRITERS, 'READER', 'roles/bigquery.dataViewer'])
/** Roles without the right to read rows. */
const OTHERS = new Set([
  'roles/bigquery.metadataViewer',
  'roles/bigquery.user',
  'roles/bigquery.jobUser',
  'roles/bigquery.readSessionUser',
  'roles/bigquery.resourceViewer',
  'roles/iam.securityReviewer',
])

// Custom roles have permissions that BigQuery does not show.
function isKnown(role: string): boolean {
  return READERS.has(role) || OTHERS.has(role)
}

function toEffects(role: string): SourceGrant['effect'][] {
  if (!READERS.has(role)) return []
  return WRITERS.has(role) ? ['read', 'write'] : ['read']
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
