import { z } from 'zod'
import { omitEmpty } from '../asset-parts.ts'
import {
  attemptReading,
  PUBLIC,
  toGrantBatches,
  toOutcomeBatches,
  toUnreadOutcome,
} from '../access.ts'
import { SourceFailure, type AssetPlace, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, SourceGrant } from '../grant.ts'
import { toUrl } from '../http/address.ts'
import { readPages } from '../http/pages.ts'
import { readTableGrants } from '../http/table-grants.ts'
import { getDetail } from '../scopes.ts'
import { requestTable, toStatusFailure, type Workspace } from './workspace.ts'

/**
 * Grants of Unity Catalog, with those that a table inherits. Only owners, and those who may manage an object, see all of them;
 * to others the information schema shows their own: https://docs.databricks.com/api/workspace/grants/geteffective
 */

const GROUPS = 'The members of groups are not visible.'

const ENTRIES_MAX = 10_000
const SMALLER_PAGE_SIZE = 150

/** The group of all users of an account. */
const EVERYONE = 'account users'

const text = z.string().nullish()

const permissionsAnswer = z.object({
  privilege_assignments: z
    .array(
      z.object({
        principal: z.string(),
        privileges: z
          .array(z.object({ privilege: text, inherited_from_type: text }))
          .max(ENTRIES_MAX)
          .nullish(),
      }),
    )
    .max(ENTRIES_MAX)
    .nullish(),
  next_page_token: text,
})

const accountAnswer = z.object({
  userName: text,
  applicationId: text,
  groups: z
    .array(z.object({ display: text }))
    .max(ENTRIES_MAX)
    .nullish(),
})

const ownedAnswer = z.object({ owner: text })

/** A privilege of a principal on an object, or on one that contains it. */
interface Privilege {
  principal: string
  privilege: string
  /** `CATALOG`, `SCHEMA`; undefined = the object itself. */
  from: string | undefined
}

/** The grants on an object. */
interface ObjectAccess {
  privileges: readonly Privilege[]
  owner: string | undefined
}

/** The principals as which the account acts: itself and its groups. */
type OwnNames = ReadonlySet<string>

/**
 * Reads the grants on tables and on what contains them. A table whose grants are not all visible leaves the others readable.
 * Errors: SourceFailure.
 */
export async function* readGrants(
  workspace: Workspace,
  scopes: readonly Scope[],
  tables: readonly AssetPlace[],
): AsyncGenerator<GrantBatch> {
  const owners = new Map(
    scopes.map((scope) => [JSON.stringify(scope.path), getDetail(scope, 'owner')]),
  )
  const bySchema = Map.groupBy(tables, ({ path }) => JSON.stringify(path.slice(0, 2)))
  const wanted = [...bySchema].filter(([key]) => owners.has(key))
  const own = wanted.length === 0 ? new Set<string>() : await readOwnNames(workspace)
  const metastoreOwner = wanted.length === 0 ? undefined : await readMetastoreOwner(workspace)
  const read = async (kind: string, path: readonly string[]): Promise<ObjectAccess> => ({
    privileges: await readPrivileges(workspace, kind, path),
    owner: owners.get(JSON.stringify(path)),
  })
  for (const [, some] of wanted) {
    const path = some[0]?.path ?? []
    const containers = await attemptReading(async () => ({
      catalog: await read('CATALOG', path.slice(0, 1)),
      schema: await read('SCHEMA', path.slice(0, 2)),
    }))
    if (containers instanceof SourceFailure) {
      yield* toOutcomeBatches(some.map((table) => toUnreadOutcome(table.path, containers)))
      continue
    }
    const { catalog, schema } = containers
    yield* toGrantBatches([
      ...toUses(path.slice(0, 1), catalog, 'USE_CATALOG'),
      ...toUses(path.slice(0, 2), schema, 'USE_SCHEMA'),
    ])
    const parents = [metastoreOwner, catalog.owner, schema.owner]
    const circumstances = { own, parents, hasGroups: [catalog, schema].some(grantsToGroup) }
    yield* readTableGrants(some, (table) => readTable(workspace, table.path, circumstances))
  }
  // Members of groups are unknown, which the outcomes report.
  yield { membership: {} }
}

/** The circumstances of the tables of a schema. */
interface SchemaAccess {
  own: OwnNames
  /** The owners of all that contains them. */
  parents: readonly (string | undefined)[]
  /** Whether a group may use the schema or its catalog. */
  hasGroups: boolean
}

async function readTable(
  workspace: Workspace,
  path: readonly string[],
  { own, parents, hasGroups }: SchemaAccess,
): Promise<{ grants: SourceGrant[]; message: string | undefined }> {
  const table = ownedAnswer.safeParse(await requestTable(workspace, path))
  const owner = table.data?.owner ?? undefined
  const access = { privileges: await readPrivileges(workspace, 'TABLE', path), owner }
  if (!seesAll(access, own, parents)) throw toHidden(path)
  const message = hasGroups || grantsToGroup(access) ? GROUPS : undefined
  return { grants: toTableGrants(path, access), message }
}

// To everyone else, the server may show only their own grants.
function seesAll(
  { privileges, owner }: ObjectAccess,
  own: OwnNames,
  parents: readonly (string | undefined)[],
): boolean {
  if ([owner, ...parents].some((name) => name !== undefined && own.has(name))) return true
  return privileges.some(({ privilege, principal }) => privilege === 'MANAGE' && own.has(principal))
}

function toHidden(path: readonly string[]): SourceFailure {
  const message = `The grants on ${path.join('.')} may not all be visible. Grant the account MANAGE on its catalog`
  return new SourceFailure('permission', message)
}

async function readPrivileges(
  { client, url }: Workspace,
  kind: string,
  path: readonly string[],
): Promise<Privilege[]> {
  const name = path.join('.')
  const address = `api/2.1/unity-catalog/effective-permissions/${kind}/${encodeURIComponent(name)}`
  const what = `the grants on ${name}`
  const pages = readPages({
    name: `Unity Catalog’s listing of ${what}`,
    smallerSize: SMALLER_PAGE_SIZE,
    // 0 requests the server's own page size; a page may be empty and have a successor.
    async request(token, size = 0) {
      const query = { max_results: String(size), ...omitEmpty({ page_token: token }) }
      const result = await client.ask({ url: toUrl(url, address, query) }, permissionsAnswer)
      if ('status' in result) throw toStatusFailure(result.status, what)
      return result.value
    },
    getToken: (page) => page.next_page_token,
  })
  const privileges: Privilege[] = []
  for await (const { privilege_assignments: assignments } of pages) {
    for (const { principal, privileges: own } of assignments ?? []) {
      for (const { privilege, inherited_from_type: from } of own ?? []) {
        if (privilege) privileges.push({ principal, privilege, from: from ?? undefined })
      }
    }
    if (privileges.length > ENTRIES_MAX * 10) {
      throw new SourceFailure('too_large', `${name} has more than ${ENTRIES_MAX * 10} grants`)
    }
  }
  return privileges
}

async function readOwnNames({ client, url }: Workspace): Promise<OwnNames> {
  const address = toUrl(url, 'api/2.0/preview/scim/v2/Me')
  const result = await client.ask({ url: address }, accountAnswer)
  if ('status' in result) throw toStatusFailure(result.status, 'the account and its groups')
  const { userName, applicationId, groups } = result.value
  const names = [userName, applicationId, ...(groups ?? []).map(({ display }) => display)]
  return new Set(names.flatMap((name) => name || []))
}

// Metastore admins see everything.
async function readMetastoreOwner({ client, url }: Workspace): Promise<string | undefined> {
  const address = toUrl(url, 'api/2.1/unity-catalog/metastore_summary')
  const result = await client.ask({ url: address }, ownedAnswer)
  return 'value' in result ? (result.value.owner ?? undefined) : undefined
}

/** Lists who may use a catalog or schema, also as its owner. */
function toUses(
  path: readonly string[],
  { privileges, owner }: ObjectAccess,
  name: string,
): SourceGrant[] {
  const uses = privileges.filter(
    ({ privilege }) => privilege === name || privilege === 'ALL_PRIVILEGES',
  )
  const granted = uses.map(({ principal, privilege }) => ({ principal, privilege }))
  const owned = owner === undefined ? [] : [{ principal: owner, privilege: 'OWNERSHIP' }]
  return [...granted, ...owned].map(({ principal, privilege }) => ({
    path,
    grantee: toGrantee(principal),
    privilege,
    effect: 'use',
    withGrant: false,
  }))
}

const LENGTHS: ReadonlyMap<string, number> = new Map([
  ['METASTORE', 0],
  ['CATALOG', 1],
  ['SCHEMA', 2],
])

// A privilege on what contains a table is one on all that it contains.
function toTableGrants(
  path: readonly string[],
  { privileges, owner }: ObjectAccess,
): SourceGrant[] {
  const owned = { principal: owner ?? '', privilege: 'OWNERSHIP', from: undefined }
  return [...privileges, ...(owner === undefined ? [] : [owned])].flatMap((one) =>
    toEffects(one.privilege).map((effect) => ({
      path: path.slice(0, LENGTHS.get(one.from?.toUpperCase() ?? '') ?? path.length),
      grantee: toGrantee(one.principal),
      privilege: one.privilege,
      effect,
      withGrant: one.privilege === 'OWNERSHIP' || one.privilege === 'MANAGE',
    })),
  )
}

function toEffects(privilege: string): SourceGrant['effect'][] {
  switch (privilege) {
    case 'SELECT':
      return ['read']
    case 'MODIFY':
    case 'MANAGE':
      return ['write']
    case 'ALL_PRIVILEGES':
    case 'OWNERSHIP':
      return ['read', 'write']
    default:
      return []
  }
}

const APPLICATION_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

// A principal is the address of a person, the id of an application, or the name of a group.
function toGrantee(principal: string): Grantee {
  if (principal === EVERYONE) return PUBLIC
  const isUser = principal.includes('@') || APPLICATION_ID.test(principal)
  return { kind: isUser ? 'user' : 'group', name: principal }
}

function grantsToGroup({ privileges, owner }: ObjectAccess): boolean {
  const principals = privileges.map(({ principal }) => principal)
  const all = owner === undefined ? principals : [...principals, owner]
  return all.some((principal) => toGrantee(principal).kind === 'group')
}
