import { z } from '@hono/zod-openapi'
import { readStored } from '../http/document.ts'
import type { Endpoint, Services } from '../http/endpoint.ts'
import { cloudEvent, type CloudEvent } from './event.ts'
import { readFeed } from './service.ts'
import type { EventRow, StoredText } from './store.ts'

const MEDIA_TYPE = 'application/cloudevents-batch+json'

const feedQuery = z.object({
  lastEventId: z.string().optional().openapi({
    description:
      'The last event already seen; absent = from the start. 400 with the code `event_unknown` if the feed does not have it: the catalog was restored from an older backup, and the feed is to be read from its start.',
  }),
  include: z
    .enum(['document'], 'must be document')
    .optional()
    .openapi({ description: 'Adds the documents before and after each change' }),
})

/** `GET /api/events`: what changed, in an order that never changes afterwards. */
export const listEvents: Endpoint<never, z.infer<typeof feedQuery>> = {
  operation: 'listEvents',
  summary: 'Read the feed of changes',
  description:
    'At most 1000 events, oldest first; an empty list is the end of the feed for now. No event ever appears before one that was already returned, also after the database was restored or moved. Keep the id of the last event you have processed, and handle events so that processing one twice does no harm.',
  permission: 'any key',
  params: [],
  query: feedQuery,
  answers: {
    200: {
      description: 'The events after the last one seen',
      mediaTypes: [MEDIA_TYPE],
      schema: z.array(cloudEvent),
    },
  },
  async handle({ services, caller, query }) {
    const withDocuments = query.include === 'document'
    const rows = await readFeed(
      services.db,
      caller.organizationId,
      query.lastEventId,
      withDocuments,
    )
    const events = rows.map((row) => cloudEvent.parse(presented(row, services, withDocuments)))
    return { status: 200, mediaType: MEDIA_TYPE, body: JSON.stringify(events) }
  },
}

function presented(row: EventRow, services: Services, withDocuments: boolean): CloudEvent {
  return {
    specversion: '1.0',
    id: row.id,
    type: services.eventTypePrefix + row.type,
    source: services.baseUrl,
    subject: row.subject,
    time: row.time,
    datacontenttype: 'application/json',
    principal: row.principal,
    data: {
      id: row.subject,
      timestamp: row.time,
      version: row.version,
      ...(row.outputPortId === null ? {} : { outputPortId: row.outputPortId }),
      ...(withDocuments ? { before: rawJson(row.before), after: rawJson(row.after) } : {}),
    },
  }
}

// The document's own JSON text goes into the answer, so that its numbers keep their digits.
function rawJson(stored: StoredText | null): unknown {
  if (stored === null) return null
  return readStored(stored).spelled()
}
