import { ApiError } from '../../platform/errors.ts'
import type { Log } from '../../platform/kit/log.ts'
import { hasChanged } from '../../platform/kit/request-wait.ts'
import {
  getErrorCode,
  type StoreAnswerCode,
  type StoreUnavailable,
} from '../../platform/kit/store-errors.ts'

// What a request gets that the database could not serve.

const DETAILS: Readonly<Record<StoreAnswerCode, string>> = {
  store_unavailable: 'The store cannot be reached. Try again shortly.',
  overloaded: 'Too many requests are waiting. Try again shortly.',
  store_read_only: 'The database accepts no writes at the moment. Reading still works.',
  store_full: 'The disk of the catalog is full. Reading still works.',
  outcome_unknown:
    'The connection to the database was lost while the change was being saved. It may have been saved.',
}

const RETRY_SECONDS: Readonly<Record<StoreAnswerCode, number>> = {
  store_unavailable: 2,
  overloaded: 1,
  store_read_only: 2,
  store_full: 30,
  outcome_unknown: 2,
}

/** Returns the error of a request that the database could not serve. */
export function newStoreProblem(code: StoreAnswerCode, cause?: unknown): ApiError {
  return new ApiError(code, DETAILS[code], { retryAfterSeconds: RETRY_SECONDS[code], cause })
}

/**
 * Logs why the database could not serve the current request, with the setting to check, and returns the error of the
 * request: `outcome_unknown` if it has changed anything, or may have.
 */
export function reportStoreProblem(log: Log, requestId: string, error: StoreUnavailable): ApiError {
  const { answer, level, setting } = error.rule
  const code = getErrorCode(error)
  log[level](
    { requestId, err: error, code, ...(setting === undefined ? {} : { setting }) },
    'the store did not answer',
  )
  return newStoreProblem(error.isOutcomeUnknown || hasChanged() ? 'outcome_unknown' : answer, error)
}
