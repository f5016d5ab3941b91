import { randomUUIDv7 } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { KINDS, type DocumentKind } from '../../platform/kinds.ts'
import type { EntryKind } from '../activity/entry.ts'

/**
 * The feed reports changes in one order that never changes afterwards. A follower that keeps the id of the
 * last event it has seen misses nothing, however many clients write at the same time.
 */

/** A type of event that no document has. Its row in `docs/guides/webhooks.md` is made from it. */
interface EventTypeRow {
  /** The occasion: `when` and this. */
  when: string
  /** The resource whose id is the subject. */
  subject: string
  /** The teams whose webhooks get it. */
  owner: string
  /** The kind of the entry of the activity that the same change makes; null = none. */
  entry: EntryKind | null
}

const OF_RESULT = { subject: 'result', owner: 'the owner of the contract' }

const OF_DRIFT = {
  subject: 'data contract',
  owner: 'the owner of the data contract',
  entry: null,
} as const

const OF_ACCESS = {
  subject: 'agreement',
  owner: 'the teams of both sides',
  entry: 'access',
} as const

const OF_INCIDENT = {
  subject: 'incident',
  owner: 'the owner of the contract, and the teams that provide its data',
  entry: 'incident',
} as const

/**
 * The changes of what is not a document. Access agreements also change by decisions and by time, and their entries have
 * the actions that their events name.
 */
export const OTHER_EVENTS = {
  TestResultsCreatedEvent: { ...OF_RESULT, when: 'a result of tests is published', entry: null },
  TestResultsDeletedEvent: { ...OF_RESULT, when: 'a result is deleted', entry: 'test-result' },
  IncidentOpenedEvent: { ...OF_INCIDENT, when: 'an incident opens, or opens again' },
  IncidentResolvedEvent: { ...OF_INCIDENT, when: 'an incident is resolved' },
  DataContractDriftDetectedEvent: {
    ...OF_DRIFT,
    when: 'an asset breaks what a data contract promises',
  },
  DataContractDriftResolvedEvent: {
    ...OF_DRIFT,
    when: 'a breaking difference between a data contract and an asset is resolved',
  },
  AccessCreatedEvent: { ...OF_ACCESS, when: 'an agreement is requested or written' },
  AccessUpdatedEvent: { ...OF_ACCESS, when: 'the document or the terms of an agreement change' },
  AccessDeletedEvent: { ...OF_ACCESS, when: 'an agreement is deleted' },
  AccessRequestedEvent: { ...OF_ACCESS, when: 'access is requested' },
  AccessApprovedEvent: { ...OF_ACCESS, when: 'a request is approved' },
  AccessRejectedEvent: { ...OF_ACCESS, when: 'a request is rejected' },
  AccessActivatedEvent: { ...OF_ACCESS, when: 'access begins' },
  AccessDeactivatedEvent: { ...OF_ACCESS, when: 'access ends' },
  AccessCanceledEvent: { ...OF_ACCESS, when: 'a request is withdrawn, or access is ended' },
  AccessExpiringEvent: { ...OF_ACCESS, when: 'access ends in two weeks' },
  AccessReassessmentDueEvent: { ...OF_ACCESS, when: 'access is due for review' },
  AccessProvisioningStartedEvent: { ...OF_ACCESS, when: 'a connector starts to grant access' },
  AccessProvisionedEvent: { ...OF_ACCESS, when: 'a connector granted access' },
  AccessProvisioningFailedEvent: { ...OF_ACCESS, when: 'a connector could not grant access' },
  AccessDeprovisioningStartedEvent: { ...OF_ACCESS, when: 'a connector starts to revoke access' },
  AccessDeprovisionedEvent: { ...OF_ACCESS, when: 'a connector revoked access' },
  AccessDeprovisioningFailedEvent: { ...OF_ACCESS, when: 'a connector could not revoke access' },
} as const satisfies Readonly<Record<string, EventTypeRow>>

type OtherEventName = keyof typeof OTHER_EVENTS

/** The kinds of changes of access agreements. */
export type AccessEventName = Extract<OtherEventName, `Access${string}`>

/** The subjects of the events that documents have: each kind of document, and the output ports of data products. */
export const EVENT_SUBJECTS = [
  ...Object.values(KINDS).map(({ event }) => event),
  'OutputPort',
] as const

/** The changes of documents. */
export const EVENT_ACTIONS = ['Created', 'Updated', 'Deleted'] as const

type EventAction = (typeof EVENT_ACTIONS)[number]

/** The kinds of changes, as the ends of event types. */
export type EventName = `${(typeof EVENT_SUBJECTS)[number]}${EventAction}Event` | OtherEventName

/** An event that a change brings about. */
export interface NewEvent {
  name: EventName
  outputPortId?: string
}

/**
 * Events as three texts, ready for a statement. A change of thousands of ports has thousands of events, and
 * the driver is slow with that many values.
 */
export interface NewEvents {
  /** UUIDs of version 7, with spaces between them. */
  ids: string
  /** Names, with spaces between them. */
  names: string
  /** A JSON array of output port ids; null if the event concerns no port. */
  outputPortIdsJson: string
}

/** Returns the event of a change of a document. */
export function toDocumentEvent(kind: DocumentKind, action: EventAction): NewEvent {
  return { name: `${KINDS[kind].event}${action}Event` }
}

/** Returns the event of a change of a document, with a new id. */
export function newDocumentEvent(kind: DocumentKind, action: EventAction): NewEvents {
  return newEvents([toDocumentEvent(kind, action)])
}

/** Returns events with new ids. */
export function newEvents(events: readonly NewEvent[]): NewEvents {
  return {
    ids: events.map(() => randomUUIDv7()).join(' '),
    names: events.map(({ name }) => name).join(' '),
    outputPortIdsJson: JSON.stringify(events.map(({ outputPortId }) => outputPortId ?? null)),
  }
}

/** Further members of the data of an event. */
export type EventDetails = Pick<
  CloudEvent['data'],
  'status' | 'platform' | 'incident' | 'dataContractId' | 'drift'
>

/** The maximum number of events in a page of the feed. */
export const FEED_EVENTS_MAX = 1000

/** An event in the form of CloudEvents 1.0. */
export const cloudEvent = z
  .object({
    specversion: z.literal('1.0'),
    id: z.uuid().openapi({ description: 'UUID version 7' }),
    type: z.string(),
    source: z.string().openapi({ description: 'The public address of this installation' }),
    subject: z.string().openapi({ description: 'The external id of what changed' }),
    time: z.string().openapi({ format: 'date-time' }),
    datacontenttype: z.literal('application/json'),
    principal: z.string().openapi({ description: 'Who changed it: `api-key:<uuid>` or `system`' }),
    data: z.object({
      id: z.string(),
      timestamp: z.string().openapi({ format: 'date-time' }),
      version: z.int().openapi({ description: 'The version that the change made, or deleted' }),
      outputPortId: z.string().optional(),
      status: z.string().optional().openapi({
        description:
          'The outcome, with TestResults and provisioning events; opened or resolved with those of incidents',
      }),
      platform: z.string().optional().openapi({
        description: 'Where access was granted or revoked, with provisioning events',
      }),
      incident: z.string().optional().openapi({
        description: 'The kind, with events of incidents: test, drift, late or access',
      }),
      dataContractId: z
        .string()
        .optional()
        .openapi({ description: 'The data contract, with events of incidents' }),
      drift: z.object({ opened: z.int(), resolved: z.int(), open: z.int() }).optional().openapi({
        description:
          'The numbers of breaking differences that the change opened and resolved, and that are open after it, with events of drift',
      }),
      before: z.unknown().optional().openapi({
        description: 'With include=document: the document before, as JSON; null = none',
      }),
      after: z.unknown().optional().openapi({
        description: 'With include=document: the document after, as JSON; null = none',
      }),
    }),
  })
  .openapi('Event')

/** One event as it leaves. */
export type CloudEvent = z.infer<typeof cloudEvent>

/** An event as it is stored. */
interface StoredEvent {
  id: string
  type: string
  subject: string
  version: number
  outputPortId: string | null
  details: EventDetails | null
  principal: string
  time: string
}

/** Creates the event that clients receive. */
export function toCloudEvent(
  event: StoredEvent,
  { eventTypePrefix, baseUrl }: { eventTypePrefix: string; baseUrl: string },
): CloudEvent {
  return {
    specversion: '1.0',
    id: event.id,
    type: eventTypePrefix + event.type,
    source: baseUrl,
    subject: event.subject,
    time: event.time,
    datacontenttype: 'application/json',
    principal: event.principal,
    data: {
      id: event.subject,
      timestamp: event.time,
      version: event.version,
      ...(event.outputPortId === null ? {} : { outputPortId: event.outputPortId }),
      ...event.details,
    },
  }
}

/** The names of events that people can choose from. */
export const EVENT_NAMES: readonly string[] = [
  ...EVENT_SUBJECTS.flatMap((subject) => EVENT_ACTIONS.map((action) => `${subject}${action}Event`)),
  ...Object.keys(OTHER_EVENTS),
]
