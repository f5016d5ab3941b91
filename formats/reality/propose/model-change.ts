import type { DataContract } from '../../data-contract/data-contract.ts'
import { toPath } from '../../data-contract/model-parts.ts'
import type { Field, Model } from '../../schema/model.ts'
import type { TextEdit } from '../../text/edit/text-edit.ts'
import { isObject, type ObjectValue, type Value, valueAt } from '../../text/value.ts'
import type { ActualModel } from '../actual.ts'
import { isInCategory } from '../categories.ts'
import type { DriftDifference } from '../difference.ts'
import type { PromisedModel } from '../promise.ts'
import { DCS } from './dcs-language.ts'
import type { ContractLanguage, TypeUse, WrittenPart, WrittenField } from './language.ts'
import { ODCS_2 } from './odcs-2-language.ts'
import { OdcsLanguage } from './odcs-language.ts'
import { type PairedField, pairFields } from './pair-fields.ts'

/** A contract as it was read, with the value of its document. */
interface ReadContract {
  contract: DataContract
  value: Value
}

const OTHER_LANGUAGE =
  'The contract writes its fields in another language than its own. Change them there.'
const NO_WORDS = 'The format of the contract has no words for this. Change it by hand.'
const NOT_WRITTEN = 'The contract does not write this field by itself. Change it by hand.'

/** Writes the edits of one model of a contract that adopts differences of its table. */
export class ModelChange {
  readonly #value: Value
  readonly #written: WrittenPart
  readonly #actual: ActualModel
  readonly #language: ContractLanguage
  readonly #pairs: ReadonlyMap<string, PairedField>
  readonly #use: TypeUse

  private constructor(
    { contract, value }: ReadContract,
    promise: PromisedModel,
    actual: ActualModel,
    { model, written }: { model: Model; written: WrittenPart },
  ) {
    this.#value = value
    this.#written = written
    this.#actual = actual
    this.#pairs = pairFields(model.fields, actual)
    this.#language = getLanguage(value, written, contract.formatVersion, actual)
    this.#use = this.#getUse(promise)
  }

  /** Finds the model where it is written; otherwise returns why it cannot be changed. */
  static find(
    read: ReadContract,
    promise: PromisedModel,
    { model: name, actual }: { model: string; actual: ActualModel },
  ): ModelChange | string {
    const model = read.contract.models.find((one) => one.name === name)
    if (model === undefined) return OTHER_LANGUAGE
    const path = toPath(read.value, model.origin)
    const raw = valueAt(read.value, path)
    const isOwn = path.length === 2 && ['schema', 'dataset', 'models'].includes(String(path[0]))
    if (!isOwn || !isObject(raw)) return OTHER_LANGUAGE
    return new ModelChange(read, promise, actual, { model, written: { path, raw } })
  }

  /** Returns the edits that adopt a difference; `all` are those that are adopted with it. A text = it cannot be written. */
  adopt(difference: DriftDifference, all: readonly DriftDifference[]): TextEdit[] | string {
    const { field: path, aspect } = difference
    switch (aspect) {
      case 'object':
        return 'The table does not exist. Choose another table, or remove the model or server from the contract.'
      case 'kind':
        return this.#language.setKind(this.#written, this.#actual.kind) ?? NO_WORDS
      case 'key':
        return this.#setKey(all)
      case 'constraints':
        return this.#removeConstraints()
      case 'column.extra':
        return this.#add(path, all)
      case 'column.missing':
      case 'type':
      case 'nullable':
      case 'unique':
      case 'classification':
        return this.#adoptField(difference)
    }
  }

  #adoptField({ field: path, aspect, actual }: DriftDifference): TextEdit[] | string {
    const { field, column } = this.#pairs.get(path) ?? {}
    const at = field && this.#find(field)
    if (at === undefined) return this.#adoptWhole(path)
    if (aspect === 'column.missing') return this.#language.removeField(this.#written, at)
    if (column === undefined) return NOT_WRITTEN
    if (aspect === 'type') return this.#language.setType(at, column, this.#use) ?? NO_WORDS
    if (aspect === 'nullable') return this.#language.setRequired(at, column.required)
    if (aspect === 'unique') return this.#language.setUnique(at, false)
    return actual === null ? NO_WORDS : this.#language.setClassification(at, actual)
  }

  // Fields that only the type of an outer column names change with that.
  #adoptWhole(path: string): TextEdit[] | string {
    let outer = ''
    for (const [one, { field, column }] of this.#pairs) {
      const isAround = path.startsWith(`${one}.`) || path.startsWith(`${one}[`)
      if (!isAround || one.length < outer.length || column === undefined) continue
      if (field !== undefined && this.#find(field) !== undefined) outer = one
    }
    const { field, column } = this.#pairs.get(outer) ?? {}
    const at = field && this.#find(field)
    if (at === undefined || column === undefined) return NOT_WRITTEN
    return this.#language.setType(at, column, this.#use) ?? NO_WORDS
  }

  #add(path: string, all: readonly DriftDifference[]): TextEdit[] | string {
    const pair = this.#pairs.get(path)
    if (pair?.column === undefined) return this.#adoptWhole(path)
    const outer = this.#pairs.get(pair.parent)?.field
    const inside = pair.parent === '' ? this.#written : outer && this.#find(outer)
    if (inside === undefined) return this.#adoptWhole(path)
    const isInKey = pair.parent === '' && all.some(({ aspect }) => aspect === 'key')
    return this.#addColumn(inside, pair.column, isInKey) ?? NO_WORDS
  }

  #addColumn(inside: WrittenPart, column: Field, isInKey: boolean): TextEdit[] | undefined {
    const at = isInKey ? this.#actual.primaryKey.indexOf(column.name) : -1
    return this.#language.addField(inside, column, this.#use, at === -1 ? undefined : at + 1)
  }

  // A column of the key that the contract does not have is added with it.
  #setKey(all: readonly DriftDifference[]): TextEdit[] | string {
    const { primaryKey } = this.#actual
    const edits: TextEdit[] = []
    const names = new Map<string, string>()
    const fields: { at: WrittenField; position: number | undefined }[] = []
    for (const [path, { field, column, parent }] of this.#pairs) {
      if (parent !== '' || column === undefined) continue
      const position = primaryKey.indexOf(column.name)
      const isInKey = position !== -1
      if (field !== undefined) {
        const at = this.#find(field)
        if (at === undefined) return NOT_WRITTEN
        if (isInKey || field.primaryKeyPosition !== undefined) {
          fields.push({ at, position: isInKey ? position + 1 : undefined })
        }
        names.set(column.name, field.name)
      } else if (isInKey) {
        names.set(column.name, column.name)
        const isAdded = all.some((one) => one.aspect === 'column.extra' && one.field === path)
        const added = isAdded ? [] : this.#addColumn(this.#written, column, true)
        if (added === undefined) return NO_WORDS
        edits.push(...added)
      }
    }
    const key = primaryKey.flatMap((name) => names.get(name) ?? [])
    return [...edits, ...this.#language.setKey(this.#written, fields, key)]
  }

  #removeConstraints(): TextEdit[] | string {
    const edits: TextEdit[] = []
    const key: { at: WrittenField; position: undefined }[] = []
    for (const { field, column, parent } of this.#pairs.values()) {
      if (parent !== '' || field === undefined || column === undefined) continue
      const at = this.#find(field)
      if (at === undefined) return NOT_WRITTEN
      if (field.required) edits.push(...this.#language.setRequired(at, false))
      if (field.unique) edits.push(...this.#language.setUnique(at, false))
      if (field.primaryKeyPosition !== undefined) key.push({ at, position: undefined })
    }
    return [...edits, ...this.#language.setKey(this.#written, key, [])]
  }

  // Undefined for a field that is only in the text of a type, or in a definition.
  #find(field: Field): WrittenField | undefined {
    const path = toPath(this.#value, field.origin)
    const isInside = path.length > this.#written.path.length
    const raw = isInside ? valueAt(this.#value, path) : undefined
    return isObject(raw) ? { path, raw, field } : undefined
  }

  #getUse({ types, hasNoTimestamps }: PromisedModel): TypeUse {
    const fields = [...this.#pairs.values()].flatMap(({ field }) => field ?? [])
    const raws = fields
      .map((field) => this.#find(field)?.raw)
      .filter((raw): raw is ObjectValue => raw !== undefined)
    const has = (name: string): boolean => raws.some((raw) => raw[name] !== undefined)
    const isOwn = types !== undefined && types === this.#actual.platform
    return {
      hasPhysical: isOwn && (has('physicalType') || raws.length === 0),
      hasLogical: has('logicalType') || raws.length === 0,
      holds: (logicalType, column) => isInCategory(logicalType, column, hasNoTimestamps === true),
    }
  }
}

function getLanguage(
  value: Value,
  { path }: WrittenPart,
  version: string | undefined,
  { platform }: ActualModel,
): ContractLanguage {
  if (path[0] === 'models') return DCS
  return path[0] === 'dataset' ? ODCS_2 : new OdcsLanguage(value, version, platform)
}
