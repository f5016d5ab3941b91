import { isComputed } from '../../data-contract/export-fields.ts'
import type { Field } from '../../schema/model.ts'
import type { ActualModel } from '../actual.ts'
import { matchColumns } from '../columns.ts'
import { joinName, joinPath } from '../field-path.ts'
import { FIELD_DEPTH_MAX } from '../promise.ts'

/** A field of a contract beside its column; one of both may be missing. */
export interface PairedField {
  field: Field | undefined
  column: Field | undefined
  /** The path of the field that it is inside of; empty = the model. */
  parent: string
}

/** Pairs the fields of a model with the columns of a table by the paths that findings have. */
export function pairFields(
  fields: readonly Field[],
  { columns, platform, product }: Pick<ActualModel, 'columns' | 'platform' | 'product'>,
): ReadonlyMap<string, PairedField> {
  const pairer = new Pairer(platform ?? product)
  pairer.addAll(
    fields,
    columns.map(({ field }) => field),
    { parent: '', prefix: '', depth: 0 },
  )
  return pairer.pairs
}

class Pairer {
  readonly #platform: string | undefined
  readonly pairs = new Map<string, PairedField>()

  constructor(platform: string | undefined) {
    this.#platform = platform
  }

  addAll(
    fields: readonly Field[],
    columns: readonly Field[],
    { parent, prefix, depth }: { parent: string; prefix: string; depth: number },
  ): void {
    const promised = fields.filter((field) => !isComputed(field))
    const { pairs, missing, extra } = matchColumns(promised, columns, {
      platform: this.#platform,
      fieldName: ({ name, physicalName = name }) => physicalName,
      columnName: ({ name }) => name,
    })
    for (const [field, column] of pairs) {
      this.#add(joinName(prefix, field.name), { field, column, parent }, depth)
    }
    for (const field of missing) {
      this.#add(joinName(prefix, field.name), { field, column: undefined, parent }, depth)
    }
    for (const column of extra) {
      this.#add(joinName(prefix, column.name), { field: undefined, column, parent }, depth)
    }
  }

  // The first of two fields with the same path is the one that findings mean.
  #add(path: string, pair: PairedField, depth: number): void {
    if (this.pairs.has(path)) return
    this.pairs.set(path, pair)
    const { field, column } = pair
    if (field === undefined || column === undefined || depth >= FIELD_DEPTH_MAX) return
    const inner = { parent: path, depth: depth + 1 }
    const parts = [
      ['[]', field.items, column.items],
      ['[key]', field.keys, column.keys],
      ['[value]', field.values, column.values],
    ] as const
    for (const [step, promised, actual] of parts) {
      if (promised === undefined || actual === undefined) continue
      this.#add(joinPath(path, step), { field: promised, column: actual, parent: path }, depth + 1)
    }
    if (field.fields === undefined || column.fields === undefined) return
    this.addAll(field.fields, column.fields, { ...inner, prefix: `${path}.` })
  }
}
