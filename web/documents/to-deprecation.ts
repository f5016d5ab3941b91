import { resolveShape } from '../../formats/shape/shape.ts'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'
import type { Path } from '../../formats/text/value.ts'
import type { DocumentKind } from './document-kind.ts'
import { findShape } from './find-shape.ts'

/**
 * Returns the edit that announces the end of a document: the flag if the version of its standard has one, otherwise
 * its status, which is at the path `status`.
 */
export function toDeprecation(
  reader: DocumentKind['reader'],
  text: string,
  status: Path,
): TextEdit {
  const shape = resolveShape(findShape(reader, text).shape, {})
  if (shape.kind === 'object' && shape.fields.has('deprecated')) {
    return { kind: 'set', path: ['deprecated'], value: true, order: [...shape.fields.keys()] }
  }
  return { kind: 'set', path: status, value: 'deprecated' }
}
