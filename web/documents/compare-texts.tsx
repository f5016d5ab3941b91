import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { MergeView } from '@codemirror/merge'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { useLayoutEffect, useRef, useState } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { Checkbox } from '../parts/field.tsx'
import { codeLook, keepLineEnds } from './code-theme.ts'
import { plainTyping } from './plain-typing.ts'

// Shorter texts are seen at a glance.
const FOLD_LINES_MIN = 80

interface Side {
  text: string
  mediaType: MediaType
  label: string
}

interface CompareTextsProps {
  before: Side
  after: Side
  /** Makes the second text editable; what differs can then be taken over from the first one. */
  onChange?: (text: string) => void
}

/**
 * Two texts side by side, with what differs between them; long equal stretches are folded. Other texts
 * need another `key`.
 */
export function CompareTexts({ before, after, onChange }: CompareTextsProps) {
  const place = useRef<HTMLDivElement>(null)
  const change = useRef(onChange)
  useLayoutEffect(() => {
    change.current = onChange
  })
  const isEditable = onChange !== undefined
  // The texts that it began with: what is edited here comes back as the new text.
  const [sides] = useState({ before, after })
  const current = useRef(after.text)
  const [isFolded, setFolded] = useState(() => after.text.split('\n').length > FOLD_LINES_MIN)

  useLayoutEffect(() => {
    const listener = EditorView.updateListener.of(({ docChanged, state }) => {
      if (!docChanged) return
      current.current = state.sliceDoc()
      change.current?.(current.current)
    })
    const view = new MergeView({
      parent: place.current ?? document.body,
      a: {
        doc: sides.before.text,
        extensions: [...getSide(sides.before), EditorState.readOnly.of(true)],
      },
      b: {
        doc: current.current,
        extensions: [
          ...getSide(sides.after),
          EditorState.readOnly.of(!isEditable),
          ...(isEditable
            ? [history(), plainTyping(), keymap.of([...historyKeymap, indentWithTab]), listener]
            : []),
        ],
      },
      ...(isFolded ? { collapseUnchanged: { margin: 3, minSize: 6 } } : {}),
      ...(isEditable ? { revertControls: 'a-to-b', renderRevertControl: revertControl } : {}),
    })
    return () => view.destroy()
  }, [sides, isEditable, isFolded])

  return (
    <div className="grid gap-2">
      <Checkbox
        label="Hide unchanged lines"
        checked={isFolded}
        onChange={({ target }) => setFolded(target.checked)}
      />
      <div
        ref={place}
        className="max-h-[70vh] min-w-0 overflow-auto rounded-md border border-line [&_.cm-mergeView]:min-w-[40rem]"
      />
    </div>
  )
}

function getSide({ text, mediaType, label }: Side) {
  return [
    ...codeLook(mediaType),
    keepLineEnds(text),
    lineNumbers(),
    highlightSpecialChars(),
    search({ top: true }),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    keymap.of([...searchKeymap, ...defaultKeymap]),
  ]
}

function revertControl(): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '→'
  button.title = 'Use the left side for this change'
  button.setAttribute('aria-label', 'Use the left side for this change')
  // The view only handles pointer events; a key press is a click without one.
  button.addEventListener('click', (event) => {
    if (event.detail === 0) button.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  })
  return button
}
