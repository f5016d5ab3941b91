import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import type { Extension, Text } from '@codemirror/state'
import { keymap, type EditorView } from '@codemirror/view'
import type { MediaType } from '../../formats/text/text.ts'
import type { DocumentKind, TextProblem } from './document-kind.ts'
import { sourceCompletion } from './source-completion.ts'
import { findOffset } from './text-offset.ts'

/** The text that the tools of an editor are for. */
export interface SourceToolsOptions {
  isReadOnly: boolean
  /** Undefined = no completion and no explanations. */
  reader: DocumentKind['reader'] | undefined
  mediaType: MediaType
}

const SHOWN_PROBLEMS_MAX = 500

/** Search, completion and explanations, and the place of marks. */
export function sourceTools({ isReadOnly, reader, mediaType }: SourceToolsOptions): Extension {
  const searching = [search({ top: true }), keymap.of(searchKeymap)]
  if (isReadOnly) return searching
  return [
    lintGutter(),
    ...searching,
    keymap.of(lintKeymap),
    highlightSelectionMatches(),
    reader === undefined ? [] : sourceCompletion(reader, mediaType),
  ]
}

/** Marks problems in the text, instead of those that were marked before. */
export function markProblems(view: EditorView, problems: readonly TextProblem[]): void {
  const { doc } = view.state
  const shown = problems.slice(0, SHOWN_PROBLEMS_MAX).map((one) => toDiagnostic(doc, one))
  view.dispatch(setDiagnostics(view.state, shown))
}

function toDiagnostic(doc: Text, { severity, message, line, column }: TextProblem): Diagnostic {
  const from = findOffset(doc, line, column)
  const rest = doc.sliceString(from, doc.lineAt(from).to)
  const length = /^(?:"(?:[^"\\]|\\.)*"|[^\s:,]+)/.exec(rest)?.[0].length ?? 0
  return { from, to: from + length, severity, message }
}
