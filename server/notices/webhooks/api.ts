import { z } from '@hono/zod-openapi'
import {
  DELIVERY_STATES,
  deliveryDetails,
  deliverySummary,
} from '../../delivery/deliveries/delivery.ts'
import {
  getDelivery,
  listLedger,
  replayDelivery,
  replayRange,
} from '../../delivery/deliveries/service.ts'
import { toViolations } from '../../platform/errors.ts'
import { invalidRequest, readDocument } from '../../requests/http/document.ts'
import { jsonAnswer, type Endpoint, type PathCall } from '../../requests/http/endpoint.ts'
import { formBody } from '../../requests/http/form.ts'
import { commonError, describeError } from '../../requests/http/openapi.ts'
import { nextPageLink, pageParameter } from '../../requests/http/paging.ts'
import * as service from './service.ts'
import {
  newWebhook,
  replayCount,
  replayRequest,
  webhook,
  webhookChange,
  webhookWithSecret,
} from './webhook.ts'
import { EVENT_NAMES } from '../../ledger/events/event.ts'

const BODY_BYTES_MAX = 64 * 1024

const EDIT = {
  needs: ['TEAM_EDIT'],
  on: 'the team of the endpoint; owners of the organization for its own endpoints',
} as const

function requireEditable({ services, caller, params }: PathCall<'id'>): Promise<unknown> {
  return service.getEditableWebhook(services, caller, params.id)
}

/** `GET /api/webhooks`: lists webhook endpoints. */
export const listWebhooks: Endpoint = {
  operation: 'listWebhooks',
  summary: 'List webhook endpoints',
  description: 'Those that the caller may manage, without their secrets.',
  permission: 'any key',
  answers: { 200: { description: 'At most 50 endpoints, by name', schema: z.array(webhook) } },
  async handle({ services, caller }) {
    return jsonAnswer(200, z.array(webhook), await service.listWebhooks(services, caller))
  },
}

/** `POST /api/webhooks`: creates a webhook endpoint. */
export const createWebhook: Endpoint = {
  operation: 'createWebhook',
  summary: 'Create a webhook endpoint',
  description:
    'Events are sent as in `GET /api/events`, one in each request, signed as Standard Webhooks describes (standardwebhooks.com). Each event arrives at least once, and the events of one subject in their order.',
  permission: EDIT,
  body: formBody(newWebhook, 'The new endpoint', BODY_BYTES_MAX),
  answers: {
    201: { description: 'The endpoint, with its secret', schema: webhookWithSecret },
    409: describeError('The organization has 50 endpoints'),
  },
  async handle({ services, caller, body, requestId }) {
    const { value } = readDocument(body)
    const created = await service.createWebhook(services, caller, { value, requestId })
    return jsonAnswer(201, webhookWithSecret, created)
  },
}

/** `GET /api/webhooks/{id}`: a webhook endpoint. */
export const getWebhook: Endpoint<'id'> = {
  operation: 'getWebhook',
  summary: 'Read a webhook endpoint',
  permission: 'any key',
  answers: { 200: { description: 'The endpoint', schema: webhook } },
  async handle({ services, caller, params: { id } }) {
    return jsonAnswer(200, webhook, await service.getWebhook(services, caller, id))
  },
}

/** `PUT /api/webhooks/{id}`: replaces a webhook endpoint. */
export const putWebhook: Endpoint<'id'> = {
  operation: 'putWebhook',
  summary: 'Replace a webhook endpoint',
  description: 'Its secret stays. Enabling an endpoint also ends what disabled it.',
  permission: EDIT,
  requires: requireEditable,
  body: formBody(webhookChange, 'The endpoint, whole', BODY_BYTES_MAX),
  answers: {
    200: { description: 'The endpoint', schema: webhook },
    412: commonError(412),
  },
  async handle({ services, caller, params: { id }, body, requestId }) {
    const { value } = readDocument(body)
    const change = { value, requestId }
    return jsonAnswer(200, webhook, await service.changeWebhook(services, caller, id, change))
  },
}

/** `DELETE /api/webhooks/{id}`: deletes a webhook endpoint. */
export const deleteWebhook: Endpoint<'id'> = {
  operation: 'deleteWebhook',
  summary: 'Delete a webhook endpoint',
  permission: EDIT,
  answers: { 204: { description: 'The endpoint is deleted' } },
  async handle({ services, caller, params: { id }, requestId }) {
    await service.deleteWebhook(services, caller, { id, requestId })
    return { status: 204 }
  },
}

/** `POST /api/webhooks/{id}/rotate-secret`: gives a webhook endpoint a new secret. */
export const rotateWebhookSecret: Endpoint<'id'> = {
  operation: 'rotateWebhookSecret',
  summary: 'Replace the secret of a webhook endpoint',
  description: 'For a day, messages have two signatures: one of the new secret and one of the old.',
  permission: EDIT,
  answers: { 200: { description: 'The endpoint, with its secret', schema: webhookWithSecret } },
  async handle({ services, caller, params: { id }, requestId }) {
    const changed = await service.rotateWebhookSecret(services, caller, { id, requestId })
    return jsonAnswer(200, webhookWithSecret, changed)
  },
}

const enqueued = z.object({ deliveryId: z.uuid() }).openapi('WebhookTest')

/** `POST /api/webhooks/{id}/test`: sends a test event. */
export const testWebhook: Endpoint<'id'> = {
  operation: 'testWebhook',
  summary: 'Send a test event to a webhook endpoint',
  description: 'The ledger shows how the receiver answered. A disabled endpoint gets it too.',
  permission: EDIT,
  answers: { 202: { description: 'The delivery of the event', schema: enqueued } },
  async handle({ services, caller, params: { id } }) {
    const deliveryId = await service.testWebhook(services, caller, id)
    return jsonAnswer(202, enqueued, { deliveryId })
  },
}

const ledgerQuery = z.object({
  p: pageParameter,
  state: z.enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`).optional(),
})

/** `GET /api/webhooks/{id}/deliveries`: the ledger of a webhook endpoint. */
export const listWebhookDeliveries: Endpoint<'id', z.infer<typeof ledgerQuery>> = {
  operation: 'listWebhookDeliveries',
  summary: 'List the deliveries to a webhook endpoint',
  description: 'The newest first. The ledger keeps a delivery for 30 days after its end.',
  permission: 'any key',
  query: ledgerQuery,
  answers: {
    200: {
      description: 'At most 100 deliveries',
      schema: z.array(deliverySummary),
      headers: { link: 'The next page, if any' },
    },
  },
  async handle({ services, caller, params: { id }, query: { p: page, state }, path, search }) {
    const target = service.toTarget(caller, await service.getWebhook(services, caller, id))
    const { deliveries, hasMore } = await listLedger(services.db, target, { state }, page)
    const headers = hasMore ? { link: nextPageLink(path, search, page) } : {}
    return jsonAnswer(200, z.array(deliverySummary), deliveries, headers)
  },
}

/** `GET /api/webhooks/{id}/deliveries/{deliveryId}`: a delivery with its attempts. */
export const getWebhookDelivery: Endpoint<'id' | 'deliveryId'> = {
  operation: 'getWebhookDelivery',
  summary: 'Read a delivery to a webhook endpoint, with its payload and every attempt',
  permission: 'any key',
  answers: { 200: { description: 'The delivery', schema: deliveryDetails } },
  async handle({ services, caller, params: { id, deliveryId } }) {
    const target = service.toTarget(caller, await service.getWebhook(services, caller, id))
    return jsonAnswer(200, deliveryDetails, await getDelivery(services.db, target, deliveryId))
  },
}

/** `POST /api/webhooks/{id}/deliveries/{deliveryId}/replay`: sends a delivery again. */
export const replayWebhookDelivery: Endpoint<'id' | 'deliveryId'> = {
  operation: 'replayWebhookDelivery',
  summary: 'Send a delivery to a webhook endpoint again',
  description: 'One that waits for its next attempt is attempted now.',
  permission: EDIT,
  answers: { 202: { description: 'The delivery is sent again', schema: replayCount } },
  async handle({ services, caller, params: { id, deliveryId } }) {
    const target = service.toTarget(caller, await service.getEditableWebhook(services, caller, id))
    await replayDelivery(services, target, deliveryId)
    return jsonAnswer(202, replayCount, { count: 1 })
  },
}

/** `POST /api/webhooks/{id}/replay`: sends the deliveries of a time range again. */
export const replayWebhookDeliveries: Endpoint<'id'> = {
  operation: 'replayWebhookDeliveries',
  summary: 'Send the deliveries of a time range to a webhook endpoint again',
  description: 'The first 10,000 of them. Repeat with a later `from` for more.',
  lane: 'bulk',
  permission: EDIT,
  requires: requireEditable,
  body: formBody(replayRequest, 'The time range', BODY_BYTES_MAX),
  answers: { 202: { description: 'The deliveries are sent again', schema: replayCount } },
  async handle({ services, caller, params: { id }, body }) {
    const target = service.toTarget(caller, await service.getEditableWebhook(services, caller, id))
    const read = replayRequest.safeParse(readDocument(body).value)
    if (!read.success) throw invalidRequest(toViolations(read.error.issues))
    return jsonAnswer(202, replayCount, { count: await replayRange(services, target, read.data) })
  },
}

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
