import { z } from '@hono/zod-openapi'
import { jsonTexts, type StoredText } from '../../requests/http/document.ts'
import type { Endpoint } from '../../requests/http/endpoint.ts'
import { describeError } from '../../requests/http/openapi.ts'
import { withMembers } from '../../requests/http/json.ts'
import { mapInLoopTurns } from '../../platform/kit/loop-turn.ts'
import { cloudEvent, toCloudEvent, type CloudEvent } from './event.ts'
import { readFeed } from './service.ts'
import type { EventRow } from './store.ts'

const MEDIA_TYPE = 'application/cloudevents-batch+json'

// One or two milliseconds.
const EVENTS_IN_A_TURN = { measure: () => 1, sizeMax: 50 }

const feedQuery = z.object({
  lastEventId: z.string().optional().openapi({
    description:
      'The last event already seen; absent = from the start. 400 with the code `event_unknown` if the feed does not have it: the catalog was restored from an older backup, and the feed is to be read from its start.',
  }),
  include: z
    .enum(['document'], 'must be document')
    .optional()
    .openapi({ description: 'Adds the documents before and after each change' }),
  longPolling: z.enum(['true', 'false'], 'must be true or false').optional().openapi({
    description: 'Ignored: the answer never waits. Clients still send it',
    deprecated: true,
  }),
})

/** `GET /api/events`: what changed, in an order that never changes afterwards. */
export const listEvents: Endpoint<never, z.infer<typeof feedQuery>> = {
  operation: 'listEvents',
  summary: 'Read the feed of changes',
  description:
    'At most 1000 events, oldest first; an empty list is the end of the feed for now. No event ever appears before one that was already returned, also after the database was restored or moved. Keep the id of the last event you have processed, and handle events so that processing one twice does no harm.',
  // A page with documents is held several times while it is written.
  lane: (search) => (search.get('include') === 'document' ? 'bulk' : 'scan'),
  permission: 'any key',
  query: feedQuery,
  answers: {
    200: {
      description: 'The events after the last one seen',
      mediaTypes: [MEDIA_TYPE],
      schema: z.array(cloudEvent),
    },
    422: describeError('Reading the document takes too much time or memory'),
  },
  async handle({ services, caller, query }) {
    const { organizationId } = caller
    const { include, lastEventId } = query
    const withDocuments = include === 'document'
    // Loading documents of megabytes may take longer than a request for a few rows is allowed to.
    const db = withDocuments ? services.bulkDb : services.db
    const list = (): Promise<EventRow[]> => readFeed(db, organizationId, lastEventId, withDocuments)
    const head = (row: EventRow): CloudEvent => cloudEvent.parse(toCloudEvent(row, services))
    const texts = withDocuments
      ? await withTexts(await list(), head, (documents) =>
          jsonTexts(services.offload, organizationId, documents),
        )
      : await mapInLoopTurns(await list(), EVENTS_IN_A_TURN, (row) => JSON.stringify(head(row)))
    return { status: 200, mediaType: MEDIA_TYPE, body: `[${texts.join(',')}]` }
  },
}

// The documents' own JSON texts go into the answer: nothing is parsed, and their numbers keep their digits.
async function withTexts(
  rows: readonly EventRow[],
  head: (row: EventRow) => CloudEvent,
  toJson: (documents: readonly StoredText[]) => Promise<string[]>,
): Promise<string[]> {
  const documents = rows.flatMap(({ before, after }) => [before, after])
  const present = documents.filter((document) => document !== null)
  const json = await toJson(present)
  const jsonByDocument = new Map(present.map((document, at) => [document, json[at] ?? 'null']))
  return await mapInLoopTurns(rows, EVENTS_IN_A_TURN, (row) => {
    const { data, ...rest } = head(row)
    const members = {
      before: getText(row.before, jsonByDocument),
      after: getText(row.after, jsonByDocument),
    }
    return withMembers(JSON.stringify(rest), { data: withMembers(JSON.stringify(data), members) })
  })
}

function getText(
  document: StoredText | null,
  jsonByDocument: ReadonlyMap<StoredText, string>,
): string {
  return document === null ? 'null' : (jsonByDocument.get(document) ?? 'null')
}
