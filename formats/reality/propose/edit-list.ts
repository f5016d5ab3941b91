import type { TextEdit } from '../../text/edit/text-edit.ts'
import { jsonText, type Path } from '../../text/value.ts'

/** Edits of one text by several findings. */
export class EditList {
  readonly #edits = new Map<string, { edit: TextEdit; text: string }>()

  /** Adds edits; returns false if one contradicts an earlier one. Equal ones count once. */
  add(edits: readonly TextEdit[]): boolean {
    for (const edit of edits) {
      const text = 'value' in edit ? jsonText(edit.value) : ''
      const name = edit.kind === 'add' ? text : ''
      const key = JSON.stringify([edit.kind === 'add', edit.path, name])
      const earlier = this.#edits.get(key)
      if (earlier === undefined) this.#edits.set(key, { edit, text })
      else if (earlier.edit.kind !== edit.kind || earlier.text !== text) return false
    }
    return true
  }

  /** Lists the edits so that each path is the one in the text before: items are removed last, from the end. */
  getSorted(): TextEdit[] {
    const edits = Array.from(this.#edits.values(), ({ edit }) => edit)
    return [
      ...edits.filter((edit) => !isRemoval(edit)),
      ...edits.filter(isRemoval).toSorted((a, b) => comparePaths(b.path, a.path)),
    ]
  }
}

function isRemoval({ kind }: TextEdit): boolean {
  return kind === 'remove'
}

function comparePaths(a: Path, b: Path): number {
  for (const [at, step] of a.entries()) {
    const other = b[at]
    if (other === undefined) return 1
    if (step === other) continue
    if (typeof step === 'number' && typeof other === 'number') return step - other
    return String(step) < String(other) ? -1 : 1
  }
  return a.length - b.length
}
