import { nameFilter } from '../filter.ts'
import type { Finding, Setup, SourceFailure } from '../connector.ts'
import { describeCount, runCheck } from '../http/check.ts'
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
  const found = await runCheck(
    SERVICE,
    setup,
    async (bounded, findings) => {
      const workspace = await openWorkspace(configuration, bounded)
      try {
        await checkCatalogs(workspace, findings)
        await checkWarehouse(workspace, findings)
      } finally {
        await workspace.close()
      }
    },
    (failure) => getHint(failure, configuration),
  )
  return [...clearTextFindings(configuration), ...found]
}

function clearTextFindings({ authentication, url }: DatabricksConfiguration): Finding[] {
  if (authentication === 'none' || !url.startsWith('http:')) return []
  const hint = 'Use https unless the network to the server is private'
  return [{ state: 'warning', what: 'The credentials are sent without encryption', hint }]
}

async function checkCatalogs(workspace: Workspace, findings: Finding[]): Promise<void> {
  const { filters } = workspace.setup
  const result = await requestPage(workspace, 'catalogs', { max_results: '0' }, catalogsAnswer)
  if ('status' in result) throw toStatusFailure(result.status, 'its catalogs')
  const { next_page_token: token } = result.value
  const names = (result.value.catalogs ?? []).map(({ name }) => name)
  const included = names.filter(nameFilter(filters, 'catalog', systemNames.catalog))
  const more = token ? ' and more' : ''
  const isEmpty = included.length === 0 && more === ''
  findings.push({
    state: isEmpty ? 'error' : 'ok',
    what: `Unity Catalog shows ${describeCount(names.length, 'catalog')}${more}, ${included.length} of them included`,
    ...(isEmpty
      ? { hint: 'Grant access to a catalog: GRANT BROWSE ON CATALOG … TO `<account>`' }
      : {}),
  })
  for (const catalog of included.slice(0, CATALOGS_TRIED_MAX)) {
    if (await checkTables(workspace, catalog, findings)) return
  }
}

/** Lists tables of one schema; returns false if the catalog shows none. */
async function checkTables(
  workspace: Workspace,
  catalog: string,
  findings: Finding[],
): Promise<boolean> {
  const query = { max_results: '0', catalog_name: catalog }
  const listed = await requestPage(workspace, 'schemas', query, schemasAnswer)
  const grant = `GRANT USE CATALOG, USE SCHEMA, BROWSE ON CATALOG \`${catalog}\` TO \`<account>\``
  if ('status' in listed) {
    const what = toStatusFailure(listed.status, `the schemas of ${catalog}`).message
    findings.push({ state: 'warning', what, hint: `It will be absent without: ${grant}` })
    return false
  }
  const isIncluded = nameFilter(workspace.setup.filters, 'schema', systemNames.schema)
  const schema = listed.value.schemas?.find(({ name }) => isIncluded(name))?.name
  if (schema === undefined) return false
  const tables = await requestPage(
    workspace,
    'tables',
    { ...query, max_results: '1', schema_name: schema },
    tablesAnswer,
  )
  const name = `${catalog}.${schema}`
  if ('status' in tables) {
    const what = toStatusFailure(tables.status, `the tables of ${name}`).message
    findings.push({ state: 'warning', what, hint: `It will be absent without: ${grant}` })
    return false
  }
  if ((tables.value.tables ?? []).length === 0) return false
  findings.push({ state: 'ok', what: `The tables of ${name} can be read` })
  return true
}

async function checkWarehouse(workspace: Workspace, findings: Finding[]): Promise<void> {
  const { warehouseId, authentication } = workspace.configuration
  if (warehouseId === undefined) {
    if (authentication === 'none') return
    const hint = 'Enter the id of a SQL warehouse to read primary keys, foreign keys and tags'
    findings.push({ state: 'warning', what: 'Keys and tags are not read', hint })
    return
  }
  const statement = { sql: 'select 1', parameters: {}, what: 'keys and tags' }
  for await (const _ of runStatement(workspace, statement)) continue
  findings.push({ state: 'ok', what: `The SQL warehouse ${warehouseId} answers` })
}

function getHint(failure: SourceFailure, configuration: DatabricksConfiguration): string {
  const { authentication, warehouseId } = configuration
  switch (failure.kind) {
    case 'auth':
      return authentication === 'token'
        ? 'Check that the token has not expired and belongs to this workspace'
        : 'Check client id and secret, and that the service principal was added to the workspace'
    case 'unreachable':
      return 'Check the workspace URL, and whether this server may connect to it (IP access list)'
    case 'permission':
      return failure.message.includes('SQL warehouse')
        ? `Allow the account to use it: Permissions of the warehouse ${warehouseId} › Can use`
        : 'Grant the privilege: GRANT USE CATALOG, USE SCHEMA, BROWSE ON CATALOG … TO `<account>`'
    case 'rate_limited':
      return 'Try again later'
    case 'protocol':
      return 'Check that the address is that of a workspace, without a path, and that it has Unity Catalog'
    case 'too_large':
    case 'crashed':
    case 'cancelled':
      return 'Try again'
  }
}
