import { nameFilter } from '../filter.ts'
import {
  SourceFailure,
  type Batch,
  type KnownVersions,
  type Setup,
  type SourceAsset,
  type UnchangedAsset,
  type UnreadableAsset,
} from '../connector.ts'
import { omitEmpty } from '../asset-parts.ts'
import { Batcher } from '../batcher.ts'
import { mapConcurrently } from '../http/parallel.ts'
import { namespaceAnswer, tableAnswer, viewAnswer } from './answers.ts'
import { namespaceAsset, tableAsset, viewAsset } from './assets.ts'
import { PART_SEPARATOR, type Catalog } from './catalog.ts'
import { listNames, toStatusFailure } from './listing.ts'
import { namespaceName, namespaceParts } from './namespace-name.ts'

/** The protocol loads one table per request: this many are loaded for each batch. */
const GROUP = 64

/** The number of tables in a row that may fail before the catalog is asked whether it answers at all. */
const FAILED_TABLES_MAX = 10

/** A longer entity tag is ignored. */
const TAG_CHARACTERS_MAX = 1000

/** The context for reading one namespace. */
interface Reading {
  catalog: Catalog
  setup: Setup
  /** The namespace's name, which is also its only scope. */
  namespace: string
  includeViews: boolean
  known: KnownVersions
}

type Collection = 'tables' | 'views'

/**
 * Reads a namespace with its tables and views, without an outcome. Errors: SourceFailure, which the
 * caller reports as the outcome.
 */
export async function* readNamespace(reading: Reading): AsyncGenerator<Batch> {
  const parts = namespaceParts(reading.namespace)
  if (parts === undefined) throw new SourceFailure('protocol', 'The namespace has an empty name')
  yield { assets: [await readContainer(reading, parts)] }
  yield* readCollection(reading, parts, 'tables')
  if (reading.includeViews && reading.catalog.hasViews) {
    yield* readCollection(reading, parts, 'views')
  }
}

async function readContainer(
  { catalog, setup, namespace }: Reading,
  parts: readonly string[],
): Promise<SourceAsset> {
  const result = await catalog.get(['namespaces', joinParts(parts)], {}, namespaceAnswer)
  const parent = findParent(parts, nameFilter(setup.filters, 'namespace'))
  if ('value' in result) return namespaceAsset(namespace, parent, result.value.properties)
  if (result.status !== 403) throw toStatusFailure(result.status, `the namespace ${namespace}`)
  // Reading its properties requires a separate privilege; its tables may be listed without it.
  setup.log('warn', `The catalog does not show the properties of the namespace ${namespace}`)
  return namespaceAsset(namespace, parent, undefined)
}

/** Finds the nearest included ancestor of a namespace; undefined at the top. */
function findParent(
  parts: readonly string[],
  isIncluded: (name: string) => boolean,
): string | undefined {
  const above = parts.slice(1).map((_, at) => namespaceName(parts.slice(0, at + 1)))
  return above.findLast(isIncluded)
}

async function* readCollection(
  reading: Reading,
  parts: readonly string[],
  collection: Collection,
): AsyncGenerator<Batch> {
  const { catalog, setup } = reading
  const isIncluded = nameFilter(setup.filters, 'table')
  const seen = new Set<string>()
  const gone: string[] = []
  const failures = new TableFailures(async () => {
    await listNames(catalog, parts, collection).next()
  })
  for await (const page of listNames(catalog, parts, collection)) {
    // Pages may repeat a name while tables are created and dropped.
    const names = page.filter((name) => isIncluded(name) && !seen.has(name) && seen.add(name))
    for (let at = 0; at < names.length; at += GROUP) {
      const group = names.slice(at, at + GROUP)
      const loaded = await mapConcurrently(group, (name) =>
        load(reading, parts, collection, name, failures),
      )
      yield* toBatches(loaded)
      gone.push(...loaded.flatMap((each) => ('gone' in each ? [each.gone] : [])))
    }
  }
  failures.assertFew()
  if (gone.length > 0) yield* confirmGone(reading, parts, collection, gone)
}

type Loaded =
  | { asset: SourceAsset | UnreadableAsset }
  | { unchanged: UnchangedAsset }
  | { gone: string }

async function load(
  { catalog, namespace, known }: Reading,
  parts: readonly string[],
  collection: Collection,
  name: string,
  failures: TableFailures,
): Promise<Loaded> {
  if (name === '') return unreadable(namespace, name, collection, 'It has an empty name.')
  const path = ['namespaces', joinParts(parts), collection, name]
  try {
    const loaded = await (collection === 'tables'
      ? loadTable(catalog, path, namespace, name, known)
      : loadView(catalog, path, namespace, name))
    failures.noteLoaded()
    return loaded
  } catch (error) {
    if (!(error instanceof SourceFailure) || !TABLE_FAILURES.has(error.kind)) throw error
    if (error.kind === 'unreachable') await failures.note(error)
    return unreadable(namespace, name, collection, error.message)
  }
}

/**
 * Failures that may affect only one table; `unreachable` may be an error of the catalog for this
 * table.
 */
const TABLE_FAILURES = new Set<SourceFailure['kind']>([
  'permission',
  'protocol',
  'too_large',
  'unreachable',
])

async function loadTable(
  catalog: Catalog,
  path: readonly string[],
  namespace: string,
  name: string,
  known: KnownVersions,
): Promise<Loaded> {
  const knownTag = known.get(JSON.stringify([namespace, name]))
  // Loads only the part of the table's history that branches and tags refer to.
  const result = await catalog.get(path, { snapshots: 'refs' }, tableAnswer, knownTag)
  if ('value' in result) {
    const asset = tableAsset(namespace, name, result.value.metadata)
    return { asset: isVersion(result.etag) ? { ...asset, version: result.etag } : asset }
  }
  if (result.status === 304 && knownTag !== undefined) {
    return { unchanged: { path: [namespace, name], scope: [namespace], kind: 'table' } }
  }
  if (result.status === 404) return { gone: name }
  throw toStatusFailure(result.status, `the table ${namespace}.${name}`)
}

function isVersion(etag: string | undefined): etag is string {
  return etag !== undefined && etag !== '' && etag.length <= TAG_CHARACTERS_MAX
}

async function loadView(
  catalog: Catalog,
  path: readonly string[],
  namespace: string,
  name: string,
): Promise<Loaded> {
  const result = await catalog.get(path, {}, viewAnswer)
  if ('value' in result) return { asset: viewAsset(namespace, name, result.value.metadata) }
  if (result.status === 404) return { gone: name }
  throw toStatusFailure(result.status, `the view ${namespace}.${name}`)
}

function unreadable(
  namespace: string,
  name: string,
  collection: Collection,
  message: string,
): Loaded {
  const kind = collection === 'tables' ? 'table' : 'view'
  return { asset: { path: [namespace, name], scope: [namespace], kind, message } }
}

/**
 * Counts errors of the catalog. Throws a failure if they affect the catalog and not only some tables.
 */
class TableFailures {
  readonly #ask: () => Promise<void>
  #last: SourceFailure | undefined
  /** In a row. */
  #count = 0
  #hasLoaded = false

  /** `ask` sends another request, and fails if the catalog does. */
  constructor(ask: () => Promise<void>) {
    this.#ask = ask
  }

  noteLoaded(): void {
    this.#hasLoaded = true
    this.#count = 0
  }

  async note(failure: SourceFailure): Promise<void> {
    this.#last = failure
    this.#count += 1
    if (this.#count <= FAILED_TABLES_MAX) return
    if (!this.#hasLoaded) throw failure
    await this.#ask()
    this.#count = 0
  }

  assertFew(): void {
    if (this.#last !== undefined && !this.#hasLoaded) throw this.#last
  }
}

function* toBatches(loaded: readonly Loaded[]): Generator<Batch> {
  const unchanged = loaded.flatMap((each) => ('unchanged' in each ? [each.unchanged] : []))
  const batcher = new Batcher()
  for (const each of loaded) if ('asset' in each) batcher.add(each.asset)
  yield* batcher.takeFull()
  yield { ...batcher.takeLast(), ...omitEmpty({ unchanged }) }
}

/**
 * Handles tables that were listed but not found: they were dropped during the listing or are
 * broken. Those in a second listing exist.
 */
async function* confirmGone(
  { catalog, namespace, setup }: Reading,
  parts: readonly string[],
  collection: Collection,
  names: readonly string[],
): AsyncGenerator<Batch> {
  const gone = new Set(names)
  const present: string[] = []
  for await (const page of listNames(catalog, parts, collection)) {
    for (const name of page) if (gone.delete(name)) present.push(name)
  }
  for (const name of gone) setup.log('info', `${namespace}.${name} was dropped during the listing`)
  const message = 'The catalog lists it but does not find it'
  if (present.length === 0) return
  yield* toBatches(present.map((name) => unreadable(namespace, name, collection, message)))
}

function joinParts(parts: readonly string[]): string {
  return parts.join(PART_SEPARATOR)
}
