import { StateEffect, StateField, type Extension } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import type { Position } from '../../formats/text/text.ts'
import { findOffset } from './text-offset.ts'

const markField = StateEffect.define<number>()
const MARK = { class: 'cm-formField' }

// A document may be one long line.
const LINE_CHARACTERS_MAX = 300

/** The mark of the field that the form shows. */
export const FIELD_MARK: Extension = [
  StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(marks, { effects, changes, state }) {
      const effect = effects.find((one) => one.is(markField))
      if (effect?.is(markField) !== true) return marks.map(changes)
      const { from, to, length } = state.doc.lineAt(effect.value)
      if (length <= LINE_CHARACTERS_MAX) return Decoration.set([Decoration.line(MARK).range(from)])
      const rest = state.doc.sliceString(effect.value, Math.min(to, effect.value + 200))
      const end = effect.value + (/^(?:"[^"]*"|\w+|.)/.exec(rest)?.[0].length ?? 0)
      if (end === effect.value) return Decoration.none
      return Decoration.set([Decoration.mark(MARK).range(effect.value, end)])
    },
    provide: (marks) => EditorView.decorations.from(marks),
  }),
  EditorView.baseTheme({ '.cm-formField': { backgroundColor: 'var(--color-accent-soft)' } }),
]

/**
 * Marks a field of the text. Without `progress`, the text moves only if the field is out of sight; with it, the field
 * moves to that part of the editor.
 */
export function showField(
  view: EditorView,
  { line, column }: Position,
  progress: number | undefined,
): void {
  const at = findOffset(view.state.doc, line, column)
  const box = view.scrollDOM.getBoundingClientRect()
  const place = view.coordsAtPos(at)
  const isInSight = place !== null && place.top >= box.top && place.bottom <= box.bottom
  const mark = markField.of(at)
  if (progress === undefined && isInSight) {
    view.dispatch({ effects: mark })
    return
  }
  const yMargin = (progress ?? 1 / 3) * (box.height - view.defaultLineHeight)
  const restore = keepOuterScroll(view.dom)
  view.dispatch({ effects: [mark, EditorView.scrollIntoView(at, { y: 'start', yMargin })] })
  // The editor scrolls in the next frame.
  requestAnimationFrame(restore)
}

// The editor also scrolls what is around it, which must stay.
function keepOuterScroll(inner: HTMLElement): () => void {
  const tops: [HTMLElement, number][] = []
  for (let one = inner.parentElement; one !== null; one = one.parentElement) {
    if (one !== document.documentElement) tops.push([one, one.scrollTop])
  }
  return () => {
    for (const [one, top] of tops) if (one.scrollTop !== top) one.scrollTop = top
  }
}

/** Returns the position that is read: the end of the line at a height of the editor, between 0 and 1. */
export function findReadPosition(view: EditorView, progress: number): Position {
  const { right, top, height } = view.scrollDOM.getBoundingClientRect()
  const edge = view.defaultLineHeight / 2
  const y = Math.min(top + height - edge, Math.max(top + edge, top + progress * height))
  return toPosition(view, view.posAtCoords({ x: right - 1, y }, false))
}

/** Returns the line and column of an offset; both count from 1. */
export function toPosition({ state }: EditorView, offset: number): Position {
  const line = state.doc.lineAt(offset)
  return { line: line.number, column: offset - line.from + 1 }
}

/** Moves the cursor of the source to a position. */
export function jumpTo(view: EditorView, { line, column }: Position): void {
  const at = findOffset(view.state.doc, line, column)
  view.dispatch({
    selection: { anchor: at },
    effects: EditorView.scrollIntoView(at, { y: 'center' }),
  })
  view.focus()
}
