import { editText, type EditedText, type TextEdit } from '../../../formats/text/edit/text-edit.ts'
import { readText } from '../../../formats/text/text.ts'
import { isObject, valueAt, type ObjectValue } from '../../../formats/text/value.ts'

/** The place of the filters in a customization. */
export const FILTERS_PATH = ['dataProduct', 'customFilters']

const YAML = 'application/yaml'
const ORDER = ['displayName', 'customField']

/** A filter of a customization, as it is written, complete or not. */
interface FilterRow {
  /** Its position in the list. */
  at: number
  stored: ObjectValue
}

/** Lists the filters of a customization; undefined = the text cannot be read, or has something else in their place. */
export function listFilterRows(text: string): FilterRow[] | undefined {
  const source = readText(text, YAML)
  if (!source.ok) return undefined
  const product = valueAt(source.value, FILTERS_PATH.slice(0, 1)) ?? {}
  const filters = valueAt(source.value, FILTERS_PATH) ?? []
  if (!isObject(product) || !Array.isArray(filters) || !filters.every(isObject)) return undefined
  return filters.map((stored, at) => ({ at, stored }))
}

/** Lists the paths of the fields that the form shows, as violations name them. */
export function listFilterFields(text: string): string[] {
  const rows = listFilterRows(text) ?? []
  return rows.flatMap(({ at }) => ORDER.map((name) => `${FILTERS_PATH.join('.')}[${at}].${name}`))
}

/** A change that the form makes. */
export type FilterEdit =
  | { kind: 'add' }
  | { kind: 'remove'; at: number }
  | { kind: 'set'; at: number; name: string; value: string }

/** Changes one filter in the text; other members, comments and the layout stay. */
export function editFilters(text: string, change: FilterEdit): EditedText {
  return editText(text, YAML, [toTextEdit(text, change)])
}

function toTextEdit(text: string, change: FilterEdit): TextEdit {
  switch (change.kind) {
    case 'add': {
      const value = { displayName: '', customField: '' }
      return { kind: 'add', path: FILTERS_PATH, value, order: ['customFilters'] }
    }
    case 'remove': {
      const isLast = listFilterRows(text)?.length === 1
      // An empty list is written as such.
      if (isLast) return { kind: 'set', path: FILTERS_PATH, value: [] }
      return { kind: 'remove', path: [...FILTERS_PATH, change.at] }
    }
    case 'set': {
      const path = [...FILTERS_PATH, change.at, change.name]
      return { kind: 'set', path, value: change.value, order: ORDER }
    }
  }
}
