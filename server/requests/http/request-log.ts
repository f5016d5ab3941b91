import type { Caller } from '../access/caller.ts'
import type { ApiError } from '../../platform/errors.ts'
import { getErrorKind } from '../../platform/error-codes.ts'
import { getPath, type HttpContext, type Pipeline } from './context.ts'

/** An answered request. */
interface Answered {
  context: HttpContext
  /** The route's pattern, never the path itself: it has few values and no one's ids. */
  pattern: string
  status: number
  startedAtMs: number
  requestId: string
  /** The principal of the key or person; undefined without authentication. */
  caller?: string | undefined
}

/** Logs and counts an answered request. */
export function account({ metrics, services }: Pipeline, answered: Answered): void {
  const { context, pattern, status, requestId, caller } = answered
  const milliseconds = performance.now() - answered.startedAtMs
  const { method } = context.req
  metrics.observe(method, pattern, status, milliseconds / 1000)
  const ms = Math.round(milliseconds * 100) / 100
  services.log.info({ method, route: pattern, status, ms, caller, requestId })
}

/** Notes a request of a directory, which its page shows if it was rejected. */
export function noteDirectoryRequest(
  { services: { directoryLog } }: Pipeline,
  context: HttpContext,
  { organizationId }: Caller,
  { requestId, error }: { requestId: string; error: ApiError | undefined },
): void {
  const status = error && getErrorKind(error.code).status
  const refusal = error && status ? { status, sentence: error.message } : undefined
  const { method } = context.req
  directoryLog.add({ organizationId, method, path: getPath(context), requestId, refusal })
}
