import { type ApiError } from '../../platform/errors.ts'
import { getErrorKind } from '../../platform/error-codes.ts'
import { withMembers } from './json.ts'
import { isScimPath, SCIM_MEDIA_TYPE, toScimError } from './scim-problem.ts'

const MEDIA_TYPE = 'application/problem+json'

/**
 * Returns the response to a rejected request as RFC 9457 defines it, with `violations` added; below the path of
 * directories, as SCIM defines it. `more` are further headers.
 */
export function problemAnswer(
  error: ApiError,
  path: string,
  more: Record<string, string> = {},
): Response {
  const { status } = getErrorKind(error.code)
  const isScim = isScimPath(path)
  const headers: Record<string, string> = {
    'content-type': isScim ? SCIM_MEDIA_TYPE : MEDIA_TYPE,
    'x-content-type-options': 'nosniff',
    ...more,
  }
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="portbook"'
  if (error.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(error.retryAfterSeconds)
  }
  const text = isScim ? JSON.stringify(toScimError(error)) : writeProblem(error, path)
  return new Response(text, { status, headers })
}

function writeProblem(error: ApiError, path: string): string {
  const { status, title } = getErrorKind(error.code)
  const violations = error.violations.toSorted(byField)
  const body = {
    type: error.type ?? 'about:blank',
    title,
    status,
    detail: error.message,
    instance: path,
    code: error.code,
    ...(violations.length > 0 ? { violations } : {}),
    ...error.extensions,
  }
  return withMembers(JSON.stringify(body), error.jsonExtensions)
}

function byField(a: { field: string }, b: { field: string }): number {
  if (a.field === b.field) return 0
  return a.field < b.field ? -1 : 1
}
