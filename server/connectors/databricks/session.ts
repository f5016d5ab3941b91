import { z } from 'zod'
import type { AssetPlace, Scope, Setup, SourceSession, TableProof } from '../connector.ts'
import { nameFilter } from '../filter.ts'
import { toUrl } from '../http/address.ts'
import { proveEach, readScopesConcurrently } from '../http/read-scopes.ts'
import type { Wait } from '../http/transport.ts'
import { listContainer, requirePermissionMessage, toDetails } from '../scopes.ts'
import { catalogsAnswer, schemasAnswer } from './answers.ts'
import { databricksConfiguration, systemNames } from './configuration.ts'
import { readGrants } from './grants.ts'
import { readScope } from './reading.ts'
import { listPages, openWorkspace, type Workspace } from './workspace.ts'

/** The number of schemas that are read at the same time. */
const SCOPES_AT_ONCE = 8

/** Opens a session; `wait` delays its requests. Errors: SourceFailure. */
export async function openSession(setup: Setup, wait?: Wait): Promise<SourceSession> {
  const configuration = databricksConfiguration.parse(setup.configuration)
  const workspace = await openWorkspace(configuration, setup, wait)
  return {
    scopes: () => listScopes(workspace),
    read: (scopes, known = new Map()) =>
      readScopesConcurrently(scopes, SCOPES_AT_ONCE, (scope) =>
        readScope({ workspace, known }, scope),
      ),
    prove: async (tables) => await proveTables(workspace, tables),
    grants: (scopes, tables) => readGrants(workspace, scopes, tables),
    close: async () => await workspace.close(),
  }
}

/** Lists catalogs and schemas with their decisions. Errors: SourceFailure. */
async function* listScopes(workspace: Workspace): AsyncGenerator<Scope> {
  const { setup, configuration } = workspace
  const isIncluded = nameFilter(setup.filters, 'catalog', systemNames.catalog)
  const pages = listPages(workspace, 'catalogs', {}, catalogsAnswer, 'its catalogs')
  for await (const { catalogs } of pages) {
    for (const { name, id, comment, owner, catalog_type: type } of catalogs ?? []) {
      const scope = { path: [name], kind: 'catalog', reading: name } as const
      const isForeign = type?.startsWith('FOREIGN') === true
      if (!isIncluded(name) || (isForeign && !configuration.includeForeign)) {
        yield { ...scope, decision: 'excluded' }
        continue
      }
      const own = { ...scope, ...toDetails({ id, comment, owner }) }
      const explain = (error: unknown): string =>
        `${requirePermissionMessage(error)} Grant USE CATALOG, or BROWSE, on ${name}.`
      yield* listContainer(own, listSchemas(workspace, name), explain)
    }
  }
}

async function* listSchemas(workspace: Workspace, catalog: string): AsyncGenerator<Scope> {
  const isIncluded = nameFilter(workspace.setup.filters, 'schema', systemNames.schema)
  const query = { catalog_name: catalog }
  const what = `the schemas of ${catalog}`
  for await (const { schemas } of listPages(workspace, 'schemas', query, schemasAnswer, what)) {
    for (const { name, schema_id: id, comment, owner } of schemas ?? []) {
      const scope = { path: [catalog, name], kind: 'schema', reading: catalog } as const
      yield isIncluded(name)
        ? { ...scope, decision: 'included', ...toDetails({ id, comment, owner }) }
        : { ...scope, decision: 'excluded' }
    }
  }
}

const existsAnswer = z.object({ table_exists: z.boolean() })

/** Asks whether tables exist. Only an account that may see the table, or browse its schema, gets an answer. */
async function proveTables(
  { client, url, configuration }: Workspace,
  tables: readonly AssetPlace[],
): Promise<TableProof[]> {
  return await proveEach(tables, async ({ path }) => {
    const name = encodeURIComponent(path.join('.'))
    const address = toUrl(url, `api/2.1/unity-catalog/tables/${name}`)
    if (configuration.authentication === 'none') {
      // A server without accounts hides nothing, and the open-source one has no other address.
      const table = await client.ask({ url: address }, z.unknown())
      if ('value' in table) return { presence: 'present' }
      if (table.status === 404) return { presence: 'gone' }
    }
    const result = await client.ask({ url: new URL(`${address.href}/exists`) }, existsAnswer)
    if ('value' in result) return { presence: result.value.table_exists ? 'present' : 'gone' }
    if (result.status === 403) return { presence: 'refused' }
    const message = `Unity Catalog does not answer whether it exists (status ${result.status}).`
    return { presence: 'unknown', message }
  })
}
