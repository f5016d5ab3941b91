import type { TextEdit } from '../../formats/text/edit/text-edit.ts'
import { isObject, type Path, type Value } from '../../formats/text/value.ts'

/** The customary order of the fields of a context. */
export const CONTEXT_ORDER = ['instructions', 'verifiedStatements', 'constraints']

/** Returns the path of the instructions of a context. ODCS allows a text, which is the instructions. */
export function getInstructionsPath(context: Value | undefined, path: Path): Path {
  return typeof context === 'string' ? path : [...path, 'instructions']
}

/** Returns the edits that write instructions; without any other guidance an empty text removes the context. */
export function listInstructionEdits(
  context: Value | undefined,
  path: Path,
  text: string,
  order: readonly string[],
): TextEdit[] {
  const place = getInstructionsPath(context, path)
  if (text !== '') return [{ kind: 'set', path: place, value: text, order }]
  const hasMore = isObject(context ?? null) && Object.keys(Object(context)).some(isOther)
  return [{ kind: 'remove', path: hasMore ? place : path }]
}

function isOther(name: string): boolean {
  return name !== 'instructions'
}

/** Returns the edits that turn a context that is a text into an object with equal meaning. */
export function listObjectEdits(context: Value | undefined, path: Path): TextEdit[] {
  if (typeof context !== 'string') return []
  return [{ kind: 'set', path, value: { instructions: context } }]
}
