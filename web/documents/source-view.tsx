import { Download } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { Button } from '../parts/button.tsx'
import { classNames } from '../parts/class-names.ts'
import { CopyButton } from '../parts/copy.tsx'
import { download } from '../parts/download.ts'
import { lazyPart } from '../parts/lazy-part.ts'

const SourceEditor = lazyPart(() => import('./source-editor.tsx'), 'SourceEditor')

/** Loads the code of the source view as soon as a page is going to show it, beside its document. */
export function usePreparedSource(isShown: boolean): void {
  useEffect(() => {
    if (isShown) SourceEditor.prepare()
  }, [isShown])
}

interface SourceViewProps {
  text: string
  mediaType: MediaType
  /** The name of the file without its ending. */
  fileName: string
  label?: string
}

/** A document as it was sent, to read, copy and download. */
export function SourceView({ text, mediaType, fileName, label = 'Source' }: SourceViewProps) {
  const ending = mediaType === 'application/json' ? 'json' : 'yaml'
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} />
        <Button icon={Download} onClick={() => download(text, mediaType, `${fileName}.${ending}`)}>
          Download
        </Button>
      </div>
      <Suspense fallback={<PlainSource text={text} />}>
        <SourceEditor text={text} mediaType={mediaType} label={label} />
      </Suspense>
    </div>
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
