// Prepares the models of a contract for a target. The rules here apply to every target, so that no writer needs to know
// them: what a column is follows its physical type, qualified names of tables are split, and keys are required.

import { inside } from '../schema/losses.ts'
import type { Field, Loss, Model } from '../schema/model.ts'
import { splitTableName } from '../schema/table-name.ts'
import { applyPhysicalType } from '../schema/types/physical-field.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { hasPlaceholder } from '../text/variables.ts'
import { findPlatform, TABLE_LANGUAGES } from './contract-fields.ts'
import type { DataContract, Server } from './data-contract.ts'
import { isComputed, toNumberList, withDeprecationText } from './export-fields.ts'
import { dcsLogicalType } from './dcs/field.ts'

/** Models as a target gets them, and what they lost. */
interface ExportModels {
  models: Model[]
  /** The models whose own names contain their schema. */
  qualified: ReadonlySet<Model>
  losses: Loss[]
}

/** Prepares the models of a contract; `target` is the platform of a target that declares tables and columns. */
export function prepareModels(contract: DataContract, target: Platform | undefined): ExportModels {
  const preparation = new Preparation(contract, target)
  const models = contract.models.map((model) => preparation.model(model))
  return { models, qualified: preparation.qualified, losses: preparation.losses }
}

// The names of topics, files and addresses may have dots.
const WITHOUT_TABLES: ReadonlySet<string | undefined> = new Set([
  'api',
  'azure',
  'kafka',
  'kinesis',
  'local',
  'pubsub',
  's3',
  'sftp',
])

function hasNoTables({ type }: Server): boolean {
  return WITHOUT_TABLES.has(type?.toLowerCase())
}

class Preparation {
  readonly losses: Loss[] = []
  readonly qualified = new Set<Model>()
  readonly #contract: DataContract
  readonly #source: Platform | undefined
  readonly #target: Platform | undefined

  constructor(contract: DataContract, target: Platform | undefined) {
    this.#contract = contract
    this.#source = findPlatform(contract.servers).platform
    this.#target = target
  }

  model(model: Model): Model {
    const keys = new Set(model.primaryKey)
    const columns = this.#withoutComputed(model.fields, model.name)
    const fields = columns.map((field) => {
      const written = this.#field(field, `${model.name}.${field.name}`)
      return keys.has(field.name) && !written.required ? { ...written, required: true } : written
    })
    const names = new Set(fields.map(({ name }) => name))
    const primaryKey = model.primaryKey.filter((name) => names.has(name))
    const written: Model = { ...model, fields, primaryKey }
    if (model.foreignKeys !== undefined) {
      const isWhole = (key: { fields: string[] }) => key.fields.every((name) => names.has(name))
      written.foreignKeys = model.foreignKeys.filter(isWhole)
    }
    const named = this.#withoutMessageNamespace(this.#deprecate(written, model.name))
    return this.#splitName(this.#withoutVariables(named))
  }

  #lose(path: string, message: string): void {
    this.losses.push({ path, message })
  }

  #withoutComputed(fields: readonly Field[], path: string): readonly Field[] {
    if (!fields.some(isComputed)) return fields
    return fields.filter((field) => {
      if (!isComputed(field)) return true
      const message = `A ${field.semanticType} is computed by queries; it is left out.`
      this.#lose(`${path}.${field.name}`, message)
      return false
    })
  }

  // `com.example` of Avro is not a schema of tables.
  #withoutMessageNamespace(model: Model): Model {
    const { namespace, ...more } = model
    if (this.#target === undefined || namespace === undefined) return model
    if (TABLE_LANGUAGES.has(this.#contract.schemaType)) return model
    this.#lose(model.name, `The namespace "${namespace}" of messages is not a schema of tables.`)
    return more
  }

  // The value of a placeholder is unknown, so it is not a part of the address of a table.
  #withoutVariables(model: Model): Model {
    if (this.#target === undefined) return model
    const known = { ...model }
    for (const name of ['physicalName', 'namespace'] as const) {
      const value = known[name]
      if (value === undefined || !hasPlaceholder(value)) continue
      this.#lose(model.name, `"${value}" contains a variable, so it is not written.`)
      delete known[name]
    }
    return known
  }

  // Only descriptions of tables and columns can state it.
  #deprecate<Part extends Model | Field>(part: Part, path: string): Part {
    if (part.deprecated !== true || this.#target === undefined) return part
    this.#lose(path, 'That it is deprecated is a part of the description.')
    return withDeprecationText(part)
  }

  #field(field: Field, path: string): Field {
    const typed = this.#listed(this.#deprecate(this.#typed(field, path), path), path)
    const { items, keys, values, fields } = typed
    if ((items ?? keys ?? values ?? fields) === undefined) return typed
    return {
      ...typed,
      ...(items && { items: this.#field(items, inside.items(path)) }),
      ...(keys && { keys: this.#field(keys, inside.keys(path)) }),
      ...(values && { values: this.#field(values, inside.values(path)) }),
      ...(fields && { fields: this.#fields(fields, path) }),
    }
  }

  #fields(fields: readonly Field[], path: string): Field[] {
    return this.#withoutComputed(fields, path).map((one) => this.#field(one, `${path}.${one.name}`))
  }

  // Only databases have types for vectors, and BigQuery has none.
  #listed(field: Field, path: string): Field {
    const isListed = this.#target === undefined || this.#target === 'bigquery'
    if (field.logicalType !== 'vector' || !isListed) return field
    const { dimensions = 'unknown', elementType = 'unknown' } = field.vector ?? {}
    const elements = `${dimensions} elements of the type ${elementType}`
    this.#lose(path, `The vector has ${elements}; it is written as a list of numbers.`)
    return toNumberList(field, this.#target === 'bigquery')
  }

  // A specification has only types of its own language.
  #typed(field: Field, path: string): Field {
    if (this.#contract.schemaType !== undefined || !this.#hasOwnType(field)) return field
    const types = { source: this.#source, target: this.#target }
    const { field: typed, losses } = applyPhysicalType(field, types)
    for (const message of losses) this.#lose(path, message)
    return typed
  }

  // The types of DCS have the names of SQL types, but their own meaning.
  #hasOwnType({ physicalType, logicalType }: Field): boolean {
    if (physicalType === undefined) return false
    return this.#contract.format !== 'dcs' || dcsLogicalType(physicalType) !== logicalType
  }

  #splitName(model: Model): Model {
    const { name, physicalName = name, kind } = model
    const isTable = kind === 'table' || kind === 'view'
    const { schemaType, servers } = this.#contract
    if (this.#target === undefined || schemaType !== undefined || !isTable) return model
    // The names of an unknown database are read as those of the target.
    const platform = this.#source ?? (servers.some(hasNoTables) ? undefined : this.#target)
    const parts = platform && splitTableName(physicalName, platform)
    if (parts === undefined) return model
    const { schema, database, table } = parts
    const split = { ...model, ...(schema === undefined ? {} : { namespace: schema }) }
    if (schema !== undefined) this.qualified.add(split)
    if (table === name) delete split.physicalName
    else split.physicalName = table
    if (database !== undefined && platform === this.#target) split.database = database
    else if (database !== undefined) {
      this.#lose(name, `The database "${database}" of another platform is not written.`)
    }
    return split
  }
}
