import { checkService, describeCount, pass, reject, warn, type Advice } from '../checks.ts'
import type { Finding, Setup } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import { catalogsAnswer, schemasAnswer, tablesAnswer } from './answers.ts'
import {
  databricksConfiguration,
  systemNames,
  type DatabricksConfiguration,
} from './configuration.ts'
import { runStatement } from './statements.ts'
import {
  openWorkspace,
  requestPage,
  SERVICE,
  toStatusFailure,
  type Workspace,
} from './workspace.ts'

/** The number of catalogs tried for a table; with token and warehouse at most ten requests. */
const CATALOGS_TRIED_MAX = 2

/** Tries a workspace with a handful of requests. */
export async function checkSource(setup: Setup): Promise<Finding[]> {
  const configuration = databricksConfiguration.parse(setup.configuration)
  const { authentication, url } = configuration
  return await checkService({
    service: SERVICE,
    setup,
    addresses: { urls: authentication === 'none' ? [] : [url], place: 'server' },
    open: async (bounded) => await openWorkspace(configuration, bounded),
    steps: checkWorkspace,
    advice: getAdvice(configuration),
  })
}

async function* checkWorkspace(workspace: Workspace): AsyncGenerator<Finding> {
  yield* checkCatalogs(workspace)
  yield* checkWarehouse(workspace)
}

async function* checkCatalogs(workspace: Workspace): AsyncGenerator<Finding> {
  const { filters } = workspace.setup
  const result = await requestPage(workspace, 'catalogs', { max_results: '0' }, catalogsAnswer)
  if ('status' in result) throw toStatusFailure(result.status, 'its catalogs')
  const names = (result.value.catalogs ?? []).map(({ name }) => name)
  const included = names.filter(nameFilter(filters, 'catalog', systemNames.catalog))
  const more = result.value.next_page_token ? ' and more' : ''
  const what = `Unity Catalog shows ${describeCount(names.length, 'catalog')}${more}, ${included.length} of them included`
  yield included.length === 0 && more === ''
    ? reject(what, 'Grant access to a catalog: GRANT BROWSE ON CATALOG … TO `<account>`')
    : pass(what)
  for (const catalog of included.slice(0, CATALOGS_TRIED_MAX)) {
    if (yield* checkTables(workspace, catalog)) return
  }
}

/** Lists tables of one schema; returns false if the catalog shows none. */
async function* checkTables(
  workspace: Workspace,
  catalog: string,
): AsyncGenerator<Finding, boolean> {
  const query = { max_results: '0', catalog_name: catalog }
  const listed = await requestPage(workspace, 'schemas', query, schemasAnswer)
  const grant = `GRANT USE CATALOG, USE SCHEMA, BROWSE ON CATALOG \`${catalog}\` TO \`<account>\``
  const hint = `It will be absent without: ${grant}`
  if ('status' in listed) {
    yield warn(toStatusFailure(listed.status, `the schemas of ${catalog}`).message, hint)
    return false
  }
  const isIncluded = nameFilter(workspace.setup.filters, 'schema', systemNames.schema)
  const schema = listed.value.schemas?.find(({ name }) => isIncluded(name))?.name
  if (schema === undefined) return false
  const tablesQuery = { ...query, max_results: '1', schema_name: schema }
  const tables = await requestPage(workspace, 'tables', tablesQuery, tablesAnswer)
  const name = `${catalog}.${schema}`
  if ('status' in tables) {
    yield warn(toStatusFailure(tables.status, `the tables of ${name}`).message, hint)
    return false
  }
  if ((tables.value.tables ?? []).length === 0) return false
  yield pass(`The tables of ${name} can be read`)
  return true
}

async function* checkWarehouse(workspace: Workspace): AsyncGenerator<Finding> {
  const { warehouseId, authentication } = workspace.configuration
  if (warehouseId === undefined) {
    if (authentication === 'none') return
    const hint = 'Enter the id of a SQL warehouse to read primary keys, foreign keys and tags'
    yield warn('Keys and tags are not read', hint)
    return
  }
  const statement = { sql: 'select 1', parameters: {}, what: 'keys and tags' }
  for await (const _ of runStatement(workspace, statement)) continue
  yield pass(`The SQL warehouse ${warehouseId} answers`)
}

function getAdvice({ authentication, warehouseId }: DatabricksConfiguration): Advice {
  return {
    auth:
      authentication === 'token'
        ? 'Check that the token has not expired and belongs to this workspace'
        : 'Check client id and secret, and that the service principal was added to the workspace',
    unreachable:
      'Check the workspace URL, and whether this server may connect to it (IP access list)',
    permission: ({ message }) =>
      message.includes('SQL warehouse')
        ? `Allow the account to use it: Permissions of the warehouse ${warehouseId} › Can use`
        : 'Grant the privilege: GRANT USE CATALOG, USE SCHEMA, BROWSE ON CATALOG … TO `<account>`',
    protocol:
      'Check that the address is that of a workspace, without a path, and that it has Unity Catalog',
  }
}
