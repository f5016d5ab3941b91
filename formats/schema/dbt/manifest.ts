// The manifest of dbt (`target/manifest.json`), versions 9 to 12 of dbt Core 1.5 to 1.12, and 20 of dbt Fusion, which
// has the same fields: its models, seeds, snapshots and sources in the form of a properties file, so that one reader
// reads both. https://docs.getdbt.com/reference/artifacts/manifest-json

import { asText, getField, isObject, put, type ObjectValue, type Value } from '../../text/value.ts'
import { refersTo } from './test-read.ts'

/** A model of a manifest as a properties file states it. */
interface ManifestModel {
  properties: ObjectValue
  /** The place in the manifest; the columns are below it, by name. */
  path: [section: string, id: string]
}

/** The models of a manifest, in its order, and warnings about it. */
interface Manifest {
  models: ManifestModel[]
  warnings: { path: string[]; message: string }[]
}

const KNOWN_VERSIONS: ReadonlySet<number> = new Set([9, 10, 11, 12, 20])
const MODEL_TYPES: ReadonlySet<string> = new Set(['model', 'seed', 'snapshot', 'source'])
const SECTIONS = ['nodes', 'sources'] as const

// Settings of dbt that define how a table is built, or that are stated elsewhere in the manifest.
const BUILD_SETTINGS: ReadonlySet<string> = new Set([
  'access',
  'alias',
  'batch_size',
  'begin',
  'check_cols',
  'concurrent_batches',
  'database',
  'delimiter',
  'docs',
  'enabled',
  'event_time',
  'freshness',
  'full_refresh',
  'group',
  'hard_deletes',
  'incremental_strategy',
  'invalidate_hard_deletes',
  'loaded_at_field',
  'loaded_at_query',
  'lookback',
  'meta',
  'on_configuration_change',
  'on_schema_change',
  'packages',
  'persist_docs',
  'post-hook',
  'pre-hook',
  'quoting',
  'schema',
  'sql_header',
  'static_analysis',
  'strategy',
  'target_database',
  'target_schema',
  'unique_key',
  'updated_at',
])

// What a test is without settings, as a manifest writes it out.
const TEST_DEFAULTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['severity', 'error'],
  ['warn_if', '!= 0'],
  ['error_if', '!= 0'],
  ['fail_calc', 'count(*)'],
  ['enabled', true],
])
const TEST_SETTINGS = [...TEST_DEFAULTS.keys(), 'where', 'limit']

/** Returns whether a specification is a manifest. */
export function isManifest(value: Value | undefined): value is ObjectValue {
  return isObject(value) && schemaVersion(value) !== undefined
}

/** Reads a manifest; models that dbt does not build (`ephemeral`) are left out, with a warning. */
export function readManifest(manifest: ObjectValue): Manifest {
  const warnings: Manifest['warnings'] = []
  const version = Number(schemaVersion(manifest))
  if (!KNOWN_VERSIONS.has(version)) {
    const message = `Version ${version} of dbt's manifest is not known; it is read as one of the versions 9 to 12 and 20. Check the models.`
    warnings.push({ path: ['metadata', 'dbt_schema_version'], message })
  }
  const nodes = listNodes(manifest)
  const tests = new TestsByModel(nodes)
  const models: ManifestModel[] = []
  for (const { id, section, node } of nodes) {
    if (!MODEL_TYPES.has(asText(getField(node, 'resource_type')) ?? '')) continue
    const path: ManifestModel['path'] = [section, id]
    if (asText(getField(getField(node, 'config'), 'materialized')) === 'ephemeral') {
      const message = 'This model is ephemeral: dbt creates no table for it, so it is not read.'
      warnings.push({ path, message })
      continue
    }
    models.push({ path, properties: toProperties(node, tests.of(id)) })
    const count = isEnforced(node) ? 0 : countConstraints(node)
    if (count > 0) {
      const message =
        'The constraints of this model have no effect, because its contract is not enforced; they are not read. Set "contract: {enforced: true}" in its configuration to promise them.'
      warnings.push({ path, message })
    }
  }
  return { models, warnings }
}

function schemaVersion(manifest: ObjectValue): string | undefined {
  const address = asText(getField(getField(manifest, 'metadata'), 'dbt_schema_version')) ?? ''
  return /\/dbt\/manifest\/v(\d{1,4})\.json$/.exec(address)?.[1]
}

interface Node {
  id: string
  section: (typeof SECTIONS)[number]
  node: ObjectValue
}

function listNodes(manifest: ObjectValue): Node[] {
  return SECTIONS.flatMap((section) => {
    const nodes = getField(manifest, section)
    return Object.entries(isObject(nodes) ? nodes : {}).flatMap(([id, node]) =>
      isObject(node) ? [{ id, section, node }] : [],
    )
  })
}

function toProperties(node: ObjectValue, tests: ModelTests): ObjectValue {
  const properties: ObjectValue = { name: getName(node) }
  put(properties, 'description', asText(getField(node, 'description')) || undefined)
  put(properties, 'identifier', getLocation(node))
  put(properties, 'tags', getField(node, 'tags'))
  properties.config = getSettings(node)
  if (isEnforced(node)) put(properties, 'constraints', getConstraints(node))
  const columns = getField(node, 'columns')
  const entries = Object.entries(isObject(columns) ? columns : {}).map(
    ([name, column]): [string, Value] => [
      name,
      toColumn(column, isEnforced(node), tests.takeColumn(name)),
    ],
  )
  properties.columns = Object.fromEntries(entries)
  properties.data_tests = tests.rest()
  return properties
}

function toColumn(column: Value, isPromised: boolean, tests: Value[]): Value {
  if (!isObject(column)) return column
  const kept: ObjectValue = { data_tests: tests }
  for (const name of ['name', 'description', 'data_type', 'tags']) {
    const value = getField(column, name)
    if (value !== null && value !== '') put(kept, name, value)
  }
  if (isPromised) put(kept, 'constraints', getConstraints(column))
  return kept
}

// A constraint states all its members; only those with a value are kept.
function getConstraints(part: ObjectValue): Value | undefined {
  const constraints = getField(part, 'constraints')
  if (!Array.isArray(constraints)) return constraints
  return constraints.map((constraint) => {
    if (!isObject(constraint)) return constraint
    const kept = Object.entries(constraint).filter(
      ([name, value]) => !isEmpty(value) && !(name.startsWith('warn_') && value === true),
    )
    return Object.fromEntries(kept)
  })
}

// A version of a model has the name of its model.
function getName(node: ObjectValue): Value {
  const name = getField(node, 'name') ?? null
  const version = getField(node, 'version')
  const isVersion = typeof version === 'string' || typeof version === 'number'
  return isVersion && typeof name === 'string' ? `${name}_v${version}` : name
}

// `"shop"."sales"."orders"`, or its parts if the adapter builds no relation.
function getLocation(node: ObjectValue): string | undefined {
  const relation = asText(getField(node, 'relation_name'))
  if (relation !== undefined) return plainRelation(relation)
  const table = asText(getField(node, 'alias')) ?? asText(getField(node, 'identifier'))
  const parts = [getField(node, 'database'), getField(node, 'schema'), table].map(asText)
  const location = parts.filter((part) => part !== undefined && part !== '').join('.')
  return location === '' ? undefined : location
}

function plainRelation(relation: string): string {
  return relation.replaceAll(/["`[\]]/g, '')
}

function isEnforced(node: ObjectValue): boolean {
  return getField(getField(getField(node, 'config'), 'contract'), 'enforced') === true
}

function countConstraints(node: ObjectValue): number {
  const columns = getField(node, 'columns')
  const parts = [node, ...Object.values(isObject(columns) ? columns : {})]
  return parts
    .map((part) => getField(part, 'constraints'))
    .reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0)
}

// A manifest states every setting; those that are empty or only define how dbt builds are left out.
function getSettings(node: ObjectValue): ObjectValue {
  const config = getField(node, 'config')
  const kept = Object.entries(isObject(config) ? config : {}).filter(
    ([name, value]) => name !== 'contract' && !BUILD_SETTINGS.has(name) && !isEmpty(value),
  )
  return {
    ...Object.fromEntries(kept),
    ...(isEnforced(node) ? { contract: { enforced: true } } : {}),
  }
}

function isEmpty(value: Value): boolean {
  if (value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isEmpty)
}

interface Test {
  metadata: ObjectValue
  config: Value | undefined
}

/** The tests of one model; those of no column that it has belong to the model. */
class ModelTests {
  readonly #ofColumn = new Map<string, Test[]>()
  readonly #ofModel: Value[] = []

  add(column: string | undefined, test: Test): void {
    if (column === undefined) {
      this.#ofModel.push(toTest(test))
      return
    }
    // The name of a column that is quoted in SQL has its quotes here.
    const name = column.replaceAll(/^["`[]|["`\]]$/g, '')
    const tests = this.#ofColumn.get(name) ?? []
    tests.push(test)
    this.#ofColumn.set(name, tests)
  }

  takeColumn(name: string): Value[] {
    const tests = this.#ofColumn.get(name) ?? []
    this.#ofColumn.delete(name)
    return tests.map((test) => toTest(test))
  }

  /** Returns the tests that were not taken: those of the model, and of columns that it does not list. */
  rest(): Value[] {
    const others = [...this.#ofColumn].flatMap(([column, tests]) =>
      tests.map((test) => toTest(test, [['column_name', column]])),
    )
    return [...this.#ofModel, ...others]
  }
}

// The tests of a manifest are nodes that name their model, or, for sources and older versions, call `source` or `ref`.
class TestsByModel {
  readonly #tests = new Map<string, ModelTests>()

  constructor(nodes: readonly Node[]) {
    const ids = new Map(nodes.map(({ id, node }) => [callName(node), id]))
    for (const { node } of nodes) {
      const metadata = getField(node, 'test_metadata')
      if (asText(getField(node, 'resource_type')) !== 'test' || !isObject(metadata)) continue
      const given = getField(metadata, 'kwargs')
      const called = refersTo(asText(getField(given, 'model')) ?? '')?.join('.')
      const id = asText(getField(node, 'attached_node')) ?? ids.get(called ?? '')
      if (id === undefined) continue
      const column = asText(getField(node, 'column_name')) ?? asText(getField(given, 'column_name'))
      this.of(id).add(column, { metadata, config: getField(node, 'config') })
    }
  }

  of(id: string): ModelTests {
    const tests = this.#tests.get(id) ?? new ModelTests()
    this.#tests.set(id, tests)
    return tests
  }
}

// What a call refers to: `source('shop', 'orders')` or `ref('orders', v=2)`.
function callName(node: ObjectValue): string {
  const source = asText(getField(node, 'source_name'))
  const name = asText(getName(node)) ?? ''
  return source === undefined ? name : `${source}.${name}`
}

function toTest({ metadata, config }: Test, more: readonly [string, Value][] = []): Value {
  const namespace = asText(getField(metadata, 'namespace'))
  const name = asText(getField(metadata, 'name')) ?? 'test'
  const given = getField(metadata, 'kwargs')
  const own = Object.entries(isObject(given) ? given : {}).filter(
    ([argument]) => argument !== 'model' && argument !== 'column_name',
  )
  const args = [...more, ...own]
  const settings = TEST_SETTINGS.flatMap((setting): [string, Value][] => {
    const value = getField(config, setting)
    const usual = TEST_DEFAULTS.get(setting)
    const isUsual = typeof value === 'string' ? value.toLowerCase() === usual : value === usual
    return value === undefined || value === null || isUsual ? [] : [[setting, value]]
  })
  const parts: ObjectValue = {}
  if (args.length > 0) parts.arguments = Object.fromEntries(args)
  if (settings.length > 0) parts.config = Object.fromEntries(settings)
  const full = namespace === undefined ? name : `${namespace}.${name}`
  return Object.keys(parts).length === 0 ? full : { [full]: parts }
}
