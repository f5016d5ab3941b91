import { fieldOf, textOf, type Value } from '../../formats/value.ts'
import { proposeId } from '../parts/propose-id.ts'
import type { TextEdit } from './text-edit.ts'

/** Returns the edits that name a new document; its id follows the name until it is edited by hand. */
export function nameNewEdits(value: Value, name: string, order: readonly string[]): TextEdit[] {
  const setName: TextEdit = { kind: 'set', path: ['name'], value: name, order }
  const id = textOf(fieldOf(value, 'id')) ?? ''
  const proposed = proposeId(textOf(fieldOf(value, 'name')) ?? '')
  if (id !== '' && id !== proposed) return [setName]
  return [setName, { kind: 'set', path: ['id'], value: proposeId(name), order }]
}
