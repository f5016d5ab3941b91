import {
  attemptReading,
  PUBLIC,
  toAdministratorBatches,
  toGrantBatches,
  toOutcomeBatches,
  toUnreadOutcome,
} from '../access.ts'
import { SourceFailure, type AssetPlace, type Scope } from '../connector.ts'
import type { Grantee, GrantBatch, SourceGrant } from '../grant.ts'
import { readTableGrants } from '../http/table-grants.ts'
import type { GlueCatalog } from './catalog.ts'
import { listPermissions, readAdministrators, type LakePermission } from './permissions.ts'

/**
 * Grants of Lake Formation on tables of the Data Catalog. To accounts that do not administer the data lake it silently shows
 * only a part, and policies of IAM and of storage give access that it does not have.
 */

const IAM_LIMIT = 'Access by policies of IAM and of the storage is not visible.'
const IAM_DECIDES = 'Policies of IAM decide about this table (IAMAllowedPrincipals).'
const CONDITIONS = 'Grants with a condition are not compared.'
const NO_ADMINISTRATOR =
  'Lake Formation shows all permissions only to administrators of the data lake. Make the account a read-only administrator'

/**
 * Reads the grants on tables and on all tables of their databases. A table or database that cannot be read leaves the others
 * readable. Errors: SourceFailure.
 */
export async function* readGrants(
  catalog: GlueCatalog,
  scopes: readonly Scope[],
  tables: readonly AssetPlace[],
): AsyncGenerator<GrantBatch> {
  const databases = new Set(scopes.flatMap(({ path }) => path.slice(0, 1)))
  const byDatabase = Map.groupBy(tables, ({ path }) => path[0] ?? '')
  const wanted = [...byDatabase].filter(([database]) => databases.has(database))
  if (wanted.length > 0) yield* readAdmins(catalog)
  for (const [database, own] of wanted) {
    const all = await attemptReading(() => listPermissions(catalog, database, undefined))
    if (all instanceof SourceFailure) {
      yield* toOutcomeBatches(own.map((table) => toUnreadOutcome(table.path, all)))
      continue
    }
    yield* toGrantBatches(toGrants(catalog, [database], all))
    yield* readTableGrants(own, ({ path }) => readTable(catalog, path, all))
  }
  // Lake Formation has no roles, and members of groups are unknown, which the outcomes report.
  yield { membership: {} }
}

async function* readAdmins(catalog: GlueCatalog): AsyncGenerator<GrantBatch> {
  const { administrators, readers } = await readAdministrators(catalog)
  const own = await catalog.identify()
  if (![...administrators, ...readers].some((name) => isSamePrincipal(name, own))) {
    throw new SourceFailure('permission', NO_ADMINISTRATOR)
  }
  yield* toAdministratorBatches(administrators.flatMap((name) => toGrantee(catalog, name) ?? []))
}

/**
 * Checks whether an identifier is that of the account. A session of a role has the name of the role without its path:
 * `arn:aws:sts::1:assumed-role/portbook/session` is of `arn:aws:iam::1:role/service/portbook`.
 */
function isSamePrincipal(name: string, own: string): boolean {
  if (name === own) return true
  const session = /^arn:[\w-]+:sts::(\d+):assumed-role\/([^/]+)\//.exec(own)
  const role = /^arn:[\w-]+:iam::(\d+):role\/(?:.*\/)?([^/]+)$/.exec(name)
  return session !== null && role !== null && session[1] === role[1] && session[2] === role[2]
}

async function readTable(
  catalog: GlueCatalog,
  path: readonly string[],
  onAll: readonly LakePermission[],
): Promise<{ grants: SourceGrant[]; message: string }> {
  const [database = '', name = ''] = path
  const permissions = await listPermissions(catalog, database, name)
  return {
    grants: toGrants(catalog, path, permissions),
    message: explain([...onAll, ...permissions]),
  }
}

function explain(permissions: readonly LakePermission[]): string {
  if (permissions.some(isLeftToIam)) return IAM_DECIDES
  return permissions.some(({ Condition }) => Condition != null) ? CONDITIONS : IAM_LIMIT
}

function isLeftToIam({
  Principal: { DataLakePrincipalIdentifier: name },
}: LakePermission): boolean {
  return name === 'IAM_ALLOWED_PRINCIPALS'
}

function toGrants(
  catalog: GlueCatalog,
  path: readonly string[],
  permissions: readonly LakePermission[],
): SourceGrant[] {
  return permissions
    .filter(({ Condition }) => Condition == null)
    .flatMap((one) => {
      const grantee = toGrantee(catalog, one.Principal.DataLakePrincipalIdentifier)
      if (grantee === undefined) return []
      const options = new Set(one.PermissionsWithGrantOption)
      return [...new Set([...(one.Permissions ?? []), ...options])].flatMap((privilege) =>
        toEffects(privilege).map((effect) => ({
          path: isOnAllTables(one) ? path.slice(0, 1) : path,
          grantee,
          privilege,
          effect,
          withGrant: options.has(privilege),
          ...toColumns(one),
          ...(one.Resource.LFTagPolicy != null && { inheritedFrom: 'LF-tags' }),
        })),
      )
    })
}

function toEffects(privilege: string): SourceGrant['effect'][] {
  switch (privilege) {
    case 'SELECT':
      return ['read']
    case 'INSERT':
    case 'DELETE':
    case 'ALTER':
    case 'DROP':
      return ['write']
    case 'ALL':
      return ['read', 'write']
    default:
      return []
  }
}

// Lake Formation names all tables of a database so.
const ALL_TABLES = 'ALL_TABLES'

function isOnAllTables({ Resource: { Table, TableWithColumns } }: LakePermission): boolean {
  return Table?.TableWildcard != null || (Table ?? TableWithColumns)?.Name === ALL_TABLES
}

// The names of columns are unknown if some are excluded, or if a filter decides: then it is an empty list.
function toColumns({
  Resource: { TableWithColumns: table, DataCellsFilter: filter },
}: LakePermission): { columns?: readonly string[] } {
  if (filter != null) return { columns: [] }
  if (table == null) return {}
  if ((table.ColumnNames?.length ?? 0) > 0) return { columns: table.ColumnNames ?? [] }
  return (table.ColumnWildcard?.ExcludedColumnNames?.length ?? 0) > 0 ? { columns: [] } : {}
}

/**
 * Returns the grantee for an identifier: an ARN, or everyone in this account. Undefined = other accounts, to which tables are
 * shared, and IAMAllowedPrincipals.
 */
function toGrantee({ configuration }: GlueCatalog, name: string): Grantee | undefined {
  if (name === `${configuration.catalogId}:IAMPrincipals`) return PUBLIC
  if (!name.startsWith('arn:')) return undefined
  const resource = name.split(':').slice(5).join(':')
  if (/^(?:organization|ou)\//.test(resource)) return undefined
  if (/(?:^|[:/])group[:/]/.test(resource)) return { kind: 'group', name }
  return { kind: /(?:^|[:/])user[:/]/.test(resource) ? 'user' : 'role', name }
}
