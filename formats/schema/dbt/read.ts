// The properties files of dbt (`schema.yml`) and its manifests: models, seeds, snapshots and the tables of sources, with
// their columns, tests and constraints. https://docs.getdbt.com/reference/configs-and-properties

import { getField, isObject, type ObjectValue, put, asText, type Value } from '../../text/value.ts'
import { isManifest, readManifest } from './manifest.ts'
import { DBT_TESTS, readTest, refersTo } from './test-read.ts'
import { addColumnTraits, addModelTraits, addSourceTraits } from './traits.ts'
import { FieldBudget, WRITTEN_FIELDS } from '../field-budget.ts'
import { addUnreadParts } from '../unanalyzed.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import type { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'
import type { Platform } from '../types/native-type.ts'
import { cutTypeMessage, isCutType } from '../types/cut-type.ts'
import { readNativeType } from '../types/read-type.ts'
import { typedField } from '../types/typed-field.ts'

const LISTS = ['models', 'seeds', 'snapshots'] as const

/** Reads the models, seeds, snapshots and sources of dbt. Without a platform, types are looked for in all tables. */
export function readDbt(
  specification: Specification,
  { platform }: { platform?: Platform },
): Model[] {
  const value = specification.value()
  if (value === undefined) return []
  const models = new Reader(Spot.top(specification), platform).models(value)
  return addUnreadParts(models, specification)
}

class Reader {
  readonly #top: Spot
  readonly #platform: Platform | undefined
  readonly #budget = new FieldBudget(WRITTEN_FIELDS)

  constructor(top: Spot, platform: Platform | undefined) {
    this.#top = top
    this.#platform = platform
  }

  models(value: Value): Model[] {
    if (Array.isArray(value)) return this.#list(value, this.#top)
    if (isManifest(value)) return this.#manifest(value)
    if (isObject(value) && Array.isArray(getField(value, 'columns'))) {
      return this.#model(value, this.#top)
    }
    const models: Model[] = []
    let isAny = false
    for (const name of LISTS) {
      const list = getField(value, name)
      if (!Array.isArray(list)) continue
      isAny = true
      for (const model of this.#list(list, this.#top.at(name))) models.push(model)
    }
    const sources = getField(value, 'sources')
    if (Array.isArray(sources)) {
      isAny = true
      for (const [at, source] of sources.entries()) {
        for (const model of this.#source(source, this.#top.at('sources').at(at))) models.push(model)
      }
    }
    if (!isAny)
      this.#top.warning('dbt lists its models under "models" or "sources"; both are missing.')
    return models
  }

  #manifest(manifest: ObjectValue): Model[] {
    const { models, warnings } = readManifest(manifest)
    const spotAt = (path: readonly string[]) =>
      path.reduce((spot, step) => spot.at(step), this.#top)
    for (const { path, message } of warnings) spotAt(path).warning(message)
    return models.flatMap(({ properties, path }) => this.#model(properties, spotAt(path)))
  }

  #source(source: Value, spot: Spot): Model[] {
    const tables = getField(source, 'tables')
    if (!Array.isArray(tables)) {
      spot.unread(source, 'A source lists its tables under "tables", which is missing.')
      return []
    }
    const namespace = asText(getField(source, 'schema')) ?? asText(getField(source, 'name'))
    const models = this.#list(tables, spot.at('tables'))
    for (const model of models) {
      model.namespace ??= namespace ?? ''
      addSourceTraits(source, model)
    }
    return models
  }

  #list(values: readonly Value[], spot: Spot): Model[] {
    return values.flatMap((value, at) => this.#model(value, spot.at(at)))
  }

  #model(value: Value, spot: Spot): Model[] {
    const name = asText(getField(value, 'name'))
    if (!isObject(value) || name === undefined) {
      spot.unread(value, 'A model needs a "name" that is a text.')
      return []
    }
    const versions = getField(value, 'versions')
    if (!Array.isArray(versions) || versions.length === 0) {
      return [this.#readVersion(name, value, value, spot, spot)]
    }
    return versions.flatMap((version, at) => {
      const number = getField(version, 'v')
      const here = spot.at('versions').at(at)
      if (isObject(version) && (typeof number === 'string' || typeof number === 'number')) {
        return [this.#readVersion(`${name}_v${number}`, value, version, spot, here)]
      }
      here.unread(version, 'A version needs "v", its number.')
      return []
    })
  }

  // A version inherits properties from its model.
  #readVersion(
    name: string,
    base: ObjectValue,
    version: ObjectValue,
    baseSpot: Spot,
    spot: Spot,
  ): Model {
    const value = { ...base, ...version }
    const config = mergedConfig(base, version)
    const model: Model = { ...plainModel(name, spot.origin), kind: getKind(config) }
    const alias = asText(getField(config, 'alias')) ?? asText(getField(value, 'identifier'))
    if (alias !== name) put(model, 'physicalName', alias)
    put(model, 'namespace', asText(getField(config, 'schema')))
    put(model, 'description', asText(getField(value, 'description')))
    model.tags = getTags({ ...value, config })
    const names = new Map<string, Field>()
    for (const { column, spot: here } of getColumns(base, version, baseSpot, spot)) {
      if (!this.#budget.take((message) => here.warning(message))) break
      const field = this.#column(column, here, model)
      if (field === undefined) continue
      model.fields.push(field)
      if (!names.has(field.name)) names.set(field.name, field)
    }
    for (const test of getTests(value)) readTest(test, { field: undefined, model })
    readConstraints(getField(value, 'constraints'), model, names)
    addModelTraits(value, model, new Set(names.keys()))
    return model
  }

  #column(value: Value, spot: Spot, model: Model): Field | undefined {
    const name = asText(getField(value, 'name'))
    if (!isObject(value) || name === undefined) {
      spot.unread(value, 'A column needs a "name" that is a text.')
      return undefined
    }
    const field = plainField(name, 'unknown', spot.origin)
    const type = asText(getField(value, 'data_type'))
    if (type !== undefined) {
      Object.assign(field, typedField(readNativeType(type, this.#platform), spot.origin))
      field.physicalType = type
      if (isCutType(type)) spot.at('data_type').warning(cutTypeMessage(type))
    }
    put(field, 'description', asText(getField(value, 'description')))
    field.tags = getTags(value)
    for (const test of getTests(value)) readTest(test, { field, model })
    readConstraints(getField(value, 'constraints'), model, new Map([[name, field]]), field)
    addColumnTraits(value, field)
    return field
  }
}

function mergedConfig(base: ObjectValue, version: ObjectValue): Value {
  const [shared, own] = [getField(base, 'config'), getField(version, 'config')]
  return { ...(isObject(shared) ? shared : {}), ...(isObject(own) ? own : {}) }
}

interface PlacedColumn {
  column: Value
  spot: Spot
}

function placedColumns(value: ObjectValue, spot: Spot): PlacedColumn[] {
  const columns = getField(value, 'columns')
  // A manifest has them by name.
  if (isObject(columns)) {
    return Object.entries(columns).map(([name, column]) => {
      return { column, spot: spot.at('columns').at(name) }
    })
  }
  if (!Array.isArray(columns)) return []
  return columns.map((column, at) => ({ column, spot: spot.at('columns').at(at) }))
}

// A version has all columns of its model, but for those that it leaves out by `include` and `exclude`, and its own,
// which replace columns of the same name.
function getColumns(
  base: ObjectValue,
  version: ObjectValue,
  baseSpot: Spot,
  spot: Spot,
): PlacedColumn[] {
  const own = placedColumns(version, spot)
  if (base === version) return own
  const isChoice = ({ column }: PlacedColumn) => getField(column, 'include') !== undefined
  const choice = own.find(isChoice)?.column
  const include = getField(choice, 'include') ?? 'all'
  const exclude = namesIn(getField(choice, 'exclude'))
  const included = include === 'all' || include === '*' ? undefined : namesIn(include)
  const added = own.filter((one) => !isChoice(one))
  const replaced = new Map(added.map((one) => [getField(one.column, 'name'), one]))
  const inherited = placedColumns(base, baseSpot).flatMap((one) => {
    const name = asText(getField(one.column, 'name')) ?? ''
    if (exclude.has(name) || (included !== undefined && !included.has(name))) return []
    const replacement = replaced.get(name)
    replaced.delete(name)
    return [replacement ?? one]
  })
  return [...inherited, ...replaced.values()]
}

function namesIn(value: Value | undefined): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [])
}

function getKind(config: Value | undefined): 'table' | 'view' {
  const materialized = asText(getField(config, 'materialized')) ?? ''
  return /^(?:view|materialized[ _]view)$/i.test(materialized) ? 'view' : 'table'
}

// Both places are in use; the one in `config` is the younger.
function getTags(value: ObjectValue): string[] {
  const given = [getField(value, 'tags'), getField(getField(value, 'config'), 'tags')]
  const tags = given.flatMap((tag) => (Array.isArray(tag) ? tag : [tag]))
  return [...new Set(tags.filter((tag) => typeof tag === 'string'))]
}

function getTests(value: ObjectValue): Value[] {
  return DBT_TESTS.flatMap((name) => {
    const tests = getField(value, name)
    return Array.isArray(tests) ? tests : []
  })
}

// Constraints of a column name no columns, those of a model do.
function readConstraints(
  constraints: Value | undefined,
  model: Model,
  byName: ReadonlyMap<string, Field>,
  column?: Field,
): void {
  for (const constraint of Array.isArray(constraints) ? constraints : []) {
    const listed = getField(constraint, 'columns')
    const names = Array.isArray(listed) ? listed : []
    const fields = column
      ? [column]
      : names.map((name) => byName.get(asText(name) ?? '')).filter((field) => field !== undefined)
    const [only, ...more] = fields
    switch (asText(getField(constraint, 'type')) ?? '') {
      case 'not_null':
        for (const field of fields) field.required = true
        break
      case 'unique':
        if (only !== undefined && more.length === 0) only.unique = true
        else model.quality.push({ type: 'dbt', rule: constraint, origin: model.origin })
        break
      case 'primary_key':
        for (const field of fields) {
          // A key is never null, as in SQL.
          field.required = true
          model.primaryKey.push(field.name)
          field.primaryKeyPosition = model.primaryKey.length
        }
        break
      case 'check':
        ;(column ?? model).quality.push({
          type: 'sql',
          rule: getField(constraint, 'expression') ?? '',
          origin: model.origin,
        })
        break
      case 'foreign_key':
        addReferences(constraint, fields, model)
        break
      default:
    }
  }
}

// `to: ref('customers')` with `to_columns`, a column each; a key in SQL (`expression`) is not analyzed.
function addReferences(constraint: Value, fields: readonly Field[], model: Model): void {
  const target = refersTo(asText(getField(constraint, 'to')) ?? '')?.at(-1)
  const columns = getField(constraint, 'to_columns')
  if (target === undefined || !Array.isArray(columns) || columns.length !== fields.length) return
  const references = columns.map((column) => `${target}.${asText(column) ?? ''}`)
  for (const [at, field] of fields.entries()) {
    const reference = references[at] ?? ''
    if (!field.references.includes(reference)) field.references.push(reference)
  }
  if (fields.length > 1) {
    const key = { fields: fields.map(({ name }) => name), references }
    model.foreignKeys = [...(model.foreignKeys ?? []), key]
  }
}
