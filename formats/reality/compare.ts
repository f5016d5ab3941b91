// Compares what a model of a contract promises with the table or view that it is linked with. Both sides are reduced to
// what the platform of the table can report: a rule that no platform stores is not a difference.

import { typeText } from '../diff/field-type.ts'
import type { Field } from '../schema/model.ts'
import type { ActualColumn, ActualModel } from './actual.ts'
import { isOpaque } from './categories.ts'
import { matchColumns } from './columns.ts'
import { type ConstraintResult, Constraints } from './constraints.ts'
import type { DriftDifference, Unverifiable } from './difference.ts'
import { joinName, joinPath, nameStep } from './field-path.ts'
import { FIELD_DEPTH_MAX, type PromisedField, type PromisedModel } from './promise.ts'
import { type ClassificationTiers, findOtherTier } from './tiers.ts'
import { TypeComparison } from './type-comparison.ts'

interface DriftComparison {
  /** The breaking ones first, both in the order of the contract; a field and aspect appears once. */
  findings: DriftDifference[]
  /** The number of findings beyond the maximum. */
  omittedCount: number
  unverifiable: Unverifiable[]
}

/** The most findings, and the most parts that are not verifiable, of one comparison. */
export const DRIFT_FINDINGS_MAX = 1_000

/**
 * Compares a promise with a table or view. `tiers` are the classification schemes of the organization, whose tiers the
 * tags of columns may name.
 */
export function comparePromise(
  promise: PromisedModel,
  actual: ActualModel,
  tiers: ClassificationTiers = [],
): DriftComparison {
  const comparison = new Comparison(promise, actual, tiers)
  comparison.run()
  return comparison.getResult()
}

interface Nested {
  /** The path of the fields, `address.`. */
  prefix: string
  depth: number
  constraints: Constraints
}

class Comparison {
  readonly #promise: PromisedModel
  readonly #actual: ActualModel
  readonly #tiers: ClassificationTiers
  readonly #types: TypeComparison
  readonly #findings = new Map<string, DriftDifference>()
  readonly #unverifiable = new Map<string, Unverifiable>()

  constructor(promise: PromisedModel, actual: ActualModel, tiers: ClassificationTiers) {
    this.#promise = promise
    this.#actual = actual
    this.#tiers = tiers
    this.#types = new TypeComparison(promise, actual)
  }

  run(): void {
    if (!this.#compareKinds()) return
    if (!this.#actual.hasColumns) {
      this.#addUnverifiable({ field: '', reason: 'The asset does not list its columns.' })
      return
    }
    const { fields } = this.#promise
    const { pairs, missing, extra } = this.#match(fields, this.#actual.columns)
    const constraints = new Constraints(this.#promise, this.#actual, pairs)
    const top = { prefix: '', depth: 0, constraints }
    for (const [promised, column] of pairs) {
      const path = joinName('', promised.name)
      this.#compareColumn(promised, column, path, top)
      const result = constraints.compareUniqueness(promised, column.field, path)
      this.#addResult(result)
    }
    this.#addUnmatched(missing, extra, '')
    this.#addResult(constraints.compareModel())
  }

  getResult(): DriftComparison {
    const { breaking = [], additive = [] } = Object.groupBy(
      this.#findings.values(),
      ({ level }) => level,
    )
    return {
      findings: [...breaking, ...additive].slice(0, DRIFT_FINDINGS_MAX),
      omittedCount: Math.max(0, this.#findings.size - DRIFT_FINDINGS_MAX),
      unverifiable: [...this.#unverifiable.values()].slice(0, DRIFT_FINDINGS_MAX),
    }
  }

  // Returns whether the columns can be compared at all.
  #compareKinds(): boolean {
    const { kind: promised } = this.#promise
    const { kind: actual } = this.#actual
    if (promised === undefined || promised === actual) return true
    const isSameSort = isTabular(promised) === isTabular(actual)
    if (!isSameSort || isTabular(promised)) {
      const level = isSameSort ? 'additive' : 'breaking'
      this.#add({ field: '', aspect: 'kind', level, promised, actual })
    }
    return isSameSort
  }

  #match(fields: readonly PromisedField[], columns: readonly ActualColumn[]) {
    return matchColumns(fields, columns, {
      platform: this.#actual.platform ?? this.#actual.product,
      fieldName: ({ name, column = name }) => column,
      columnName: ({ field }) => field.name,
    })
  }

  #addUnmatched(
    missing: readonly PromisedField[],
    extra: readonly ActualColumn[],
    prefix: string,
  ): void {
    for (const { name, type, logicalType } of missing) {
      const promised = type ?? logicalType ?? 'any type'
      const field = joinName(prefix, name)
      this.#add({ field, aspect: 'column.missing', level: 'breaking', promised, actual: null })
    }
    const level = this.#promise.isClosed === true ? 'breaking' : 'additive'
    for (const { field: column } of extra) {
      const field = joinName(prefix, column.name)
      const actual = typeText(column)
      this.#add({ field, aspect: 'column.extra', level, promised: null, actual })
    }
  }

  #compareColumn(
    promised: PromisedField,
    column: ActualColumn,
    path: string,
    { depth, constraints }: Nested,
  ): void {
    const { field } = column
    const result = this.#types.compare(promised, column)
    if (result.state === 'unverifiable') {
      this.#addUnverifiable({ field: path, reason: result.reason })
    } else if (result.state === 'differs') {
      const { isNarrower, promised: wanted, actual } = result
      const level = isNarrower ? 'additive' : 'breaking'
      this.#add({ field: path, aspect: 'type', level, promised: wanted, actual })
    } else {
      this.#compareInside(promised, field, { prefix: path, depth: depth + 1, constraints })
    }
    this.#addResult(constraints.compareNullability(promised, field, path, depth > 0))
    this.#compareTiers(promised, field, path)
  }

  #compareTiers({ classification }: PromisedField, { tags }: Field, path: string): void {
    if (classification === undefined) return
    const actual = findOtherTier(classification, tags, this.#tiers)
    if (actual === undefined) return
    const both = { promised: classification, actual }
    this.#add({ field: path, aspect: 'classification', level: 'additive', ...both })
  }

  #compareInside(promised: PromisedField, field: Field, nested: Nested): void {
    const { fields = [], items, keys, values } = promised
    const parts = listParts(promised)
    if (parts.length === 0) return
    if (nested.depth > FIELD_DEPTH_MAX || isOpaque(field) || !hasSameParts(promised, field)) {
      this.#addOpaque(promised, nested.prefix, nested.depth)
      return
    }
    if (items !== undefined && field.items !== undefined) {
      this.#compareColumn(items, toColumn(field.items), joinPath(nested.prefix, '[]'), nested)
    }
    if (keys !== undefined && field.keys !== undefined) {
      this.#compareColumn(keys, toColumn(field.keys), joinPath(nested.prefix, '[key]'), nested)
    }
    if (values !== undefined && field.values !== undefined) {
      this.#compareColumn(
        values,
        toColumn(field.values),
        joinPath(nested.prefix, '[value]'),
        nested,
      )
    }
    if (fields.length === 0) return
    const inner = (field.fields ?? []).map(toColumn)
    const { pairs, missing, extra } = this.#match(fields, inner)
    const prefix = `${nested.prefix}.`
    for (const [one, column] of pairs) {
      this.#compareColumn(one, column, joinName(prefix, one.name), nested)
    }
    this.#addUnmatched(missing, extra, prefix)
  }

  // The contents of JSON, of a variant and of very deep columns are in no schema.
  #addOpaque(promised: PromisedField, prefix: string, depth: number): void {
    if (depth > 2 * FIELD_DEPTH_MAX || this.#unverifiable.size >= DRIFT_FINDINGS_MAX) return
    for (const [step, part] of listParts(promised)) {
      const field = joinPath(prefix, step)
      this.#addUnverifiable({
        field,
        reason: 'The table does not report what is inside this column.',
      })
      this.#addOpaque(part, field, depth + 1)
    }
  }

  #addResult(result: ConstraintResult): void {
    if (result === undefined) return
    if ('finding' in result) this.#add(result.finding)
    else this.#addUnverifiable(result.unverifiable)
  }

  // Two fields of a contract may have the same path.
  #add(finding: DriftDifference): void {
    const key = `${finding.aspect} ${finding.field}`
    if (!this.#findings.has(key)) this.#findings.set(key, finding)
  }

  #addUnverifiable(one: Unverifiable): void {
    const key = `${one.field} ${one.reason}`
    if (!this.#unverifiable.has(key)) this.#unverifiable.set(key, one)
  }
}

function isTabular(kind: string): boolean {
  return kind === 'table' || kind === 'view'
}

function toColumn(field: Field): ActualColumn {
  return { field, baseType: undefined }
}

function listParts({ fields = [], items, keys, values }: PromisedField): [string, PromisedField][] {
  const parts: [string, PromisedField][] = []
  if (items !== undefined) parts.push(['[]', items])
  if (keys !== undefined) parts.push(['[key]', keys])
  if (values !== undefined) parts.push(['[value]', values])
  for (const field of fields) parts.push([`.${nameStep(field.name)}`, field])
  return parts
}

function hasSameParts({ fields, items, keys, values }: PromisedField, field: Field): boolean {
  return (
    (fields === undefined || field.fields !== undefined) &&
    (items === undefined || field.items !== undefined) &&
    (keys === undefined || field.keys !== undefined) &&
    (values === undefined || field.values !== undefined)
  )
}
