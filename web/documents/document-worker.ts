import type { MediaType } from '../../formats/text/text.ts'
import { checkDocument, loadReader, type CheckRequest } from './document-check.ts'
import type { DocumentKind } from './document-kind.ts'
import { editText, type TextEdit } from '../../formats/text/edit/text-edit.ts'

// Large documents take a while to read. They are read here, beside the page, which stays quick.

/** A request of the page; the response has the same number. */
export type Asked =
  | { kind: 'prepare'; reader: DocumentKind['reader'] }
  | { number: number; kind: 'check'; request: CheckRequest }
  | { number: number; kind: 'edit'; text: string; mediaType: MediaType; edits: readonly TextEdit[] }

self.addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  void answer(data)
})

async function answer(asked: Asked): Promise<void> {
  if (asked.kind === 'prepare') {
    // The request that needs the reader reports the failure.
    await loadReader(asked.reader).catch(() => undefined)
    return
  }
  const { number } = asked
  try {
    const result =
      asked.kind === 'check'
        ? await checkDocument(asked.request)
        : editText(asked.text, asked.mediaType, asked.edits)
    self.postMessage({ number, result })
  } catch (error) {
    self.postMessage({ number, error: String(error) })
  }
}
