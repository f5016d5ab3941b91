/** Errors of BigQuery: their reasons, and the failures of a source that they mean. */

import { SourceFailure } from '../connector.ts'
import type { SourceAnswer } from '../http/transport.ts'
import { errorAnswer } from './answers.ts'

/** The role that allows reading metadata. */
export const METADATA_ROLE = 'roles/bigquery.metadataViewer'

/** The role that allows running queries. */
export const JOB_ROLE = 'roles/bigquery.jobUser'

/** A rejected request. */
export interface BigQueryError {
  status: number
  /** Such as `accessDenied`; empty if there is none. */
  reason: string
  /** The text of BigQuery, which may contain names and parts of statements. */
  detail: string
}

/** Parses the error in an answer with a status other than 200. */
export function parseError({ status, json }: SourceAnswer): BigQueryError {
  const { message, status: state, errors } = errorAnswer.safeParse(json).data?.error ?? {}
  const reason = errors?.[0]?.reason ?? state ?? ''
  return { status, reason: /^\w{1,100}$/.test(reason) ? reason : '', detail: message ?? '' }
}

// BigQuery rejects requests above a quota with status 403.
const BUSY_REASONS = new Set([
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'jobRateLimitExceeded',
  'quotaExceeded',
  'RESOURCE_EXHAUSTED',
])

/** Returns whether an answer asks for fewer requests. */
export function isThrottled(answer: SourceAnswer): boolean {
  return BUSY_REASONS.has(parseError(answer).reason)
}

const DETAIL_CHARACTERS_MAX = 500

/** Returns the failure of a rejected request; `what` is its subject: `the tables of shop.sales`. */
export function toRequestFailure(error: BigQueryError, what: string): SourceFailure {
  const { status, reason, detail } = error
  const cause = new Error(`${reason || status}: ${detail.slice(0, DETAIL_CHARACTERS_MAX)}`)
  if (isDisabled(error)) {
    const message = `BigQuery does not show ${what}: its API is not enabled in the project`
    return new SourceFailure('permission', message, { cause })
  }
  if (/VPC Service Controls/i.test(detail)) {
    const message = `BigQuery does not show ${what}: a perimeter of VPC Service Controls denies access from this server`
    return new SourceFailure('permission', message, { cause })
  }
  if (status === 404) {
    const message = `BigQuery does not find ${what}`
    return new SourceFailure('permission', message, { cause })
  }
  if (status === 403) {
    const message = `BigQuery does not show ${what}. Grant the account ${METADATA_ROLE}`
    return new SourceFailure('permission', message, { cause })
  }
  const message = `BigQuery did not return ${what} (${reason || `status ${status}`})`
  return new SourceFailure('protocol', message, { cause })
}

/** Returns the failure of a rejected query; `billingProject` is the project that runs it. */
export function toQueryFailure(
  error: BigQueryError,
  what: string,
  billingProject: string,
): SourceFailure {
  const cause = new Error(error.detail.slice(0, DETAIL_CHARACTERS_MAX))
  if (error.status === 403 && error.detail.includes('bigquery.jobs.create')) {
    const message = `The account may not run queries in ${billingProject}. Grant it ${JOB_ROLE}`
    return new SourceFailure('permission', message, { cause })
  }
  if (error.reason === 'bytesBilledLimitExceeded') {
    const message = `The query for ${what} exceeds the maximum of billed gigabytes`
    return new SourceFailure('too_large', message, { cause })
  }
  return toRequestFailure(error, what)
}

function isDisabled({ reason, detail }: BigQueryError): boolean {
  return reason === 'accessNotConfigured' || /API has not been used|SERVICE_DISABLED/.test(detail)
}
