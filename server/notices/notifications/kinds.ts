/**
 * Every kind of notification. The statements that insert notifications decide their audience; the settings of people
 * and channels, and these defaults, decide who of it gets them.
 */

import type { EventName } from '../../ledger/events/event.ts'

/** The ways in which a person can get e-mails about a kind: not, at once, or in the digest. */
export const EMAIL_CHOICES = ['off', 'immediate', 'digest'] as const

/** A way to get e-mails. */
export type EmailChoice = (typeof EMAIL_CHOICES)[number]

/** A kind of notification. */
interface NotificationKindRow {
  /** The name on the settings page. */
  title: string
  /** The occasion and the audience. */
  description: string
  /** The defaults: on the page, and by e-mail. */
  onPage: boolean
  email: EmailChoice
  /** Whether the channels of the teams concerned get it, unless switched off; the others concern people only. */
  inChannels: boolean
  /** The types of events that are its occasions; absent = events of any type, or no event of the feed. */
  events?: readonly EventName[]
}

/**
 * The kinds of notifications. If one change is an occasion for several kinds, a person gets the first one of this list.
 */
export const NOTIFICATION_KINDS = {
  access_requested: {
    title: 'Access requested',
    description: 'Access to data that your team provides is requested, and you can decide.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
    events: ['AccessRequestedEvent'],
  },
  access_decided: {
    title: 'Access decided',
    description:
      'Access that you or your team requested was approved or rejected, access that you have was ended, or a request was withdrawn or deleted.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
    events: [
      'AccessApprovedEvent',
      'AccessRejectedEvent',
      'AccessCanceledEvent',
      'AccessDeactivatedEvent',
    ],
  },
  access_expiring: {
    title: 'Access expiring',
    description: 'Access of your team, or to its data, ends within 14 days, or is due for review.',
    onPage: true,
    email: 'digest',
    inChannels: true,
    events: ['AccessExpiringEvent', 'AccessReassessmentDueEvent'],
  },
  provisioning_failed: {
    title: 'Provisioning failed',
    description: 'A connector could not grant or revoke access of your team, or to its data.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
    events: ['AccessProvisioningFailedEvent', 'AccessDeprovisioningFailedEvent'],
  },
  deleted: {
    title: 'Deleted',
    description: 'A data product, data contract or team that you follow or read was deleted.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
    events: ['DataProductDeletedEvent', 'DataContractDeletedEvent', 'TeamDeletedEvent'],
  },
  breaking_change: {
    title: 'Breaking change',
    description:
      'A data product or data contract that you follow or read changed in a way that can break consumers.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
    events: ['DataProductUpdatedEvent', 'DataContractUpdatedEvent'],
  },
  deprecation: {
    title: 'Deprecation',
    description:
      'A data product or data contract that you follow or read was deprecated or retired, or one of its ports, models or fields, or its end was announced.',
    onPage: true,
    email: 'digest',
    inChannels: true,
    events: ['DataProductUpdatedEvent', 'DataContractUpdatedEvent'],
  },
  incident: {
    title: 'Incident',
    description:
      'An incident of a data contract that your team owns or provides, or that you follow, opened or was resolved. Of contracts that your team reads, e-mails come in the digest.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
    events: ['IncidentOpenedEvent', 'IncidentResolvedEvent'],
  },
  run_failed: {
    title: 'Ingestion run failed',
    description: 'A run of an integration of your team failed and the run before did not.',
    onPage: true,
    email: 'digest',
    inChannels: true,
  },
  deletes_held: {
    title: 'Deletes held',
    description: 'A run of an integration of your team holds deletes for confirmation.',
    onPage: true,
    email: 'digest',
    inChannels: true,
  },
  key_expiring: {
    title: 'API key expiring',
    description: 'An API key of yours, or of a team that you own, expires within 7 days.',
    onPage: true,
    email: 'immediate',
    inChannels: false,
  },
  webhook_disabled: {
    title: 'Webhook disabled',
    description: 'A webhook of your team was disabled because its deliveries kept failing.',
    onPage: true,
    email: 'immediate',
    inChannels: true,
  },
  mention: {
    title: 'Team mentioned',
    description:
      'A description, the purpose of an access request or the reason of a decision mentions your team as @team-id.',
    onPage: true,
    email: 'digest',
    inChannels: true,
  },
  search_match: {
    title: 'New search results',
    description: 'Something was added to the catalog that a search that you follow finds.',
    onPage: true,
    email: 'digest',
    inChannels: false,
  },
} as const satisfies Readonly<Record<string, NotificationKindRow>>

/** The name of a kind of notification. */
export type NotificationKind = keyof typeof NOTIFICATION_KINDS

/** A kind of notification with its name. */
interface NamedNotificationKind extends NotificationKindRow {
  kind: NotificationKind
}

/** The kinds of notifications in their order. */
export const ALL_NOTIFICATION_KINDS: readonly NamedNotificationKind[] = listKinds()

/** The kinds that channels can get. */
export const CHANNEL_KINDS = ALL_NOTIFICATION_KINDS.filter(({ inChannels }) => inChannels)

/** The names of the kinds, in their order. */
export const NOTIFICATION_KIND_NAMES: readonly NotificationKind[] = ALL_NOTIFICATION_KINDS.map(
  ({ kind }) => kind,
)

function listKinds(): NamedNotificationKind[] {
  return Object.entries(NOTIFICATION_KINDS).flatMap(([kind, row]) =>
    isNotificationKind(kind) ? [{ kind, ...row }] : [],
  )
}

/** Returns whether a text names a kind of notification. */
function isNotificationKind(text: string): text is NotificationKind {
  return Object.hasOwn(NOTIFICATION_KINDS, text)
}
