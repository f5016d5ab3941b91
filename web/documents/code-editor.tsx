import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { Annotation, EditorState, Text, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { classNames } from '../parts/class-names.ts'
import { codeLook, keepLineEnds } from './code-theme.ts'
import type { DocumentKind, TextProblem } from './document-kind.ts'
import { plainTyping } from './plain-typing.ts'
import { newSourceTools, type LazySourceTools } from './source-tools-chunk.ts'

/** A text to show or to edit. */
export interface CodeEditorProps {
  text: string
  mediaType: MediaType
  label: string
  /** Called with the text after each change that is typed. Undefined = the text can be read only. */
  onChange?: (text: string) => void
  problems?: readonly TextProblem[]
  /** Called with the editor when it is there, and with undefined when it is gone; keep it stable. */
  onView?: (view: EditorView | undefined) => void
  describedBy?: string
  /** Which kind of document it is, for completion and explanations; undefined = none. */
  reader?: DocumentKind['reader']
  className?: string
}

/** A text editor with line numbers, colours and search, which marks problems. */
export function CodeEditor(props: CodeEditorProps) {
  const { text, problems, onView, className } = props
  const { place, view, tools, emitted } = useView(props)

  // What was changed elsewhere comes in as the smallest change, so that the cursor stays.
  useLayoutEffect(() => {
    if (view !== undefined && text !== emitted.current) replaceText(view, text)
  }, [view, text, emitted])

  useEffect(() => {
    if (view !== undefined && problems !== undefined) tools?.showProblems(view, problems)
  }, [view, tools, problems])

  useEffect(() => {
    if (view === undefined || onView === undefined) return undefined
    onView(view)
    return () => onView(undefined)
  }, [view, onView])

  return (
    <div
      ref={place}
      className={classNames(
        'min-w-0 overflow-hidden rounded-md border border-line',
        className ?? 'max-h-[75vh] [&_.cm-editor]:max-h-[75vh]',
      )}
    />
  )
}

// The editor is recreated when its language or label changes; other properties are updated.
function useView(props: CodeEditorProps) {
  const { mediaType, label, describedBy, reader } = props
  const isReadOnly = props.onChange === undefined
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  const emitted = useRef(props.text)
  const [made, setMade] = useState<{ view: EditorView; tools: LazySourceTools }>()
  useLayoutEffect(() => {
    latest.current = props
  })
  useLayoutEffect(() => {
    const { text } = latest.current
    emitted.current = text
    const tools = newSourceTools({ isReadOnly, reader, mediaType })
    const view = new EditorView({
      parent: place.current ?? document.body,
      state: EditorState.create({
        doc: text,
        extensions: [
          ...codeLook(mediaType),
          // The line endings of the text are kept.
          keepLineEnds(text),
          ...(isReadOnly ? readOnly() : editable()),
          tools.extension,
          EditorView.contentAttributes.of({
            'aria-label': label,
            tabindex: '0',
            ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
          }),
          EditorView.updateListener.of((update) => {
            if (!update.docChanged) return
            emitted.current = update.state.sliceDoc()
            const isExternal = update.transactions.some(
              (one) => one.annotation(externalChange) === true,
            )
            if (!isExternal) latest.current.onChange?.(emitted.current)
          }),
        ],
      }),
    })
    setMade({ view, tools })
    return () => view.destroy()
  }, [mediaType, isReadOnly, label, describedBy, reader])
  return { place, view: made?.view, tools: made?.tools, emitted }
}

function readOnly(): Extension[] {
  return [
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-readonly': 'true' }),
    lineNumbers(),
    highlightSpecialChars(),
    keymap.of(defaultKeymap),
  ]
}

function editable(): Extension[] {
  return [
    lineNumbers(),
    highlightSpecialChars(),
    history(),
    plainTyping(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    // Escape gives the next Tab back to the page.
    keymap.of([...historyKeymap, indentWithTab, ...defaultKeymap]),
  ]
}

// Marks changes that come from elsewhere: they are not typed.
const externalChange = Annotation.define<true>()

function replaceText(view: EditorView, text: string): void {
  const old = view.state.doc.toString()
  const next = view.state.lineBreak === '\n' ? text : text.replaceAll(view.state.lineBreak, '\n')
  let from = 0
  const most = Math.min(old.length, next.length)
  while (from < most && old[from] === next[from]) from += 1
  let tail = 0
  while (tail < most - from && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1
  const insert = Text.of(next.slice(from, next.length - tail).split('\n'))
  const changes = { from, to: old.length - tail, insert }
  view.dispatch({ changes, annotations: externalChange.of(true) })
}
