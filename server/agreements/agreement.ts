import type { AgreementTerms, CONSUMER_TYPES } from '../../formats/agreement/agreement.ts'
import type { AccessEventName } from '../ledger/events/event.ts'
import type { Instant } from '../platform/kit/clock.ts'

/**
 * An access agreement: a consumer may read the data of an output port, for a purpose and a period. A consumer requests
 * it, the team that owns the data product approves or rejects it, and time activates and ends it.
 */

/** The kind of agreements in events and versions. */
export const AGREEMENT_KIND = 'access'

/** The decisions on a request. */
export const STATUSES = ['requested', 'approved', 'rejected'] as const

/** The decision on a request. */
type AgreementStatus = (typeof STATUSES)[number]

/** The forms in which agreements are sent: that of the catalog's clients, and access agreements of Bitol (OAAS). */
export type AgreementFormat = 'access' | 'oaas'

/** The states of an agreement. An approved one is upcoming, active or expired, depending on the day. */
export const STATES = [
  'requested',
  'rejected',
  'upcoming',
  'active',
  'expired',
  'canceled',
] as const

/** The state of an agreement. */
export type AgreementState = (typeof STATES)[number]

/** The kinds of consumers, as they are stored. */
export type ConsumerType = (typeof CONSUMER_TYPES)[number]

/** The key of an agreement. */
export interface AgreementKey {
  organizationId: string
  id: string
}

/** The consumer of an agreement. */
export interface AgreementConsumer {
  consumerType: ConsumerType
  /** External id of the consuming team, or of the team that owns the consuming data product; null = unknown. */
  consumerTeam: string | null
  /** The id of the person. */
  consumerUser: string | null
  /** External id of the data product. */
  consumerProduct: string | null
}

/** The versions of the documents that a change of an agreement is based on; null = it is based on none. */
export interface AgreementBasis {
  /** The version of the data product that the output port was read from. */
  product: number | null
  /** The version of the data contract that was agreed on. */
  contract: number | null
}

/** The output port of an agreement, and the contract that it was agreed on. */
export interface AgreementProvider {
  /** External id of the data product. */
  productId: string
  /** The id of the output port. */
  port: string
  /** External id of the team that owns the data product. */
  providerTeam: string
  /** The data contract of the port; null = none. */
  contractId: string | null
  contractVersion: string | null
}

/** The part of an agreement that decisions and time change. */
export interface Course extends AgreementTerms {
  status: AgreementStatus
  state: AgreementState
  /** When time changes the state, or a reminder is due; null = never. */
  nextDueAt: Instant | null
}

/** A stored agreement. */
export interface Agreement extends AgreementKey, AgreementProvider, AgreementConsumer, Course {
  version: number
  /** The text that was sent. */
  document: string
  /** The agreement as JSON, in the form of the catalog's clients; null if it was sent so. */
  documentJson: string | null
  mediaType: string
  format: AgreementFormat
  /** The digest of the terms in effect; those of the catalog do not count. */
  digest: string
  purpose: string
  requestedAt: Instant
  requestedBy: string
  /** The id of the person behind the request, also by a key that the person created; null = another key. */
  requestedByUser: string | null
  decidedAt: Instant | null
  decidedBy: string | null
  decisionReason: string | null
  /** Why it was canceled; null = it was not, or no reason was given. */
  endReason: string | null
  /** When the contract was changed since the approval, and the highest level of these changes. */
  contractChangedAt: Instant | null
  contractChangedLevel: string | null
  /** The provisioning as JSON, null = none was reported, and the number of its reports. */
  provisioning: string | null
  provisioningVersion: number
  createdAt: Instant
  updatedAt: Instant
  updatedBy: string
}

/** A stored agreement with the store's clock when it was read. */
export interface AgreementAt extends Agreement {
  now: Instant
}

/** A changed agreement with its events, before its text is written. */
export interface AgreementDraftWrite {
  agreement: Agreement
  events: readonly AccessEventName[]
  /**
   * The basis of a change that grants access or names parties: they must exist when it is written. Undefined = other
   * changes.
   */
  basis?: AgreementBasis | undefined
  /** The agreement before a change that may leave its terms in effect as they are: nothing is written then. */
  former?: Agreement
}

/** An agreement as it will be, with the text of its version and its events. */
export interface AgreementWrite extends Pick<AgreementDraftWrite, 'agreement' | 'events'> {
  /** The document as clients see it: JSON. */
  presented: string
}

/** Returns the entity tag of an agreement without quotes: decisions change it, too. */
export function toEntityDigest({ digest, version }: Pick<Agreement, 'digest' | 'version'>): string {
  return `${digest}-${version}`
}

/** Returns the id of the consumer; the type of the consumer has to be compared, too. */
export function getConsumerId(consumer: AgreementConsumer): string | null {
  return consumer.consumerProduct ?? consumer.consumerUser ?? consumer.consumerTeam
}

/** Returns whether two agreements have the same consumer. */
export function isSameConsumer(a: AgreementConsumer, b: AgreementConsumer): boolean {
  return a.consumerType === b.consumerType && getConsumerId(a) === getConsumerId(b)
}
