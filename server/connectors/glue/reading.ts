import { nameFilter } from '../filter.ts'
import {
  isPartialFailure,
  SourceFailure,
  type Batch,
  type Scope,
  type SourceAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { Batcher } from '../batcher.ts'
import { describeCount } from '../checks.ts'
import { mapConcurrently, readAhead } from '../http/parallel.ts'
import { glueTable, namedTable, tablesAnswer, type GlueTable } from './answers.ts'
import { getKind, toDatabaseAsset, toTableAsset } from './assets.ts'
import { listPages, type GlueCatalog } from './catalog.ts'
import { loadTarget } from './links.ts'
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
    const { assets, unreadable } = await loadEntries(catalog, database, kept)
    for (const asset of assets) batcher.add(asset, JSON.stringify(asset).length)
    for (const full of batcher.takeFull()) yield { assets: full }
    if (unreadable.length > 0) yield { assets: [], unreadable }
  }
  yield { assets: batcher.takeLast() }
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
  return { name, unreadable: toUnreadable(database, name, getKind(named.data), message) }
}

function toUnreadable(
  database: string,
  name: string,
  kind: UnreadableAsset['kind'],
  message: string,
): UnreadableAsset {
  return { path: [database, name], scope: [database], kind, message }
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

interface LoadedEntries {
  assets: SourceAsset[]
  unreadable: UnreadableAsset[]
}

/** Loads the targets of links and the tags of tables, in the order of the page. */
async function loadEntries(
  catalog: GlueCatalog,
  database: string,
  entries: readonly Entry[],
): Promise<LoadedEntries> {
  const loaded = await mapConcurrently(entries, (entry) => loadEntry(catalog, database, entry))
  const unreadable = loaded.flatMap((each) => ('unreadable' in each ? [each.unreadable] : []))
  const wanted = loaded
    .flatMap((each) => ('asset' in each ? [each.asset] : []))
    // The kind of a link is that of its target.
    .filter(({ kind }) => catalog.configuration.includeViews || kind !== 'view')
  const tagged = await addTableTags(catalog, wanted)
  return {
    assets: tagged.flatMap((asset) => asset ?? []),
    unreadable: [
      ...unreadable,
      ...wanted
        .filter((_, at) => tagged[at] === undefined)
        .map(({ path: [, name = ''], kind }) =>
          toUnreadable(database, name, kind, 'Lake Formation does not find it.'),
        ),
    ],
  }
}

async function loadEntry(
  catalog: GlueCatalog,
  database: string,
  entry: Entry,
): Promise<{ asset: SourceAsset } | { unreadable: UnreadableAsset }> {
  if ('unreadable' in entry) return entry
  const { name, table } = entry
  const place = { name, database, origin: catalog.configuration }
  if (table.TargetTable == null) return { asset: toTableAsset(table, place) }
  try {
    return { asset: toTableAsset(await loadTarget(catalog, table.TargetTable), place) }
  } catch (error) {
    if (!isPartialFailure(error)) throw error
    return { unreadable: toUnreadable(database, name, getKind(table), error.message) }
  }
}
