/** A small database as the assets of an integration, for tests of the tree and of the pages. */

import { ingest, sourceTable, type TestIntegration } from './ingested-assets.ts'
import type { World } from './world.ts'

/**
 * Creates a database with two schemas, one of them empty, and two tables. Returns ids by dotted
 * names.
 */
export async function ingestSales(
  world: World,
  integration: TestIntegration,
): Promise<Record<string, string>> {
  const assets = [
    container('database', ['sales']),
    container('schema', ['sales', 'public']),
    container('schema', ['sales', 'archive']),
    sourceTable(['sales', 'public', 'customers'], {
      description: 'Who buys',
      statistic: { rowCount: 7 },
    }),
    sourceTable(['sales', 'public', 'orders']),
  ]
  const ids = await ingest(world, integration, assets)
  return Object.fromEntries(assets.map(({ path }, at) => [path.join('.'), ids[at] ?? '']))
}

const container = (kind: 'database' | 'schema', path: string[]) => ({
  ...sourceTable(path, { kind }),
  columns: [],
})
