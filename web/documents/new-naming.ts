import { useRef } from 'react'
import { getField, asText, type Value } from '../../formats/text/value.ts'
import { proposeId } from '../parts/propose-id.ts'
import type { DocumentFormProps } from './document-kind.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'

/** Returns the edits that name a new document; its id follows the name until it is edited by hand. */
export function nameNewEdits(value: Value, name: string, order: readonly string[]): TextEdit[] {
  const setName: TextEdit = { kind: 'set', path: ['name'], value: name, order }
  const id = asText(getField(value, 'id')) ?? ''
  const proposed = proposeId(asText(getField(value, 'name')) ?? '')
  if (id !== '' && id !== proposed) return [setName]
  return [setName, { kind: 'set', path: ['id'], value: proposeId(name), order }]
}

/** Returns the edits of the name and of the id of a new document, as they are typed. */
export function useNewNaming({ value }: DocumentFormProps, order: readonly string[]) {
  const hasOwnId = useRef(false)
  const editsOfName = (name: string): TextEdit[] =>
    nameNewEdits(value, name, order).filter(({ path }) => path[0] === 'name' || !hasOwnId.current)
  const editsOfId = (id: string): TextEdit[] => {
    hasOwnId.current = id !== ''
    return [{ kind: 'set', path: ['id'], value: id, order }]
  }
  return { editsOfName, editsOfId }
}
