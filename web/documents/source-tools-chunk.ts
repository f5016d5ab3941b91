import { Compartment, type Extension } from '@codemirror/state'
import { EditorView, gutter } from '@codemirror/view'
import { newFloatingChunk } from '../parts/lazy-part.ts'
import type { TextProblem } from './document-kind.ts'
import type * as Tools from './source-tools.ts'

/** The tools of one editor: search, completion, explanations and marks of problems. */
export interface LazySourceTools {
  extension: Extension
  showProblems(view: EditorView, problems: readonly TextProblem[]): void
}

const chunk = newFloatingChunk(() => import('./source-tools.ts'))

/**
 * Creates the tools of an editor. They are loaded when the pointer or the focus first comes to it, or for a
 * problem; the text can be read and edited without them.
 */
export function newSourceTools(options: Tools.SourceToolsOptions): LazySourceTools {
  const place = new Compartment()
  let isAdded = false
  let hasMarks = false
  const load = async (view: EditorView): Promise<typeof Tools> => {
    const tools = await chunk.load()
    if (!isAdded) view.dispatch({ effects: place.reconfigure(tools.sourceTools(options)) })
    isAdded = true
    return tools
  }
  const prepare = (view: EditorView): void => {
    if (!isAdded) load(view).catch(() => undefined)
  }
  return {
    extension: [
      place.of(options.isReadOnly ? [] : MARKS_SPACE),
      EditorView.domEventHandlers({
        focus: (_, view) => prepare(view),
        pointermove: (_, view) => prepare(view),
      }),
    ],
    showProblems(view, problems) {
      if (problems.length === 0 && !hasMarks) return
      hasMarks = problems.length > 0
      load(view).then(
        (tools) => tools.markProblems(view, problems),
        () => undefined,
      )
    },
  }
}

// Keeps the place of the marks beside the lines, so that nothing moves when they arrive.
const MARKS_SPACE = [
  gutter({ class: 'cm-gutter-lint' }),
  EditorView.baseTheme({ '.cm-gutter-lint': { width: '1.4em' } }),
]
