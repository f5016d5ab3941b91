import type { ActivityActor } from '../activity/entry.ts'

/**
 * An incident is a promise of a data contract that its data do not keep now: tests fail, the table differs, data are
 * late, or access is granted that was not agreed. A contract has at most one open incident of a kind on each server. It
 * opens and resolves in the transaction of its cause.
 */

/** The kinds of incidents. */
export const INCIDENT_KINDS = ['test', 'drift', 'late', 'access'] as const

/** A kind of incidents. */
export type IncidentKind = (typeof INCIDENT_KINDS)[number]

/** The severity of an incident. */
type IncidentSeverity = 'warning' | 'error'

/** The kind of the events and of the entries of the activity. */
export const INCIDENT = 'incident'

/** The time within which a cause that returns opens the same incident again, as PostgreSQL spells it. */
export const REOPENED_WITHIN = '1 hour'

/** A cause of an incident: it opens it, or keeps it open. */
export interface IncidentCause {
  contractId: string
  /** The name of a server of the contract; empty = all of them. */
  server: string
  severity: IncidentSeverity
  /** A description for its sentences: a JSON object of at most a few kilobytes, never with data of samples. */
  facts: object
}

/** The place of an incident. */
export type IncidentPlace = Pick<IncidentCause, 'contractId' | 'server'>

/** The organization of incidents, and who made the change that is their cause. */
export interface IncidentOrigin extends ActivityActor {
  organizationId: string
}
