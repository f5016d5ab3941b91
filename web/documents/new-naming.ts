import { useRef } from 'react'
import { asText, valueAt, type Path, type Value } from '../../formats/text/value.ts'
import { proposeId } from '../parts/propose-id.ts'
import type { DocumentFormProps } from './document-kind.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'

/** The paths of the name and the id of a document. */
interface NamingPaths {
  name: Path
  id: Path
  /** Proposes an id for a name, given the id before. Absent = the name in lower case with dashes. */
  propose?: (name: string, id: string) => string
}

const USUAL: NamingPaths = { name: ['name'], id: ['id'] }

/** Returns the edits that name a new document; its id follows the name until it is edited by hand. */
export function nameNewEdits(
  value: Value,
  name: string,
  order: readonly string[],
  paths: NamingPaths = USUAL,
): TextEdit[] {
  const setName: TextEdit = { kind: 'set', path: paths.name, value: name, order }
  const id = asText(valueAt(value, paths.id)) ?? ''
  const { propose = proposeId } = paths
  const proposed = propose(asText(valueAt(value, paths.name)) ?? '', id)
  if (id !== '' && id !== proposed) return [setName]
  return [setName, { kind: 'set', path: paths.id, value: propose(name, id), order }]
}

/** Returns the edits of the name and of the id of a new document, as they are typed. */
export function useNewNaming(
  { value }: DocumentFormProps,
  order: readonly string[],
  paths: NamingPaths = USUAL,
) {
  const hasOwnId = useRef(false)
  const editsOfName = (name: string): TextEdit[] =>
    nameNewEdits(value, name, order, paths).filter(
      ({ path }) => path !== paths.id || !hasOwnId.current,
    )
  const editsOfId = (id: string): TextEdit[] => {
    hasOwnId.current = id !== ''
    return [{ kind: 'set', path: paths.id, value: id, order }]
  }
  return { editsOfName, editsOfId }
}
