import { z } from '@hono/zod-openapi'
import { DIRECTORY_PATH } from '../access/directory-caller.ts'
import { getErrorKind, type ErrorCode } from '../../platform/error-codes.ts'
import type { ApiError } from '../../platform/errors.ts'

/** The media type of everything that SCIM exchanges (RFC 7644, section 3.1). */
export const SCIM_MEDIA_TYPE = 'application/scim+json'

const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The `scimType` of errors with status 400 and 409 (RFC 7644, section 3.12). */
const SCIM_TYPES: Partial<Record<ErrorCode, string>> = {
  body_malformed: 'invalidSyntax',
  body_unacceptable: 'invalidSyntax',
  query_invalid: 'invalidValue',
  scim_filter_invalid: 'invalidFilter',
  scim_path_invalid: 'invalidPath',
  scim_syntax_invalid: 'invalidSyntax',
  scim_value_invalid: 'invalidValue',
  scim_duplicate: 'uniqueness',
}

/** An error as SCIM clients read it. */
export const scimError = z
  .object({
    schemas: z.array(z.string()),
    status: z.string().openapi({ description: 'The HTTP status' }),
    scimType: z.string().optional(),
    detail: z.string(),
  })
  .openapi('ScimError', { description: 'An error in the form of RFC 7644.' })

/** Returns whether a raw path belongs to SCIM, so that its errors have the form of SCIM. */
export function isScimPath(path: string): boolean {
  return path === DIRECTORY_PATH || path.startsWith(`${DIRECTORY_PATH}/`)
}

/** Returns an error in the form of RFC 7644, section 3.12. */
export function toScimError(error: ApiError): z.infer<typeof scimError> {
  const { status } = getErrorKind(error.code)
  const scimType = SCIM_TYPES[error.code]
  return {
    schemas: [ERROR_SCHEMA],
    status: String(status),
    ...(scimType === undefined ? {} : { scimType }),
    detail: error.message,
  }
}
