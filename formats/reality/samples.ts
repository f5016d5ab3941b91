// Test results may contain samples: rows, or values of a column, that failed a check. They are data, so readers get only
// the columns that everyone may read. Texts of programs may repeat values, too.

import type { DataContract } from '../data-contract/data-contract.ts'
import type { Field, Model } from '../schema/model.ts'
import { readInnerText } from '../text/text.ts'
import {
  asText,
  getField,
  isObject,
  jsonText,
  type ObjectValue,
  type Value,
} from '../text/value.ts'
import { findChecks, readCheck } from './check-read.ts'
import { isPlainText, listContractWords, TEXT_MEMBERS } from './check-texts.ts'

// The members with samples in the results of datacontract-cli, Soda, Great Expectations and others.
const ROWS: readonly string[] = [
  'failedSamples',
  'failed_samples',
  'failedRows',
  'failed_rows',
  'sampleRows',
  'sample_rows',
  'samples',
  'unexpected_rows',
  'unexpected_index_list',
  'partial_unexpected_index_list',
  // A statement with the values of the index.
  'unexpected_index_query',
]
const VALUES: readonly string[] = [
  'unexpected_list',
  'partial_unexpected_list',
  'partial_unexpected_counts',
  'observed_value',
  'value_counts',
]
const SAMPLES = new Set([...ROWS, ...VALUES])

/** The columns of a contract that everyone may read, each by the names of its model and its own, in lower case. */
type VisibleColumns = ReadonlyMap<string, ReadonlySet<string>>

/** The words of the lowest tier of each classification scheme, in lower case. */
type LowestTiers = ReadonlySet<string>

/** Returns whether a value has samples at any depth. */
export function hasSamples(value: Value): boolean {
  if (Array.isArray(value)) return value.some(hasSamples)
  if (!isObject(value)) return false
  return Object.entries(value).some(([name, inner]) => isSample(name, inner) || hasSamples(inner))
}

// A number is a count, and no member of a row.
function isSample(name: string, value: Value): boolean {
  if (!SAMPLES.has(name)) return false
  const isText = typeof value === 'string' && value !== ''
  return Array.isArray(value) ? value.length > 0 : isObject(value) || isText
}

/** Returns a result without its samples. */
export function removeSamples(value: Value): Value {
  if (Array.isArray(value)) return value.map(removeSamples)
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name, inner]) => !isSample(name, inner))
  return Object.fromEntries(kept.map(([name, inner]) => [name, removeSamples(inner)]))
}

/** The data of a contract that everyone may read. */
export interface VisibleData {
  columns: VisibleColumns
  /** The words in the names of the contract; undefined = all columns are visible, and with them every text. */
  words: ReadonlySet<string> | undefined
}

/** Nothing that is data. */
export const NO_DATA: VisibleData = { columns: new Map(), words: new Set() }

/**
 * Finds the data of a contract that everyone may read: the columns without a classification, or with one of the lowest tier.
 * A column with fields inside is one if all of them are.
 */
export function findVisibleData(
  { models }: Pick<DataContract, 'models'>,
  lowest: LowestTiers,
): VisibleData {
  const columns = listVisibleColumns(models, lowest)
  const isOpen =
    models.length > 0 &&
    models.every(({ fields }) => fields.every((field) => isVisible(field, lowest)))
  return { columns, words: isOpen ? undefined : listContractWords(models) }
}

function listVisibleColumns(
  models: readonly Model[],
  lowest: LowestTiers,
): Map<string, Set<string>> {
  const visible = new Map<string, Set<string>>()
  for (const model of models) {
    const columns = model.fields.filter((field) => isVisible(field, lowest)).flatMap(listNames)
    for (const name of listModelNames(model)) {
      visible.set(name, new Set([...(visible.get(name) ?? []), ...columns]))
    }
  }
  // Two models may have one name, and two columns: the stricter one decides.
  for (const model of models) {
    const hidden = model.fields.filter((field) => !isVisible(field, lowest)).flatMap(listNames)
    for (const name of listModelNames(model))
      hidden.forEach((one) => visible.get(name)?.delete(one))
  }
  return visible
}

function listModelNames(model: Model): string[] {
  const last = model.physicalName?.split('.').at(-1)?.toLowerCase()
  return [...listNames(model), ...(last === undefined ? [] : [last])]
}

function isVisible({ classification, ...field }: Field, lowest: LowestTiers): boolean {
  const word = classification?.trim().toLowerCase() ?? ''
  if (word !== '' && !lowest.has(word)) return false
  const inner = [
    field.items,
    field.keys,
    field.values,
    ...(field.fields ?? []),
    ...(field.branches ?? []),
  ]
  return inner.every((one) => one === undefined || isVisible(one, lowest))
}

function listNames({ name, physicalName }: Model | Field): string[] {
  return [...new Set([name, physicalName ?? name])].map((one) => one.toLowerCase())
}

/** A result with visible data only. */
interface HiddenData {
  value: Value
  /** The names of the columns, `orders.email`, and of the texts, `reason`, that are null; sorted. */
  hidden: string[]
}

/** Hides the columns in the samples of a result that not everyone may read, and the texts that may have values of such columns. */
export function hideData(result: Value, visible: VisibleData): HiddenData {
  const hider = new Hider(visible)
  return { value: hider.hide(result), hidden: [...hider.hidden].toSorted() }
}

/** The place of a check. */
interface Place {
  model: string | undefined
  column: string | undefined
}

const NAME = /^[a-z_]\w{0,60}$/i

const NO_PLACE: Place = { model: undefined, column: undefined }

class Hider {
  readonly #visible: VisibleColumns
  readonly #words: VisibleData['words']
  readonly hidden = new Set<string>()

  constructor({ columns, words }: VisibleData) {
    this.#visible = columns
    this.#words = words
  }

  hide(result: Value): Value {
    const places = new Map<Value, Place>()
    for (const sent of findChecks(result) ?? []) {
      const { model, dataName, field } = readCheck(sent)
      const isTable = dataName !== undefined && this.#find(dataName) !== undefined
      places.set(sent.check, { model: model ?? (isTable ? dataName : undefined), column: field })
    }
    return this.#walk(result, NO_PLACE, places)
  }

  #walk(value: Value, outer: Place, places: ReadonlyMap<Value, Place>): Value {
    if (Array.isArray(value)) return value.map((inner) => this.#walk(inner, outer, places))
    if (!isObject(value)) return value
    const place = places.get(value) ?? outer
    const members = Object.entries(value).map(([name, inner]): [string, Value] => [
      name,
      isSample(name, inner)
        ? this.#sample(inner, place, VALUES.includes(name))
        : TEXT_MEMBERS.has(name) && this.#words !== undefined
          ? this.#text(inner, name, this.#words)
          : this.#walk(inner, place, places),
    ])
    return Object.fromEntries(members)
  }

  // Samples inside are hidden whole: they have no place.
  #text(value: Value, name: string, words: ReadonlySet<string>): Value {
    if (typeof value === 'string' && !isPlainText(value, words)) {
      this.hidden.add(name)
      return null
    }
    if (Array.isArray(value)) return value.map((one) => this.#text(one, name, words))
    if (!isObject(value)) return value
    // A map by values, such as their numbers, has data as names.
    const named = Object.entries(value).filter(([inner]) => NAME.test(inner))
    if (named.length < Object.keys(value).length) this.hidden.add(name)
    const members = named.map(([inner, one]): [string, Value] => [
      inner,
      isSample(inner, one)
        ? this.#sample(one, NO_PLACE, false)
        : this.#text(one, TEXT_MEMBERS.has(inner) ? inner : name, words),
    ])
    return Object.fromEntries(members)
  }

  #sample(sample: Value, place: Place, isOfColumn: boolean): Value {
    if (Array.isArray(sample)) return sample.map((one) => this.#sample(one, place, isOfColumn))
    if (isObject(sample)) {
      // The number of occurrences of a value.
      const isCount = isOfColumn && Object.hasOwn(sample, 'value')
      return isCount
        ? { ...sample, value: this.#column(getField(sample, 'value') ?? null, place.column, place) }
        : this.#row(sample, place)
    }
    const row = parseRow(asText(sample))
    if (row !== undefined) return jsonText(this.#row(row, place))
    return this.#column(sample, isOfColumn ? place.column : undefined, place)
  }

  #row(row: ObjectValue, place: Place): ObjectValue {
    const columns = Object.entries(row).map(([name, value]): [string, Value] => [
      name,
      this.#column(value, name, place),
    ])
    return Object.fromEntries(columns)
  }

  #column(value: Value, column: string | undefined, { model }: Place): Value {
    if (value === null || this.#isVisible(model, column)) return value
    this.hidden.add([model, column ?? '?'].filter((name) => name !== undefined).join('.'))
    return null
  }

  #find(model: string): ReadonlySet<string> | undefined {
    const called = model.toLowerCase()
    return this.#visible.get(called) ?? this.#visible.get(called.split('.').at(-1) ?? called)
  }

  // A program that does not report the table: the column must be visible wherever it is.
  #isVisible(model: string | undefined, column: string | undefined): boolean {
    if (column === undefined) return false
    const [name = ''] = column.toLowerCase().split(/[.[]/)
    if (model !== undefined) return this.#find(model)?.has(name) === true
    return this.#visible.size > 0 && [...this.#visible.values()].every((all) => all.has(name))
  }
}

function parseRow(text: string | undefined): ObjectValue | undefined {
  if (text?.trimStart().startsWith('{') !== true) return undefined
  const source = readInnerText(text, 'application/json')
  return source.ok && isObject(source.value) ? source.value : undefined
}
