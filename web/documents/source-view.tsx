import { Download } from 'lucide-react'
import { useEffect } from 'react'
import type { MediaType } from '../../formats/text/text.ts'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { download } from '../parts/download.ts'
import { prepareSourceEditor, SourceEditor } from './source-editor.tsx'

/** Loads the code of the source view as soon as a page is going to show it, beside its document. */
export function usePreparedSource(isShown: boolean): void {
  useEffect(() => {
    if (isShown) prepareSourceEditor()
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
      <SourceEditor text={text} mediaType={mediaType} label={label} />
    </div>
  )
}
