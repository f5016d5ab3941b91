// The SQL that makes a table keep a contract again. It is a text for people: Portbook never executes it, and it drops
// nothing, because a column that a contract does not have may still be needed.

import { prepareModels } from '../../data-contract/export-models.ts'
import type { DataContract } from '../../data-contract/data-contract.ts'
import type { Field, Model } from '../../schema/model.ts'
import { getDialect, quotedName, quotedText, type SqlDialect } from '../../schema/sql/quote.ts'
import { writeSqlDdl } from '../../schema/sql/write.ts'
import { legalName } from '../../schema/types/legal-name.ts'
import { writeNativeType } from '../../schema/types/write-type.ts'
import { matchColumns } from '../columns.ts'
import { type AlteredColumn, type AlteringProduct, getAlteringProduct } from './products.ts'

/** A difference that the statements remove. */
export interface AlterationFinding {
  /** The field of the contract, or a column that is not in it; empty = the model. */
  field: string
  aspect: string
}

/** A table that differs from a model of a contract. */
interface AlteredTable {
  contract: DataContract
  /** The name of the model in the contract. */
  model: string
  /** The product of the asset, such as `redshift`. */
  product: string
  /** The names of the table on its platform, the outermost first. */
  path: readonly string[]
  /** The model of the asset; undefined = the table does not exist. */
  asset: Model | undefined
  findings: readonly AlterationFinding[]
}

/** A remark about what the statements leave out or need; `field` is empty for the table. */
interface AlterationNote {
  field: string
  message: string
}

/** The statements of a change, and what they leave out. */
export interface TableAlteration {
  /** The name of the product for people. */
  dialect: string
  /** Empty if nothing can be written. */
  sql: string
  notes: AlterationNote[]
}

/** Writes the statements that make a table keep the model of a contract; undefined if its product has no SQL. */
export function writeAlteration(table: AlteredTable): TableAlteration | undefined {
  const product = getAlteringProduct(table.product)
  const dialect = product && getDialect(product.platform)
  if (product === undefined || dialect === undefined) return undefined
  const prepared = prepareModels(table.contract, product.platform)
  const model = prepared.models.find(({ name }) => name === table.model)
  if (model === undefined) return undefined
  if (table.asset === undefined) return writeCreation(model, table.path, product)
  if (table.asset.kind !== 'table') {
    const message = `It is a ${table.asset.kind}. Change its definition where it is made.`
    return { dialect: product.title, sql: '', notes: [{ field: '', message }] }
  }
  return new Alterer({ product, dialect, model, asset: table.asset, path: table.path }).write(
    table.findings,
  )
}

function writeCreation(
  model: Model,
  path: readonly string[],
  { title, platform }: AlteringProduct,
): TableAlteration {
  const namespace = path.at(-2)
  const table = { ...model, name: path.at(-1) ?? model.name }
  delete table.physicalName
  delete table.database
  if (namespace !== undefined) table.namespace = namespace
  const { text } = writeSqlDdl([table], { dialect: platform, name: model.name, id: model.name })
  return { dialect: title, sql: text, notes: [] }
}

interface AlterContext {
  product: AlteringProduct
  dialect: SqlDialect
  model: Model
  asset: Model
  path: readonly string[]
}

class Alterer {
  readonly #context: AlterContext
  readonly #table: string
  readonly #statements: string[] = []
  readonly #notes = new Map<string, AlterationNote>()
  /** The columns that were stated as a whole. */
  readonly #restated = new Set<string>()
  readonly #columns: ReadonlyMap<Field, Field>

  constructor(context: AlterContext) {
    this.#context = context
    const { path, dialect, product, model, asset } = context
    // As the comparison matches them: what it calls missing has no column here, too.
    this.#columns = matchColumns(model.fields, asset.fields, {
      platform: product.platform,
      fieldName: ({ name, physicalName = name }) => physicalName,
      columnName: ({ name }) => name,
    }).pairs
    // A session of PostgreSQL is in one database.
    const named = dialect.platform === 'postgresql' ? path.slice(-2) : path
    this.#table = named.map((part) => quotedName(part, dialect)).join('.')
  }

  write(findings: readonly AlterationFinding[]): TableAlteration {
    const all = [...findings, ...this.#listHidden(findings)]
    const ordered = all.toSorted((a, b) => getStep(a) - getStep(b))
    for (const finding of ordered) this.#change(finding, ordered)
    const sql = this.#statements.map((statement) => `${statement};\n`).join('')
    return { dialect: this.#context.product.title, sql, notes: [...this.#notes.values()] }
  }

  /**
   * Lists the differences that a comparison finds only once missing columns exist: those of a key and of unique values. Without
   * them, the table would keep the contract only after a second change.
   */
  #listHidden(findings: readonly AlterationFinding[]): AlterationFinding[] {
    const { primaryKey, fields } = this.#context.model
    const has = (name: string, aspect: string): boolean =>
      findings.some((one) => one.field === name && one.aspect === aspect)
    const missing = fields.filter(({ name }) => has(name, 'column.missing'))
    const isOnlyKey = ({ name }: Field): boolean => primaryKey.join() === name
    const hidden = missing
      .filter((field) => field.unique && !isOnlyKey(field) && !has(field.name, 'unique'))
      .map(({ name }) => ({ field: name, aspect: 'unique' }))
    const isInKey = missing.some(({ name }) => primaryKey.includes(name))
    const isWhole = primaryKey.every((key) =>
      fields.some(
        (field) =>
          field.name === key && (missing.includes(field) || this.#findColumn(field) !== undefined),
      ),
    )
    if (isInKey && isWhole && !findings.some(({ aspect }) => aspect === 'key')) {
      hidden.push({ field: '', aspect: 'key' })
    }
    if (missing.some(({ required, name }) => required || primaryKey.includes(name))) {
      this.#noteFirstConstraint(missing)
    }
    return hidden
  }

  #noteFirstConstraint(missing: readonly Field[]): void {
    const { asset, model } = this.#context
    const isBare =
      asset.primaryKey.length === 0 &&
      !asset.fields.some(({ required, unique }) => required || unique)
    const others = model.fields.filter((field) => !missing.includes(field))
    if (!isBare || !others.some(({ required, unique }) => required || unique)) return
    const message =
      'The table declares no constraint yet. After the first one, the next run also compares NOT NULL and unique values of its other columns.'
    this.#note('', message)
  }

  #change({ field: name, aspect }: AlterationFinding, all: readonly AlterationFinding[]): void {
    const { model } = this.#context
    if (aspect === 'key') return this.#setKey(name)
    if (aspect === 'column.extra') {
      return this.#note(name, 'The contract has no such column. Drop it only if it is not used.')
    }
    const field = model.fields.find((one) => one.name === name)
    if (field === undefined) {
      const message =
        name === ''
          ? 'No statement changes this. Create the table again, or change the contract.'
          : 'A field inside a column changes with the type of the whole column.'
      return this.#note(name, message)
    }
    const has = (wanted: string): boolean =>
      all.some((one) => one.field === name && one.aspect === wanted)
    switch (aspect) {
      case 'column.missing':
        return this.#add(field)
      case 'type':
        return this.#setType(field, has('nullable'))
      case 'nullable':
        return this.#setRequired(field)
      case 'unique':
        return this.#addUnique(field)
      default:
        return this.#note(name, 'No statement changes this.')
    }
  }

  #note(field: string, message: string): void {
    this.#notes.set(JSON.stringify([field, message]), { field, message })
  }

  #add(field: Field): void {
    const { product } = this.#context
    const column = this.#column(field, false)
    this.#statements.push(product.add(this.#table, column))
    if (!field.required) return
    this.#note(field.name, 'It is required: fill the new column before the rest is executed.')
    if (product.require === undefined) return this.#notRequirable(field)
    this.#statements.push(product.require(this.#table, { ...column, isRequired: true }))
  }

  #setType(field: Field, alsoNullable: boolean): void {
    const { product } = this.#context
    if (product.setType === undefined) {
      return this.#note(field.name, `${product.title} does not change types. Add a new column.`)
    }
    const isRequired = alsoNullable ? field.required : (this.#findColumn(field)?.required ?? false)
    const column = this.#column(field, isRequired)
    this.#statements.push(product.setType(this.#table, column))
    if (product.setType === product.require) this.#restated.add(field.name)
    if (product.typeNote !== undefined) this.#note(field.name, product.typeNote)
  }

  #setRequired(field: Field): void {
    if (this.#restated.has(field.name)) return
    const { product } = this.#context
    const write = field.required ? product.require : product.relax
    if (write === undefined) return this.#notRequirable(field)
    if (field.required) this.#note(field.name, 'It fails while rows without a value exist.')
    this.#statements.push(write(this.#table, this.#column(field, field.required)))
    if (write === product.setType && product.typeNote !== undefined) {
      this.#note(field.name, product.typeNote)
    }
  }

  #notRequirable(field: Field): void {
    const message = `${this.#context.product.title} does not make a column of a table required or optional.`
    this.#note(field.name, message)
  }

  #setKey(name: string): void {
    const { product, model, asset } = this.#context
    if (model.primaryKey.length === 0) {
      return this.#note(
        name,
        'The contract has no primary key. Drop that of the table if it is wrong.',
      )
    }
    if (product.addKey === undefined) {
      return this.#note(name, `${product.title} does not add a primary key to a table.`)
    }
    if (asset.primaryKey.length > 0) {
      this.#note(name, 'Drop the primary key that the table has first.')
    }
    const columns = model.primaryKey.map((key) => this.#quote(key))
    this.#statements.push(product.addKey(this.#table, columns.join(', ')))
  }

  #addUnique(field: Field): void {
    const { product } = this.#context
    if (product.addUnique === undefined) {
      return this.#note(field.name, `${product.title} has no unique columns.`)
    }
    this.#statements.push(product.addUnique(this.#table, this.#quote(field.name)))
  }

  #column(field: Field, isRequired: boolean): AlteredColumn {
    const { product, dialect } = this.#context
    const description = this.#findColumn(field)?.description ?? field.description
    return {
      name: this.#quote(field.name),
      type: writeNativeType(field, product.platform).text,
      isRequired,
      comment:
        description === undefined
          ? undefined
          : quotedText(description.replaceAll('\0', '').slice(0, COMMENT_CHARACTERS_MAX), dialect),
    }
  }

  // The name as the table has it, otherwise a name that the platform accepts.
  #quote(name: string): string {
    const { model, dialect } = this.#context
    const field = model.fields.find((one) => one.name === name)
    const physical = field?.physicalName ?? name
    const column = field && this.#findColumn(field)
    return quotedName(column?.name ?? legalName(physical, 'column', dialect.platform).name, dialect)
  }

  #findColumn(field: Field): Field | undefined {
    return this.#columns.get(field)
  }
}

const COMMENT_CHARACTERS_MAX = 1024

// Columns exist before a key names them, and have their types before values are required.
const STEPS = ['column.missing', 'type', 'nullable', 'key', 'unique']

function getStep({ aspect }: AlterationFinding): number {
  const at = STEPS.indexOf(aspect)
  return at === -1 ? STEPS.length : at
}
