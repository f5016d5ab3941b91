import type { Answer } from './endpoint.ts'
import { nextPageLink, PAGE_ELEMENTS_MAX } from './paging.ts'

/** A document of a page: the key that it is loaded by, and its size in bytes. */
export interface DocumentReference<Key> {
  key: Key
  bytes: number
}

/** The text around the documents of a page. */
interface ListFrame {
  start: string
  end: string
  /** The text between documents; by default a comma. */
  separator?: string
  /** The text of a page without documents; by default the start and the end. */
  empty?: string
}

const ARRAY: ListFrame = { start: '[', end: ']' }

/** The documents of a page that are in memory for one reader at a time, unless one is larger. */
export const CHUNK_BYTES_MAX = 4 * 1024 * 1024

/**
 * Returns a page of at most 1,000 documents as a JSON array in a frame, or without `request` all of them. They are loaded
 * in chunks of bounded size, as fast as the client reads; no statement stays open in between. `references` has
 * one more than a page if there is a next page.
 */
export async function documentListAnswer<Key>(
  references: readonly DocumentReference<Key>[],
  load: (keys: readonly Key[]) => Promise<readonly string[]>,
  request:
    | { path: string; search: URLSearchParams; page: number; elementsMax?: number }
    | undefined,
  headers: Record<string, string> = {},
  frame: ListFrame = ARRAY,
): Promise<Answer> {
  const { elementsMax = PAGE_ELEMENTS_MAX } = request ?? { elementsMax: references.length }
  const chunks = getChunks(references.slice(0, elementsMax))
  const hasMore = request !== undefined && references.length > elementsMax
  const link = hasMore ? nextPageLink(request.path, request.search, request.page) : ''
  const links = [link, headers['link'] ?? '']
  const joined = links.filter(Boolean).join(', ')
  const all = { ...headers, ...(joined === '' ? {} : { link: joined }) }
  const [only, ...more] = chunks
  const body =
    more.length === 0
      ? joinTexts(only === undefined ? [] : await load(only), frame)
      : getStream(chunks, load, frame)
  return { status: 200, headers: all, mediaType: 'application/json', body }
}

function joinTexts(
  texts: readonly string[],
  { start, end, separator = ',', empty = `${start}${end}` }: ListFrame,
): string {
  return texts.length === 0 ? empty : `${start}${texts.join(separator)}${end}`
}

function getChunks<Key>(references: readonly DocumentReference<Key>[]): Key[][] {
  const chunks: Key[][] = []
  let chunk: Key[] = []
  let chunkBytes = 0
  for (const { key, bytes } of references) {
    if (chunk.length > 0 && chunkBytes + bytes > CHUNK_BYTES_MAX) {
      chunks.push(chunk)
      chunk = []
      chunkBytes = 0
    }
    chunk.push(key)
    chunkBytes += bytes
  }
  return chunk.length > 0 ? [...chunks, chunk] : chunks
}

function getStream<Key>(
  chunks: readonly Key[][],
  load: (keys: readonly Key[]) => Promise<readonly string[]>,
  { start, end, separator = ',', empty = `${start}${end}` }: ListFrame,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let index = 0
  let hasBegun = false
  return new ReadableStream(
    {
      // A chunk is loaded when it is read, in the turn of its request.
      async pull(controller) {
        let documents: readonly string[] = []
        // Nothing pulls again after a chunk whose documents were all deleted.
        while (documents.length === 0 && index < chunks.length) {
          documents = await load(chunks[index] ?? [])
          index += 1
        }
        if (documents.length > 0) {
          controller.enqueue(
            encoder.encode((hasBegun ? separator : start) + documents.join(separator)),
          )
          hasBegun = true
        }
        if (index === chunks.length) {
          controller.enqueue(encoder.encode(hasBegun ? end : empty))
          controller.close()
        }
      },
    },
    { highWaterMark: 0 },
  )
}
