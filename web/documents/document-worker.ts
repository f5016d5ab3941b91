import type { MediaType } from '../../formats/text.ts'
import { checkDocument, type CheckRequest } from './document-check.ts'
import { editText, type TextEdit } from './text-edit.ts'

// Large documents take a while to read. They are read here, beside the page, which stays quick.

/** What the page asks for; the answer carries the same number. */
export type Asked =
  | { number: number; kind: 'check'; request: CheckRequest }
  | { number: number; kind: 'edit'; text: string; mediaType: MediaType; edits: readonly TextEdit[] }

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { number } = data
  if (data.kind === 'check') self.postMessage({ number, result: checkDocument(data.request) })
  else self.postMessage({ number, result: editText(data.text, data.mediaType, data.edits) })
})
