// A table as its statements build it: CREATE TABLE first, then whatever is altered or said about it.

import { put, type Value } from '../value.ts'
import type { Field, Model, ModelKind, QualityCheck } from './model.ts'
import { plainField, plainModel } from './plain.ts'
import { readCondition } from './sql-check.ts'
import type { SqlToken } from './sql-scan.ts'
import type { NativeType, Platform } from './types/native-type.ts'
import { typedField } from './types/typed-field.ts'

export class SqlTable {
  readonly model: Model
  readonly #fields = new Map<string, Field>()
  readonly #platform: Platform | undefined

  constructor(
    parts: readonly string[],
    options: { kind: ModelKind; origin: string; platform: Platform | undefined },
  ) {
    this.model = { ...plainModel(parts.at(-1) ?? '', options.origin), kind: options.kind }
    if (parts.length > 1) this.model.namespace = parts.slice(0, -1).join('.')
    this.#platform = options.platform
  }

  field(name: string): Field | undefined {
    return this.#fields.get(name) ?? this.#fields.get(name.toLowerCase())
  }

  /** Adds a column; a second one of the same name is left out. */
  addField(name: string, native: NativeType | undefined, takeField: () => boolean): Field {
    const plain = plainField(name, native?.logicalType ?? 'unknown', this.model.origin)
    const typed = native === undefined ? {} : typedField(native, this.model.origin)
    const field: Field = { ...plain, ...typed }
    if (native !== undefined && native.text !== '') field.physicalType = native.text
    const isNew = !this.#fields.has(name)
    if (isNew && takeField()) {
      this.model.fields.push(field)
      this.#fields.set(name, field)
      const folded = name.toLowerCase()
      if (!this.#fields.has(folded)) this.#fields.set(folded, field)
    }
    return field
  }

  primaryKey(names: readonly string[]): void {
    const fields = this.#fieldsOf(names)
    if (fields.length !== names.length) return
    this.model.primaryKey = fields.map(({ name }) => name)
    for (const [at, field] of fields.entries()) {
      field.primaryKeyPosition = at + 1
      // Everywhere but in BigQuery a key is never null.
      if (this.#platform !== 'bigquery') field.required = true
    }
  }

  unique(names: readonly string[], name: string | undefined): void {
    const [field, ...more] = this.#fieldsOf(names)
    if (field !== undefined && more.length === 0 && names.length === 1) field.unique = true
    else this.#rule(this.model.quality, `unique (${names.join(', ')})`, name)
  }

  foreignKey(names: readonly string[], table: readonly string[], columns: readonly string[]): void {
    for (const [at, field] of this.#fieldsOf(names).entries()) {
      const column = columns[at]
      const target = column === undefined ? table : [...table, column]
      const reference = target.join('.')
      if (!field.references.includes(reference)) field.references.push(reference)
    }
  }

  /** Adds a condition: to the field when it says what the field's values are, else as a rule. */
  check(
    { text, tokens }: { text: string; tokens: readonly SqlToken[] },
    options: { name: string | undefined; field: Field | undefined },
  ): void {
    const condition = readCondition(tokens)
    const field = condition && this.field(condition.field)
    const isNews =
      condition !== undefined &&
      field !== undefined &&
      Object.keys(condition.says).every((key) => !Object.hasOwn(field, key))
    if (isNews) Object.assign(field, condition.says)
    else this.#rule((options.field ?? this.model).quality, text, options.name)
  }

  describe(description: string | undefined): void {
    put(this.model, 'description', description === '' ? undefined : description)
  }

  #rule(quality: QualityCheck[], rule: Value, name: string | undefined): void {
    const check: QualityCheck = { type: 'sql', rule, origin: this.model.origin }
    put(check, 'name', name)
    quality.push(check)
  }

  #fieldsOf(names: readonly string[]): Field[] {
    return names.map((name) => this.field(name)).filter((field) => field !== undefined)
  }
}
