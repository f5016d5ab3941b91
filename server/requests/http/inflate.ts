import { createGunzip } from 'node:zlib'
import { ApiError } from '../../platform/errors.ts'
import type { ReceiveOptions } from './upload.ts'

// Reserved and read in pieces of this size, so that a body that inflates without end is noticed early.
const PIECE_BYTES = 64 * 1024

/**
 * Inflates a body in the gzip format (RFC 1952). Each piece counts against the limit and the reservation
 * before the next one is inflated, so that a small body cannot take up much memory. Errors:
 * body_too_large as made by `tooLarge`, upload_budget_exceeded, body_malformed.
 */
export async function inflate(
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
