import type { MediaType } from '../../formats/text/text.ts'
import { checkDocument, loadReader, type CheckRequest } from './document-check.ts'
import type { DocumentKind } from './document-kind.ts'
import type { SoughtPlace, SourcePlace } from './source-places.ts'
import type { EditedText, TextEdit } from '../../formats/text/edit/text-edit.ts'

// Large documents take a while to parse. This worker does it, so that the page stays responsive.

/** The place that was sought; undefined if the text has errors. */
export interface FoundPlace {
  place: SourcePlace | undefined
}

/** A request of the page; the response has the same number. */
export type WorkerRequest =
  | { kind: 'prepare'; reader: DocumentKind['reader'] }
  | { number: number; kind: 'check'; request: CheckRequest }
  | EditRequest
  | PlaceRequest

interface PlaceRequest {
  number: number
  kind: 'place'
  text: string
  mediaType: MediaType
  sought: SoughtPlace
}

interface EditRequest {
  number: number
  kind: 'edit'
  text: string
  mediaType: MediaType
  edits: readonly TextEdit[]
}

self.addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => void respond(data))

async function respond(request: WorkerRequest): Promise<void> {
  if (request.kind === 'prepare') {
    // The request that needs the reader reports the failure.
    await loadReader(request.reader).catch(() => undefined)
    return
  }
  const { number } = request
  try {
    self.postMessage({ number, result: await getResult(request) })
  } catch (error) {
    self.postMessage({ number, error: String(error) })
  }
}

async function getResult(request: Exclude<WorkerRequest, { kind: 'prepare' }>) {
  if (request.kind === 'check') return await checkDocument(request.request)
  return request.kind === 'edit' ? await edit(request) : await findPlace(request)
}

async function findPlace({ text, mediaType, sought }: PlaceRequest): Promise<FoundPlace> {
  const { findSourcePlace } = await import('./source-places.ts')
  return { place: findSourcePlace(text, mediaType, sought) }
}

// Many documents are only read.
async function edit({ text, mediaType, edits }: EditRequest): Promise<EditedText> {
  const { editText } = await import('../../formats/text/edit/text-edit.ts')
  return editText(text, mediaType, edits)
}
