import type { IncomingMessage } from 'node:http'
import type { MediaType } from '../../../formats/text/text.ts'
import { ApiError } from '../../platform/errors.ts'
import { parseMediaType } from '../../platform/kit/media-types.ts'
import type { ReceiveOptions, Reservation, Uploads } from './upload.ts'
import { createGunzip } from 'node:zlib'

/** The body that an endpoint accepts. */
export interface BodyRule {
  mediaTypes: readonly MediaType[]
  /** Further names of JSON that the client may send: `application/scim+json`. */
  otherJsonTypes?: readonly string[]
  /** The limit of the body, and also of its inflated text if it is compressed. */
  bytesMax: number
  /** Whether the body may be compressed with gzip (`Content-Encoding: gzip`). Other encodings are rejected. */
  acceptsGzip?: true
}

/** The text of a request body and its media type. */
export interface Body {
  text: string
  mediaType: MediaType
}

const FORM = 'application/x-www-form-urlencoded'

const MEBIBYTE = 1024 * 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** An incoming request. `incoming` is its part of the connection; undefined within this process. */
interface BodySource {
  request: Request
  incoming: IncomingMessage | undefined
}

/**
 * Reads a request's body within its limits and the budgets of `uploads`. A body without a media type is
 * parsed as JSON. The bytes stay in the reservation until the caller releases it. Errors:
 * media_type_unsupported, body_too_large, body_malformed, upload_budget_exceeded, request_too_slow.
 */
export async function readBody(
  source: BodySource,
  rule: BodyRule,
  uploads: Uploads,
  reservation: Reservation,
): Promise<Body> {
  const { headers } = source.request
  const isCompressed = isGzip(headers, rule)
  const mediaType = getMediaType(headers, rule)
  const length = parseLength(headers)
  if (length !== undefined && length > rule.bytesMax) throw tooLarge(rule)
  const options = { length, bytesMax: rule.bytesMax, tooLarge: () => tooLarge(rule), reservation }
  const receiving =
    source.incoming === undefined
      ? readWithin(source.request, options)
      : uploads.receive(source.incoming, options)
  const received = await receiving.catch(refuseBrokenOff)
  const bytes = isCompressed ? await inflate(received, options) : received
  return { text: decode(bytes), mediaType }
}

/**
 * Reads the body of a form that a program sends (`application/x-www-form-urlencoded`). Errors: media_type_unsupported,
 * body_too_large, upload_budget_exceeded, body_malformed.
 */
export async function readFormBody(
  source: BodySource,
  bytesMax: number,
  uploads: Uploads,
  reservation: Reservation,
): Promise<URLSearchParams> {
  const { headers } = source.request
  if (parseMediaType(headers.get('content-type') ?? '').type !== FORM) {
    throw new ApiError('media_type_unsupported', `Send the body as ${FORM}.`)
  }
  const length = parseLength(headers)
  const fail = () => tooLarge({ bytesMax })
  if (length !== undefined && length > bytesMax) throw fail()
  const options = { length, bytesMax, tooLarge: fail, reservation }
  const receiving =
    source.incoming === undefined
      ? readWithin(source.request, options)
      : uploads.receive(source.incoming, options)
  return new URLSearchParams(decode(await receiving.catch(refuseBrokenOff)))
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new ApiError('body_malformed', 'The body is not UTF-8 text.')
  }
}

/** Returns whether the body is compressed. Errors: media_type_unsupported. */
function isGzip(headers: Headers, { acceptsGzip }: BodyRule): boolean {
  const sent = headers.get('content-encoding')
  const encoding = sent?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return false
  // RFC 9110, section 8.4.1.3: `x-gzip` is an old name of the same encoding.
  if (acceptsGzip === true && (encoding === 'gzip' || encoding === 'x-gzip')) return true
  const fix = acceptsGzip === true ? 'with gzip or as it is' : 'as it is'
  throw new ApiError('media_type_unsupported', `Send the body ${fix}, without ${sent}.`)
}

// The media types of the standards; a parameter may name their version, as the document does.
const STANDARD_TYPES: ReadonlyMap<string, MediaType> = new Map<string, MediaType>([
  ['application/odcs+yaml', 'application/yaml'],
  ['application/odcs+json', 'application/json'],
  ['application/odps+yaml', 'application/yaml'],
  ['application/odps+json', 'application/json'],
  ['application/oaas+yaml', 'application/yaml'],
  ['application/oaas+json', 'application/json'],
])

function getMediaType(headers: Headers, rule: BodyRule): MediaType {
  const sent = headers.get('content-type')
  if (sent === null || sent === 'application/json') return 'application/json'
  const { type, charset } = parseMediaType(sent)
  if (charset !== undefined && !/^utf-?8$/.test(charset)) {
    throw new ApiError('media_type_unsupported', `Send UTF-8, not ${charset}.`)
  }
  // Only documents of the catalog may be YAML.
  const isDocument = rule.mediaTypes.includes('application/yaml')
  const named = isDocument ? (STANDARD_TYPES.get(type) ?? type) : type
  const others = rule.otherJsonTypes ?? []
  const syntax = others.includes(named) ? 'application/json' : named
  const mediaType = rule.mediaTypes.find((one) => one === syntax)
  if (mediaType === undefined) {
    const offered = [...others, ...rule.mediaTypes].join(' or ')
    throw new ApiError('media_type_unsupported', `Send ${offered}, not ${type || 'nothing'}.`)
  }
  return mediaType
}

// The server has already rejected any other value in a request over a connection.
function parseLength(headers: Headers): number | undefined {
  const sent = headers.get('content-length')
  return sent !== null && /^\d+$/.test(sent) ? Number(sent) : undefined
}

/** Reads the body of a request that was made within this process. */
async function readWithin(request: Request, options: ReceiveOptions): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  if (bytes.length > options.bytesMax) throw options.tooLarge()
  options.reservation.grow(bytes.length)
  return bytes
}

function refuseBrokenOff(error: unknown): never {
  if (error instanceof ApiError) throw error
  throw new ApiError('body_malformed', 'The body ended before all of it was there.', {
    cause: error,
  })
}

function tooLarge({ bytesMax, acceptsGzip }: Omit<BodyRule, 'mediaTypes'>): ApiError {
  const limit = bytesMax % MEBIBYTE === 0 ? `${bytesMax / MEBIBYTE} MiB` : `${bytesMax / 1024} KiB`
  const form = acceptsGzip === true ? ', also when it is uncompressed' : ''
  return new ApiError('body_too_large', `The body may have ${limit} at most${form}.`)
}

// Reserved and read in pieces of this size, so that a body that inflates without end is noticed early.
const PIECE_BYTES = 64 * 1024

/**
 * Inflates a body in the gzip format (RFC 1952). Each piece counts against the limit and the reservation
 * before the next one is inflated, so that a small body cannot take up much memory. Errors:
 * body_too_large as made by `tooLarge`, upload_budget_exceeded, body_malformed.
 */
async function inflate(
  compressed: Uint8Array,
  { bytesMax, tooLarge, reservation }: Omit<ReceiveOptions, 'length'>,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let count = 0
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  gunzip.end(compressed)
  try {
    // An error that is thrown in the loop also ends the stream.
    for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
      count += piece.length
      if (count > bytesMax) throw tooLarge()
      reservation.grow(piece.length)
      pieces.push(piece)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(
      'body_malformed',
      'The body is not valid gzip. Compress it again, or send it without Content-Encoding.',
      { cause: error },
    )
  }
  return Buffer.concat(pieces, count)
}
