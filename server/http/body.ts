import type { MediaType } from '../../formats/text.ts'
import { Refusal } from '../errors.ts'

/** What an endpoint takes as its body. */
export interface BodyRule {
  mediaTypes: readonly MediaType[]
  bytesMax: number
}

/** A request's body as text, and what kind of text it is. */
export interface Body {
  text: string
  mediaType: MediaType
}

const MEDIA_TYPES: ReadonlyMap<string, MediaType> = new Map<string, MediaType>([
  ['application/json', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['application/x-yaml', 'application/yaml'],
])

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Reads a request's body within its limits. A body without a media type is taken for JSON. Errors:
 * media_type_unsupported, body_too_large, body_malformed.
 */
export async function readBody(request: Request, rule: BodyRule): Promise<Body> {
  const mediaType = mediaTypeOf(request.headers, rule)
  if (Number(request.headers.get('content-length') ?? 0) > rule.bytesMax) throw tooLarge(rule)
  const bytes = await bytesOf(request, rule).catch(refuseBrokenOff)
  try {
    return { text: utf8.decode(bytes), mediaType }
  } catch {
    throw new Refusal('body_malformed', 'The body is not UTF-8 text.')
  }
}

function mediaTypeOf(headers: Headers, rule: BodyRule): MediaType {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Refusal('media_type_unsupported', `Send the body as it is, without ${encoding}.`)
  }
  const sent = headers.get('content-type')
  if (sent === null || sent === 'application/json') return 'application/json'
  const [essence = '', ...parameters] = sent
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice(8)
  if (charset !== undefined && !/^"?utf-?8"?$/.test(charset)) {
    throw new Refusal('media_type_unsupported', `Send UTF-8, not ${charset}.`)
  }
  const mediaType = MEDIA_TYPES.get(essence)
  if (mediaType === undefined || !rule.mediaTypes.includes(mediaType)) {
    const offered = rule.mediaTypes.join(' or ')
    throw new Refusal('media_type_unsupported', `Send ${offered}, not ${essence || 'nothing'}.`)
  }
  return mediaType
}

async function bytesOf(request: Request, rule: BodyRule): Promise<Uint8Array> {
  // With a length given the server lets no more through than that; without one it is counted.
  if (request.headers.has('content-length')) return new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let byteCount = 0
  for await (const chunk of request.body ?? []) {
    byteCount += chunk.byteLength
    if (byteCount > rule.bytesMax) throw tooLarge(rule)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function refuseBrokenOff(error: unknown): never {
  if (error instanceof Refusal) throw error
  throw new Refusal('body_malformed', 'The body ended before all of it was there.', {
    cause: error,
  })
}

function tooLarge(rule: BodyRule): Refusal {
  const kibibytes = Math.floor(rule.bytesMax / 1024)
  return new Refusal('body_too_large', `The body may have ${kibibytes} KiB at most.`)
}
