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

/** A model of a schema: a table, a view, a topic. */
export interface SchemaModel {
  name: string
  physicalName?: string | undefined
  kind: string
  description?: string | undefined
  namespace?: string | undefined
  fields: readonly SchemaField[]
  primaryKey: readonly string[]
  tags: readonly string[]
  origin: string
}

/** A row of a schema's tree: a model, or a field of one. */
export interface SchemaRow extends TreeRow {
  /** With the names above it: `orders.lines.sku`. */
  path: string
  part: { kind: 'model'; model: SchemaModel } | { kind: 'field'; field: SchemaField }
}

/** Returns a field's logical type in words: `array of object`, `map of string to integer`. */
export function logicalTypeText(field: SchemaField): string {
  if (field.items !== undefined) return `array of ${logicalTypeText(field.items)}`
  if (field.values !== undefined) {
    const keys = field.keys === undefined ? 'keys' : logicalTypeText(field.keys)
    return `map of ${keys} to ${logicalTypeText(field.values)}`
  }
  return field.logicalType
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
    part: SchemaRow['part'],
    fields: readonly SchemaField[],
  ): void {
    const isOpen = this.#words !== '' || !this.#closed.has(place.key)
    const shown = fields.filter((field) => this.isShown(field))
    this.#rows.push({ ...place, part, hasChildren: shown.length > 0, isOpen })
    if (!isOpen) return
    shown.forEach((field, at) => {
      const below = {
        // Fields of a resolved reference share their origin, so the place among the others counts too.
        key: `${place.key} ${at} ${field.origin}`,
        level: place.level + 1,
        position: at + 1,
        setSize: shown.length,
        path: `${place.path}.${field.name}`,
      }
      this.#add(below, { kind: 'field', field }, fieldsBelow(field))
    })
  }
}

function matches(part: SchemaModel | SchemaField, words: string): boolean {
  const texts = [part.name, part.physicalName, part.description, ...part.tags]
  if (!('kind' in part)) texts.push(part.physicalType, part.logicalType, part.classification)
  return texts.some((text) => text?.toLowerCase().includes(words) === true)
}
