import { nameFilter } from '../filter.ts'
import {
  isPartialFailure,
  SourceFailure,
  type AssetPlace,
  type Batch,
  type Scope,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { toUnreadable } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import { describeCount } from '../checks.ts'
import { mapConcurrently, readAhead } from '../http/parallel.ts'
import { glueTable, namedTable, tableAnswer, tablesAnswer, type GlueTable } from './answers.ts'
import { getKind, toDatabaseAsset, toTableAsset } from './assets.ts'
import { toRequestFailure } from './aws-error.ts'
import { callGlue, listPages, SERVICE, type GlueCatalog } from './catalog.ts'
import { addDatabaseTags, addTableTags } from './tags.ts'

/**
 * Reads a database with its tables, without an outcome. Errors: SourceFailure, which the caller
 * reports as the outcome.
 */
export async function* readDatabase(catalog: GlueCatalog, scope: Scope): AsyncGenerator<Batch> {
  const database = toDatabaseAsset(scope, catalog.configuration)
  yield { assets: [await addDatabaseTags(catalog, database)] }
  yield* readTables(catalog, scope.path[0] ?? '')
}

async function* readTables(catalog: GlueCatalog, database: string): AsyncGenerator<Batch> {
  const { setup } = catalog
  const isIncluded = nameFilter(setup.filters, 'table')
  const batcher = new Batcher()
  let skippedCount = 0
  const pages = listPages(
    catalog,
    'GetTables',
    { DatabaseName: database },
    tablesAnswer,
    `the tables of ${database}`,
  )
  for await (const { TableList: page } of readAhead(pages)) {
    const entries = page
      .map((given) => parseEntry(given, database))
      .filter((entry) => isWanted(catalog, entry) && isIncluded(entry.name))
    skippedCount += entries.filter((entry) => isSkipped(catalog, entry)).length
    const kept = entries.filter((entry) => !isSkipped(catalog, entry))
    for (const asset of await loadEntries(catalog, database, kept)) batcher.add(asset)
    yield* batcher.takeFull()
  }
  yield batcher.takeLast()
  if (skippedCount > 0) {
    setup.log(
      'info',
      `${database}: ${describeCount(skippedCount, 'link')} to other tables left out`,
    )
  }
}

/** An entry of a page, or the reason why it cannot be parsed. */
type Entry = { name: string } & ({ table: GlueTable } | { unreadable: UnreadableAsset })

function parseEntry(given: unknown, database: string): Entry {
  const read = glueTable.safeParse(given)
  if (read.success) return { name: read.data.Name, table: read.data }
  const named = namedTable.safeParse(given)
  if (!named.success) {
    const message = `AWS Glue lists a table without a name in ${database}`
    throw new SourceFailure('protocol', message, { cause: named.error })
  }
  const { Name: name } = named.data
  const message = 'Its description does not follow the protocol.'
  return { name, unreadable: toUnreadable(toPlace(database, name, named.data), message) }
}

function toPlace(database: string, name: string, table: Pick<GlueTable, 'TableType'>): AssetPlace {
  return { path: [database, name], scope: [database], kind: getKind(table) }
}

function isWanted({ configuration }: GlueCatalog, entry: Entry): boolean {
  const kind = 'table' in entry ? getKind(entry.table) : entry.unreadable.kind
  return configuration.includeViews || kind !== 'view'
}

function isSkipped({ configuration }: GlueCatalog, entry: Entry): boolean {
  return (
    configuration.resourceLinks === 'skip' && 'table' in entry && entry.table.TargetTable != null
  )
}

/** Loads the targets of links and the tags of tables. */
async function loadEntries(
  catalog: GlueCatalog,
  database: string,
  entries: readonly Entry[],
): Promise<(SourceAsset | UnreadableAsset)[]> {
  const loaded = await mapConcurrently(entries, (entry) => loadEntry(catalog, database, entry))
  const unreadable = loaded.filter((each) => 'message' in each)
  const wanted = loaded
    .filter((each) => !('message' in each))
    // The kind of a link is that of its target.
    .filter(({ kind }) => catalog.configuration.includeViews || kind !== 'view')
  const tagged = await addTableTags(catalog, wanted)
  const complete = wanted.map(
    (asset, at) => tagged[at] ?? toUnreadable(asset, 'Lake Formation does not find it.'),
  )
  return [...unreadable, ...complete]
}

async function loadEntry(
  catalog: GlueCatalog,
  database: string,
  entry: Entry,
): Promise<SourceAsset | UnreadableAsset> {
  if ('unreadable' in entry) return entry.unreadable
  const { name, table } = entry
  const origin = { name, database, origin: catalog.configuration }
  if (table.TargetTable == null) return toTableAsset(table, origin)
  try {
    return toTableAsset(await loadTarget(catalog, table.TargetTable), origin)
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    return toUnreadable(toPlace(database, name, table), error.message)
  }
}

/**
 * Loads the table to which a link refers. Errors: those of AwsClient, and SourceFailure permission,
 * protocol, which concern only this link.
 */
async function loadTarget(
  catalog: GlueCatalog,
  {
    CatalogId: catalogId,
    DatabaseName: database,
    Name: name,
    Region: region,
  }: NonNullable<GlueTable['TargetTable']>,
): Promise<GlueTable> {
  const what = `the table ${database}.${name}, to which it links`
  if (region && region !== catalog.configuration.region) {
    throw new SourceFailure('permission', `It links to a table in another region (${region})`)
  }
  const input = {
    ...(catalogId ? { CatalogId: catalogId } : {}),
    DatabaseName: database,
    Name: name,
  }
  const result = await callGlue(catalog, 'GetTable', input, tableAnswer)
  if ('error' in result) throw toRequestFailure(SERVICE, result.error, what)
  const read = glueTable.safeParse(result.value.Table)
  if (read.success && read.data.TargetTable == null) return read.data
  throw new SourceFailure('protocol', `${SERVICE} did not return ${what}`, { cause: read.error })
}
