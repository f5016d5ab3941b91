import { z } from '@hono/zod-openapi'
import { ApiError } from '../../platform/errors.ts'
import { readDocument, invalidRequest } from '../../requests/http/document.ts'
import {
  EVENT_NODES_MAX,
  readLineageEvent,
  type EventProduct,
  type LineageEvent,
} from './lineage-event.ts'
import type { Task } from '../../requests/http/offload.ts'

/**
 * A batch is a JSON array of lineage events in one request. Each event is stored or rejected on its own. See
 * `POST /api/v1/lineage/batch` of the API of OpenLineage (specification of October 2025).
 */

/** The maximum number of events in a batch. */
export const BATCH_EVENTS_MAX = 1000

/** An event of a batch that can be stored, and where its text is. */
export interface BatchEvent {
  index: number
  start: number
  end: number
  event: LineageEvent
}

/** An event of a batch that was not stored. */
export interface FailedEvent {
  index: number
  reason: string
  retriable: boolean
}

/** The events of a batch. */
export interface BatchReading {
  count: number
  events: BatchEvent[]
  failed: FailedEvent[]
}

/** The answer to a batch. */
export const batchResult = z
  .object({
    status: z.enum(['success', 'partial_success']),
    summary: z.object({
      received: z.int(),
      successful: z.int(),
      failed: z.int(),
      retriable: z
        .int()
        .openapi({ description: 'How many of the failed events may be sent again' }),
      non_retriable: z.int(),
    }),
    failed_events: z.array(
      z.object({
        index: z.int().openapi({ description: 'The position in the batch, from 0' }),
        reason: z.string(),
        retriable: z.boolean(),
      }),
    ),
  })
  .openapi('LineageBatchResult')

/** Reads a batch. Errors: body_malformed, validation_failed for a text that is not a list or is too long. */
function readBatch(text: string, product: EventProduct): BatchReading {
  const places = splitArray(text)
  const reading: BatchReading = { count: places.length, events: [], failed: [] }
  for (const [index, [start, end]] of places.entries()) {
    const result = readElement(text.slice(start, end), index, product)
    if (typeof result === 'string') reading.failed.push({ index, reason: result, retriable: false })
    else reading.events.push({ index, start, end, event: result })
  }
  return reading
}

/** Returns an event, or why it cannot be stored. Errors: body_malformed. */
function readElement(text: string, index: number, product: EventProduct): LineageEvent | string {
  try {
    const body = { text, mediaType: 'application/json' } as const
    const reading = readLineageEvent(readDocument(body, { nodesMax: EVENT_NODES_MAX }), product)
    if (reading.ok) return reading.event
    return reading.problems.map(({ field, message }) => `${field} ${message}`.trim()).join('; ')
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code !== 'body_malformed') return error.message
    throw new ApiError('body_malformed', `The event at index ${index} is not valid JSON.`, {
      cause: error,
    })
  }
}

// Brackets and separators outside of strings. A string is one match, so what it contains is skipped; a string without an
// end matches up to the end of the text, so that it is not scanned again from each of its quotes.
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},]/gs

/** Finds the elements of a JSON array without parsing them, each with its start and end. Errors: those of `readBatch`. */
function splitArray(text: string): [start: number, end: number][] {
  const [opening = ''] = /^\uFEFF?\s*\[/.exec(text) ?? []
  if (opening === '') throw invalidBatch('Send a JSON array of events.')
  const places: [number, number][] = []
  let depth = 1
  let start = opening.length
  for (const { 0: token, index } of text.slice(opening.length).matchAll(TOKEN)) {
    const at = opening.length + index
    if (token === '[' || token === '{') depth += 1
    else if (token === ']' || token === '}') depth -= 1
    const isEnd = depth === 0
    if (isEnd || (depth === 1 && token === ',')) {
      if (!isEnd || places.length > 0 || text.slice(start, at).trim() !== '') {
        if (places.length === BATCH_EVENTS_MAX) {
          throw invalidBatch(`A batch has at most ${BATCH_EVENTS_MAX} events; this one has more.`)
        }
        places.push([start, at])
      }
      start = at + 1
    }
    if (!isEnd) continue
    if (token === ']' && text.slice(start).trim() === '') return places
    break
  }
  throw new ApiError('body_malformed', 'The body is not one complete JSON array.')
}

function invalidBatch(message: string): ApiError {
  return new ApiError('validation_failed', message, { violations: [{ field: '', message }] })
}

/** The text of an event, and the data product that its request names. */
interface LineageEventInput {
  text: string
  product: EventProduct
}

/** Reads an event. Errors: validation_failed, and those of `readDocument`. */
export const readEvent: Task<LineageEventInput, LineageEvent> = {
  name: 'lineage-event/read',
  run({ text, product }) {
    const source = readDocument(
      { text, mediaType: 'application/json' },
      { nodesMax: EVENT_NODES_MAX },
    )
    const reading = readLineageEvent(source, product)
    if (!reading.ok) throw invalidRequest(reading.problems)
    return reading.event
  },
}

/** Reads a batch of events. Errors: those of `readBatch`. */
export const readEvents: Task<LineageEventInput, BatchReading> = {
  name: 'lineage-event/read-batch',
  run: ({ text, product }) => readBatch(text, product),
}
