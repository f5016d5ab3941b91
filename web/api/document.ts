import { connection } from './connection.ts'
import { ownHeaders, refuseProblem } from './client.ts'
import { unreachable } from './problem.ts'

/** A document as it is kept: the very text, with its version's tag. */
export interface KeptDocument {
  text: string
  mediaType: string
  /** The value for `If-Match`; undefined if the response has none. */
  etag: string | undefined
  headers: Headers
}

/** Reads the text of any address as it is. Errors: Problem. */
export async function readText(
  path: string,
  { accept, signal }: { accept?: string; signal?: AbortSignal | undefined } = {},
): Promise<KeptDocument> {
  const headers = { ...ownHeaders(), ...(accept === undefined ? {} : { accept }) }
  return await request(path, { headers, signal: signal ?? null })
}

/** A change of a document. */
interface DocumentChange {
  text: string
  mediaType: 'application/json' | 'application/yaml'
  /** The tag of the version that was read, so that no change in between is lost. */
  ifMatch?: string | undefined
  /** Only where nothing is yet. */
  ifNoneMatch?: '*'
  signal?: AbortSignal | undefined
}

/** Sends a document with PUT or POST, as it is, and returns the answer's text. Errors: Problem. */
export async function sendText(
  method: 'PUT' | 'POST',
  path: string,
  { text, mediaType, ifMatch, ifNoneMatch, signal }: DocumentChange,
): Promise<KeptDocument> {
  const headers = {
    ...ownHeaders(),
    'content-type': mediaType,
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
  }
  return await request(path, { method, headers, body: text, signal: signal ?? null })
}

async function request(path: string, init: RequestInit): Promise<KeptDocument> {
  const response = await fetch(path, init).catch((error: unknown) => {
    if (!(error instanceof TypeError)) throw error
    void connection.check()
    throw unreachable()
  })
  await refuseProblem(response)
  return {
    text: await response.text(),
    mediaType: response.headers.get('content-type')?.split(';')[0] ?? '',
    etag: response.headers.get('etag') ?? undefined,
    headers: response.headers,
  }
}
