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
  options: { accept?: string; signal?: AbortSignal } = {},
): Promise<KeptDocument> {
  const headers = {
    ...ownHeaders(),
    ...(options.accept === undefined ? {} : { accept: options.accept }),
  }
  const response = await request(path, {
    headers,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  return {
    text: await response.text(),
    mediaType: response.headers.get('content-type')?.split(';')[0] ?? '',
    etag: response.headers.get('etag') ?? undefined,
    headers: response.headers,
  }
}

/** A change of a document. */
export interface DocumentChange {
  text: string
  mediaType: 'application/json' | 'application/yaml'
  /** The tag of the version that was read, so that no change in between is lost. */
  ifMatch?: string | undefined
  /** Only where nothing is yet. */
  ifNoneMatch?: '*'
  signal?: AbortSignal
}

/** Sends a document with PUT or POST, as it is, and gives the answer's text. Errors: Problem. */
export async function sendText(
  method: 'PUT' | 'POST',
  path: string,
  change: DocumentChange,
): Promise<KeptDocument> {
  const response = await request(path, {
    method,
    headers: {
      ...ownHeaders(),
      'content-type': change.mediaType,
      ...(change.ifMatch === undefined ? {} : { 'if-match': change.ifMatch }),
      ...(change.ifNoneMatch === undefined ? {} : { 'if-none-match': change.ifNoneMatch }),
    },
    body: change.text,
    ...(change.signal === undefined ? {} : { signal: change.signal }),
  })
  return {
    text: await response.text(),
    mediaType: response.headers.get('content-type')?.split(';')[0] ?? '',
    etag: response.headers.get('etag') ?? undefined,
    headers: response.headers,
  }
}

async function request(path: string, init: RequestInit): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    void connection.check()
    throw unreachable()
  }
  await refuseProblem(response)
  return response
}
