import { invalidRequest, readDocument } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import { readBatch, type BatchReading } from './batch.ts'
import { EVENT_NODES_MAX, readLineageEvent } from './lineage-event.ts'
import type { EventProduct, LineageEvent } from './lineage-event.ts'

/** The text of an event, and the data product that its request names. */
export interface LineageEventInput {
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
