import { z } from '@hono/zod-openapi'
import { EVENT_NAMES } from '../../ledger/events/event.ts'
import { jsonAnswer, type Endpoint } from '../../requests/http/endpoint.ts'

const eventTypes = z.object({ eventTypes: z.array(z.string()) }).openapi('EventTypes')

/** `GET /ui/event-types`: the names of events that an endpoint can choose from. */
export const listEventTypes: Endpoint = {
  operation: 'listEventTypes',
  summary: 'List the types of events',
  lane: 'point',
  permission: 'a session',
  answers: { 200: { description: 'Names without the prefix', schema: eventTypes } },
  async handle() {
    return jsonAnswer(200, eventTypes, { eventTypes: [...EVENT_NAMES] })
  },
}
