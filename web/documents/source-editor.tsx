import { Suspense } from 'react'
import { classNames } from '../parts/class-names.ts'
import { lazyPart } from '../parts/lazy-part.ts'
import type { CodeEditorProps } from './code-editor.tsx'

const CodeEditor = lazyPart(() => import('./code-editor.tsx'), 'CodeEditor')

/** Loads the code of the editor before it is shown. */
export const prepareSourceEditor = CodeEditor.prepare

/** An editor of a source; until it is loaded, the beginning of the text is in its place. */
export function SourceEditor(props: CodeEditorProps) {
  const { text, className } = props
  return (
    <Suspense
      fallback={<PlainSource text={text} {...(className === undefined ? {} : { className })} />}
    >
      <CodeEditor {...props} />
    </Suspense>
  )
}

// This much fills the tallest window; the editor shows the rest.
const LINES_MAX = 200
const CHARS_MAX = 20_000

interface PlainSourceProps {
  text: string
  className?: string
}

/** The beginning of a text, shown where its editor is going to be until that is loaded. */
export function PlainSource({ text, className }: PlainSourceProps) {
  return (
    <pre
      aria-busy
      className={classNames(
        'min-w-0 overflow-hidden rounded-md border border-line bg-surface py-1 pr-1.5 pl-12',
        'font-mono text-[0.8125rem] leading-[1.55] [overflow-wrap:anywhere] whitespace-pre-wrap',
        className ?? 'max-h-[75vh]',
      )}
    >
      {text.slice(0, CHARS_MAX).split('\n', LINES_MAX).join('\n')}
    </pre>
  )
}
