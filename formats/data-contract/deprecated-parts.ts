// The parts of a data contract that are deprecated: the contract itself by its status, models and fields by their flag.

import {
  DEPRECATED_PARTS_MAX,
  type DeprecatedPart,
  type DocumentParts,
  toPart,
} from '../data-product/deprecated-parts.ts'
import { isEndingStatus } from '../data-product/standing.ts'
import type { Field, Model } from '../schema/model.ts'
import type { DataContract } from './data-contract.ts'

/** Lists the parts of a data contract. `isFlagged`: the document has a flag of its own, which no standard defines. */
export function listContractParts(contract: DataContract, isFlagged = false): DocumentParts {
  const deprecated: DeprecatedPart[] = []
  const { name, description, status, models } = contract
  if (isFlagged || isEndingStatus(status)) {
    const head: DeprecatedPart = { key: '', kind: 'document', name, pointer: '' }
    deprecated.push(toPart(head, contract.replacedBy, description))
  }
  for (const model of models) {
    if (model.deprecated && deprecated.length < DEPRECATED_PARTS_MAX) {
      const key = toModelKey(model)
      const head: DeprecatedPart = { key, kind: 'model', name: model.name, pointer: model.origin }
      deprecated.push(toPart(head, model.replacedBy, model.description))
    }
    addFields(deprecated, model.fields, model.name)
  }
  return { deprecated, listKeys: () => listKeys(models) }
}

// The names of nested fields are joined only if one of them is deprecated.
function addFields(deprecated: DeprecatedPart[], fields: readonly Field[], above: string): void {
  for (const field of fields) {
    if (deprecated.length >= DEPRECATED_PARTS_MAX) return
    if (field.deprecated) {
      const name = `${above}.${field.name}`
      const head: DeprecatedPart = {
        key: toFieldKey(name),
        kind: 'field',
        name,
        pointer: field.origin,
      }
      deprecated.push(toPart(head, field.replacedBy, field.description))
    }
    const inside = listInside(field)
    if (inside.length > 0) addFields(deprecated, inside, `${above}.${field.name}`)
  }
}

function listKeys(models: readonly Model[]): Set<string> {
  const keys = new Set([''])
  const add = (fields: readonly Field[], above: string): void => {
    for (const field of fields) {
      const name = `${above}.${field.name}`
      keys.add(toFieldKey(name))
      add(listInside(field), name)
    }
  }
  for (const model of models) {
    keys.add(toModelKey(model))
    add(model.fields, model.name)
  }
  return keys
}

const NONE: readonly Field[] = []

function listInside({ fields, items, keys, values, branches }: Field): readonly Field[] {
  if (fields !== undefined) return fields
  if (items === undefined && keys === undefined && values === undefined) return branches ?? NONE
  return [items, keys, values].filter((field) => field !== undefined)
}

function toModelKey({ name }: Model): string {
  return `model/${name}`
}

function toFieldKey(name: string): string {
  return `field/${name}`
}
