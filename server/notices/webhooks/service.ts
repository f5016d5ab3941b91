import { randomUUIDv7 } from 'node:crypto'
import type { Value } from '../../../formats/text/text.ts'
import type { z } from '@hono/zod-openapi'
import type { Caller } from '../../requests/access/caller.ts'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { may } from '../../requests/access/permission.ts'
import type { DeliveryTarget } from '../../delivery/deliveries/delivery.ts'
import { ApiError, notFound, toViolations } from '../../platform/errors.ts'
import { toCloudEvent } from '../../ledger/events/event.ts'
import { invalidRequest, unknownTeam } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { readTime, type Clock } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { enqueueTestEvent } from './fan-out-store.ts'
import { renewSecret } from './secret-service.ts'
import * as store from './store.ts'
import { listIdsOfTeam } from './team-store.ts'
import { findUrlProblem } from './url-service.ts'
import {
  ENDPOINTS_MAX,
  newWebhook,
  TEST_EVENT,
  WEBHOOK_CHANNEL,
  webhookChange,
  type Webhook,
  type WebhookWithSecret,
} from './webhook.ts'

/** The services for webhook endpoints. */
type WebhookServices = Pick<
  Services,
  'db' | 'clock' | 'dialer' | 'secretBox' | 'baseUrl' | 'eventTypePrefix'
>

/** Lists the endpoints that a caller may manage, or could with a key that writes. */
export async function listWebhooks(
  { db, clock }: WebhookServices,
  caller: Caller,
): Promise<Webhook[]> {
  const teams = maySee(caller, null)
    ? undefined
    : [...caller.roles.keys()].filter((team) => maySee(caller, team))
  return await store.listWebhooks(db, clock, caller.organizationId, teams)
}

/** Finds an endpoint that a caller may see. Errors: not_found. */
export async function getWebhook(
  { db, clock }: WebhookServices,
  caller: Caller,
  id: string,
): Promise<Webhook> {
  const endpoint = isUuid(id)
    ? await store.findWebhook(db, clock, caller.organizationId, id)
    : undefined
  if (endpoint === undefined || !maySee(caller, endpoint.teamId)) throw notFound()
  return endpoint
}

/** Finds an endpoint that a caller may change. Errors: not_found, permission_missing. */
export async function getEditableWebhook(
  { db, clock }: WebhookServices,
  caller: Caller,
  id: string,
): Promise<Webhook> {
  const endpoint = isUuid(id)
    ? await store.findWebhook(db, clock, caller.organizationId, id)
    : undefined
  // Those who may not edit an endpoint do not see it either.
  if (endpoint === undefined || !maySee(caller, endpoint.teamId)) throw notFound()
  requireEdit(caller, endpoint.teamId)
  return endpoint
}

/** Returns the receiver of the deliveries to an endpoint. */
export function toTarget(caller: Caller, { id }: Webhook): DeliveryTarget {
  return { organizationId: caller.organizationId, channel: WEBHOOK_CHANNEL, target: id }
}

/**
 * Creates an endpoint. Returns it with its secret. Errors: validation_failed, permission_missing, limit_reached.
 */
export async function createWebhook(
  services: WebhookServices,
  caller: Caller,
  { value, requestId }: { value: Value; requestId: string },
): Promise<WebhookWithSecret> {
  const input = parse(newWebhook, value)
  const { organizationId, principal } = caller
  const team = input.teamId ?? null
  requireEdit(caller, team)
  await assertUsable(services, caller, input)
  const { db, clock, secretBox } = services
  const id = randomUUIDv7()
  const secret = await db.transaction().execute(async (transaction) => {
    if ((await store.countLocked(transaction, organizationId)) >= ENDPOINTS_MAX) {
      throw new ApiError(
        'limit_reached',
        `The organization has ${ENDPOINTS_MAX} webhook endpoints. Delete one first.`,
      )
    }
    await store.insertWebhook(transaction, clock, {
      organizationId,
      id,
      name: input.name,
      url: input.url,
      team,
      principal,
      requestId,
      filterTeam: input.filterTeamId ?? null,
      eventTypes: input.eventTypes ?? [],
      enabled: input.enabled ?? true,
    })
    return await renewSecret(transaction, clock, secretBox, { organizationId, endpointId: id })
  })
  return { ...(await getEditableWebhook(services, caller, id)), secret }
}

/** Replaces an endpoint. Errors: validation_failed, not_found, permission_missing, precondition_failed. */
export async function changeWebhook(
  services: WebhookServices,
  caller: Caller,
  id: string,
  { value, requestId }: { value: Value; requestId: string },
): Promise<Webhook> {
  const endpoint = await getEditableWebhook(services, caller, id)
  const input = parse(webhookChange, value)
  if (endpoint.teamId !== null && input.filterTeamId) {
    const message = 'is only allowed for endpoints of the organization'
    throw invalidRequest([{ field: 'filterTeamId', message }])
  }
  const enabled = input.enabled ?? true
  // What stays as it is need not be valid any more, so that an endpoint can always be disabled.
  const isEnabling = enabled && !endpoint.enabled
  await assertUsable(services, caller, {
    url: isEnabling || input.url !== endpoint.url ? input.url : undefined,
    filterTeamId:
      isEnabling || input.filterTeamId !== endpoint.filterTeamId ? input.filterTeamId : undefined,
  })
  const { db, clock } = services
  const isChanged = await store.updateWebhook(db, clock, {
    organizationId: caller.organizationId,
    id,
    name: input.name,
    url: input.url,
    filterTeam: input.filterTeamId ?? null,
    eventTypes: input.eventTypes ?? [],
    enabled,
    principal: caller.principal,
    requestId,
    version: input.version,
  })
  if (!isChanged) {
    await getEditableWebhook(services, caller, id)
    throw new ApiError('precondition_failed', 'The endpoint was changed since it was read.', {
      extensions: { precondition: 'changed' },
    })
  }
  return await getEditableWebhook(services, caller, id)
}

/** Deletes an endpoint. What is still to be sent to it is canceled. Errors: not_found, permission_missing. */
export async function deleteWebhook(
  services: WebhookServices,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  await getEditableWebhook(services, caller, id)
  const { organizationId, principal } = caller
  const removal = { organizationId, id, principal, requestId }
  if (!(await store.deleteWebhook(services.db, services.clock, removal))) throw notFound()
}

/** Deletes the endpoints of a team that is about to be deleted, by its internal id. */
export async function deleteWebhooksOfTeam(
  db: Database,
  clock: Clock,
  teamId: string,
  { organizationId, ...actor }: ActivityActor & { organizationId: string },
): Promise<void> {
  for (const id of await listIdsOfTeam(db, organizationId, teamId)) {
    await store.deleteWebhook(db, clock, { organizationId, id, ...actor })
  }
}

/**
 * Gives an endpoint a new secret. The present one signs too for a day. Errors: not_found, permission_missing.
 */
export async function rotateWebhookSecret(
  services: WebhookServices,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<WebhookWithSecret> {
  await getEditableWebhook(services, caller, id)
  const { db, clock, secretBox } = services
  const { organizationId, principal } = caller
  const secret = await db.transaction().execute(async (transaction) => {
    const actor = { organizationId, id, principal, requestId }
    if (!(await store.lockForSecret(transaction, clock, actor))) throw notFound()
    return await renewSecret(transaction, clock, secretBox, { organizationId, endpointId: id })
  })
  return { ...(await getEditableWebhook(services, caller, id)), secret }
}

/** Sends a test event to an endpoint. Returns the id of its delivery. Errors: not_found, permission_missing. */
export async function testWebhook(
  services: WebhookServices,
  caller: Caller,
  id: string,
): Promise<string> {
  await getEditableWebhook(services, caller, id)
  const { db, clock } = services
  const event = {
    id: randomUUIDv7(),
    type: TEST_EVENT,
    subject: id,
    version: 1,
    outputPortId: null,
    details: null,
    principal: caller.principal,
    time: await readTime(db, clock),
  }
  const payload = JSON.stringify(toCloudEvent(event, services))
  const deliveryId = await enqueueTestEvent(db, caller.organizationId, id, { ...event, payload })
  if (deliveryId === undefined) throw new Error('a test event was not enqueued')
  return deliveryId
}

function parse<T>(schema: z.ZodType<T>, value: Value): T {
  const read = schema.safeParse(value)
  if (!read.success) throw invalidRequest(toViolations(read.error.issues))
  return read.data
}

// A read-only key sees what it could change if it could write.
function maySee(caller: Caller, team: string | null): boolean {
  return may({ ...caller, readOnly: false }, 'TEAM_EDIT', team ?? undefined)
}

function requireEdit(caller: Caller, team: string | null): void {
  const detail =
    team === null
      ? 'The webhook belongs to the organization, so only owners of the organization can do this.'
      : undefined
  requirePermission(caller, 'TEAM_EDIT', team, detail)
}

async function assertUsable(
  { db, dialer }: WebhookServices,
  { organizationId }: Caller,
  input: {
    url: string | undefined
    teamId?: string | null | undefined
    filterTeamId?: string | null | undefined
  },
): Promise<void> {
  for (const field of ['teamId', 'filterTeamId'] as const) {
    const team = input[field]
    if (team === null || team === undefined) continue
    const [unknown] = await store.listUnknownTeams(db, organizationId, [team])
    if (unknown !== undefined) throw unknownTeam(unknown, { field }, 'validation_failed')
  }
  if (input.url === undefined) return
  const problem = await findUrlProblem(input.url, dialer)
  if (problem !== undefined) throw invalidRequest([problem])
}
