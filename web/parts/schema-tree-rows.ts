import type { TreeRow } from './tree-grid.tsx'

/** A field of a schema in the API. */
export interface SchemaField {
  name: string
  physicalName?: string | undefined
  physicalType?: string | undefined
  logicalType: string
  required: boolean
  unique: boolean
  primaryKeyPosition?: number | undefined
  description?: string | undefined
  synonyms?: readonly string[] | undefined
  deprecated?: true | undefined
  /** The role of a field that is computed; undefined = it is a column. */
  semanticType?: string | undefined
  /** The expression of a measure or dimension. */
  expression?: string | undefined
  vector?: SchemaVector | undefined
  enum?: readonly unknown[] | undefined
  pattern?: string | undefined
  minLength?: number | undefined
  maxLength?: number | undefined
  minItems?: number | undefined
  maxItems?: number | undefined
  minimum?: unknown
  maximum?: unknown
  exclusiveMinimum?: unknown
  exclusiveMaximum?: unknown
  precision?: number | undefined
  scale?: number | undefined
  format?: string | undefined
  classification?: string | undefined
  tags: readonly string[]
  fields?: readonly SchemaField[] | undefined
  items?: SchemaField | undefined
  keys?: SchemaField | undefined
  values?: SchemaField | undefined
  references: readonly string[]
  quality: readonly { name?: string | undefined; type: string; description?: string | undefined }[]
  /** JSON pointer into the document. */
  origin: string
}

/** The length and the elements of a vector, and the model that made it. */
export interface SchemaVector {
  dimensions?: number | undefined
  elementType?: string | undefined
  normalized: boolean
  model?: string | undefined
  modelVersion?: string | undefined
  distanceMetric?: string | undefined
}

/** Guidance for people and programs that use data. */
export interface SchemaContext {
  instructions?: string | undefined
  statements: readonly { question: string; answer?: string | undefined }[]
  constraints: readonly string[]
}

/** A model of a schema: a table, a view, a topic. */
export interface SchemaModel {
  name: string
  physicalName?: string | undefined
  kind: string
  description?: string | undefined
  synonyms?: readonly string[] | undefined
  deprecated?: true | undefined
  context?: SchemaContext | undefined
  namespace?: string | undefined
  fields: readonly SchemaField[]
  primaryKey: readonly string[]
  tags: readonly string[]
  origin: string
}

/** A model, a field of one, or the group of what is computed from its columns. */
export type SchemaPart =
  | { kind: 'model'; model: SchemaModel }
  | { kind: 'field'; field: SchemaField }
  | { kind: 'computed' }

/** A row of a schema's tree. */
export interface SchemaRow extends TreeRow {
  /** With the names above it: `orders.lines.sku`. */
  path: string
  part: SchemaPart
}

/** Returns a field's logical type in words: `array of object`, `map of string to integer`. */
export function logicalTypeText(field: SchemaField): string {
  if (field.items !== undefined) return `array of ${logicalTypeText(field.items)}`
  if (field.values !== undefined) {
    const keys = field.keys === undefined ? 'keys' : logicalTypeText(field.keys)
    return `map of ${keys} to ${logicalTypeText(field.values)}`
  }
  return field.vector === undefined ? field.logicalType : `vector${describeVector(field.vector)}`
}

// `, 1536 × float32`; what a document leaves out is not guessed.
function describeVector({ dimensions, elementType }: SchemaVector): string {
  const parts = [dimensions, elementType].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : `, ${parts.join(' × ')}`
}

/** Returns whether a field is computed from columns by an expression: a measure or a dimension. */
export function isComputed({ semanticType }: SchemaField): boolean {
  return semanticType === 'measure' || semanticType === 'dimension'
}

/** Returns the nested fields of an object, also as the item of a list or map. */
export function fieldsBelow(field: SchemaField): readonly SchemaField[] {
  if (field.fields !== undefined) return field.fields
  const held = field.items ?? field.values
  return held === undefined ? [] : fieldsBelow(held)
}

/** Counts the fields of models on every level. */
export function countFields(models: readonly SchemaModel[]): number {
  const count = (fields: readonly SchemaField[]): number =>
    fields.reduce((sum, field) => sum + 1 + count(fieldsBelow(field)), 0)
  return models.reduce((sum, { fields }) => sum + count(fields), 0)
}

/** Returns whether a model or a field of one is deprecated. */
export function hasDeprecated(models: readonly SchemaModel[]): boolean {
  const has = (fields: readonly SchemaField[]): boolean =>
    fields.some((field) => field.deprecated === true || has(fieldsBelow(field)))
  return models.some((model) => model.deprecated === true || has(model.fields))
}

interface Choice {
  /** The keys of rows that are closed. */
  closed: ReadonlySet<string>
  /** Only fields whose name, type or description contains this text, and their parents. */
  filter: string
}

/** The rows that can be seen of models, from top to bottom. A filter opens what it finds. */
export function schemaRows(models: readonly SchemaModel[], choice: Choice): SchemaRow[] {
  const words = choice.filter.trim().toLowerCase()
  const rows: SchemaRow[] = []
  const walker = new Walker(rows, choice.closed, words)
  const shown = models.filter((model) => walker.isShown(model))
  shown.forEach((model, at) => walker.model(model, at, shown.length))
  return rows
}

class Walker {
  readonly #rows: SchemaRow[]
  readonly #closed: ReadonlySet<string>
  readonly #words: string
  readonly #shown = new Map<object, boolean>()

  constructor(rows: SchemaRow[], closed: ReadonlySet<string>, words: string) {
    this.#rows = rows
    this.#closed = closed
    this.#words = words
  }

  // Visits every part once, at any depth.
  isShown(part: SchemaModel | SchemaField): boolean {
    if (this.#words === '') return true
    const known = this.#shown.get(part)
    if (known !== undefined) return known
    const below = 'kind' in part ? part.fields : fieldsBelow(part)
    const isShown = matches(part, this.#words) || below.some((field) => this.isShown(field))
    this.#shown.set(part, isShown)
    return isShown
  }

  model(model: SchemaModel, at: number, setSize: number): void {
    const key = model.origin === '' ? `/${at}` : model.origin
    const place = { key, level: 1, position: at + 1, setSize, path: model.name }
    this.#add(place, { kind: 'model', model }, model.fields)
  }

  #add(
    place: Pick<SchemaRow, 'key' | 'level' | 'position' | 'setSize' | 'path'>,
    part: SchemaPart,
    fields: readonly SchemaField[],
  ): void {
    const isOpen = this.#words !== '' || !this.#closed.has(place.key)
    const shown = fields.filter((field) => this.isShown(field))
    this.#rows.push({ ...place, part, hasChildren: shown.length > 0, isOpen })
    if (!isOpen) return
    const isGroup = part.kind === 'computed'
    const columns = isGroup ? shown : shown.filter((field) => !isComputed(field))
    const setSize = columns.length + (columns.length < shown.length ? 1 : 0)
    const level = place.level + 1
    columns.forEach((field, at) => {
      const below = {
        // Fields of a resolved reference share their origin, so the place among the others counts too.
        key: `${place.key} ${at} ${field.origin}`,
        level,
        position: at + 1,
        setSize,
        path: `${place.path}.${field.name}`,
      }
      this.#add(below, { kind: 'field', field }, fieldsBelow(field))
    })
    if (columns.length === setSize) return
    const group = { ...place, key: `${place.key} computed`, level, position: setSize, setSize }
    this.#add(group, { kind: 'computed' }, shown.filter(isComputed))
  }
}

function matches(part: SchemaModel | SchemaField, words: string): boolean {
  const { name, physicalName, description, synonyms = [], tags } = part
  const texts = [name, physicalName, description, ...synonyms, ...tags]
  if (!('kind' in part)) {
    texts.push(part.physicalType, part.logicalType, part.classification, part.expression)
  }
  return texts.some((text) => text?.toLowerCase().includes(words) === true)
}
