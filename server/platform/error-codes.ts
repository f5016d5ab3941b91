import { DIRECTORY_ERRORS } from './directory-error-codes.ts'
import { IDENTITY_ERRORS } from './identity-error-codes.ts'
import { REALITY_ERRORS } from './reality-error-codes.ts'

/**
 * Every error that a client can get. Modules throw a `ApiError` with a code; only this table defines the
 * status of the code. The order is that of the checks: a request gets the first error that applies.
 * `docs/errors.md` is generated from it.
 */
const ERRORS = {
  request_malformed: {
    status: 400,
    meaning: 'The request is not valid HTTP, or a header or parameter has an invalid form.',
    fix: 'Correct what `detail` names.',
  },
  request_too_slow: {
    status: 408,
    meaning: 'The headers or the body did not arrive in time.',
    fix: 'Send the request again over a faster connection.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The headers have more than 16 KiB.',
    fix: 'Send fewer or smaller headers.',
  },
  credentials_missing: {
    status: 401,
    meaning: 'The request has no API key and no session.',
    fix: 'Send an API key as `x-api-key` or `Authorization: Bearer`.',
  },
  credentials_unknown: {
    status: 401,
    meaning:
      'The API key, session or one-time link does not exist, or is not accepted at this address.',
    fix: 'Check the key, or create another one.',
  },
  credentials_expired: {
    status: 401,
    meaning: 'The API key or session has expired.',
    fix: 'Create another key, or sign in again.',
  },
  member_suspended: {
    status: 401,
    meaning:
      'The person of the session or the personal key is suspended in the organization, by its directory or by an owner.',
    fix: 'Ask an owner of the organization, or use the session in another organization.',
  },
  request_forged: {
    status: 403,
    meaning: 'A request with a session came from another site.',
    fix: 'Open Portbook at its own address. Programs send an API key.',
  },
  too_many_requests: {
    status: 429,
    meaning: 'The key or the client has used up its requests, or has too many at once.',
    fix: 'Wait for the seconds in `Retry-After`.',
  },
  overloaded: {
    status: 503,
    meaning:
      'This process has as much work as it accepts, or too many requests are waiting. Nothing was written.',
    fix: 'Wait for the seconds in `Retry-After`.',
  },
  upload_budget_exceeded: {
    status: 503,
    meaning: 'Too many large bodies are being received.',
    fix: 'Wait for the seconds in `Retry-After`.',
  },
  store_unavailable: {
    status: 503,
    meaning: 'The database does not answer.',
    fix: 'Wait for the seconds in `Retry-After`. Nothing was written.',
  },
  unknown_address: {
    status: 404,
    meaning: 'No resource of any organization has this address.',
    fix: 'Use an address of `/openapi.json`.',
  },
  not_found: {
    status: 404,
    meaning: 'The resource does not exist, or the caller may not see it.',
    fix: 'Check the id and the organization of the key.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The address does not support this method.',
    fix: 'Use a method of the `Allow` header.',
  },
  read_only_key: {
    status: 403,
    meaning: 'A read-only key sent a request that writes.',
    fix: 'Use a key that may write.',
  },
  not_a_member: {
    status: 403,
    meaning: 'The person is not a member of the organization.',
    fix: 'Choose another organization, or ask an owner for an invitation.',
  },
  schema_newer: {
    status: 503,
    meaning: 'The database was upgraded and this process was not, so it only reads.',
    fix: 'Restart the process with the new version.',
  },
  schema_older: {
    status: 503,
    meaning: 'This process is newer than the database, so it only reads.',
    fix: 'Run the command `migrate`, or restart the process.',
  },
  outcome_unknown: {
    status: 503,
    meaning:
      'The connection to the database was lost while the change was being saved. It may have been saved.',
    fix: 'Send the same request again: a PUT with the same document changes nothing if it was saved. With `If-Match`, 412 can mean that your own change was saved: read and compare. Before you repeat a POST, look for its request id with `GET /api/activity?requestId=`.',
  },
  store_read_only: {
    status: 503,
    meaning: 'The database accepts no writes, for example during a failover. Reading still works.',
    fix: 'Wait for the seconds in `Retry-After`. Nothing was written.',
  },
  store_full: {
    status: 503,
    meaning: 'The disk of the database is full, so it only reads.',
    fix: 'Free disk space.',
  },
  id_unusable: {
    status: 400,
    meaning:
      'The id in the path is too long, or has a control character, an empty part, or a slash where ids have none.',
    fix: 'Use another id.',
  },
  event_unknown: {
    status: 400,
    meaning: '`lastEventId` names no event, for example after a restore of an older backup.',
    fix: 'Read the feed from its beginning.',
  },
  query_invalid: {
    status: 400,
    meaning: 'A query parameter is unknown or invalid.',
    fix: 'Correct the parameter in `violations`.',
  },
  media_type_unsupported: {
    status: 415,
    meaning: 'The body has another media type than the address accepts.',
    fix: 'Send JSON or YAML with its `Content-Type`.',
  },
  body_too_large: {
    status: 413,
    meaning: 'The body is larger than the address accepts.',
    fix: 'Send a smaller document.',
  },
  body_malformed: {
    status: 400,
    meaning: 'The body is not valid JSON or YAML.',
    fix: 'Correct the text at the line and column in `violations`.',
  },
  body_unacceptable: {
    status: 422,
    meaning:
      'The body is valid JSON or YAML, but exceeds a limit such as nesting, or repeats a key.',
    fix: 'Simplify the document at the line and column in `violations`.',
  },
  permission_missing: {
    status: 403,
    meaning: 'The caller lacks a permission on the team.',
    fix: 'Ask an owner of the team in `team`, or use another key.',
  },
  role_exceeds_own: {
    status: 403,
    meaning:
      'The change gives a role that allows more than the caller may do there, or takes one away.',
    fix: 'Choose another role, or ask a person who has the permissions that `detail` names.',
  },
  precondition_failed: {
    status: 412,
    meaning:
      '`If-Match` or `If-None-Match` does not hold: another client changed, created or deleted the resource.',
    fix: 'Read the current version and repeat the change.',
  },
  document_invalid: {
    status: 422,
    meaning: 'The document violates its standard or a rule of the catalog.',
    fix: 'Correct each entry of `violations`.',
  },
  settings_malformed: {
    status: 400,
    meaning: 'The settings have an unknown mode or permission, or name a role twice.',
    fix: 'Correct each entry of `violations`.',
  },
  validation_failed: {
    status: 422,
    meaning: 'A field of the request is missing or invalid.',
    fix: 'Correct each entry of `violations`.',
  },
  document_too_costly: {
    status: 422,
    meaning:
      'Reading or comparing the document takes more time or memory than one request may use.',
    fix: 'Split the document, or send JSON instead of YAML.',
  },
  format_ended: {
    status: 422,
    meaning: 'DPS or DCS is no longer accepted.',
    fix: 'Convert the document to ODPS or ODCS; `type` links to the guide.',
  },
  format_unsupported: {
    status: 422,
    meaning: 'The document states a version of a draft that cannot be read.',
    fix: 'Write the document in one of the versions that `violations` lists.',
  },
  in_use: {
    status: 422,
    meaning: 'Another resource still refers to this one.',
    fix: 'Remove the references that `uses` lists, as `advice` explains.',
  },
  last_owner: {
    status: 422,
    meaning: 'The last owner of an organization cannot leave or lose the role.',
    fix: 'Make another member an owner first.',
  },
  invalid_state: {
    status: 422,
    meaning: 'The resource is in a state that does not allow this.',
    fix: 'Read `detail`; the request cannot succeed in this state.',
  },
  change_breaking: {
    status: 409,
    meaning: 'The change is breaking, and `failOn=breaking` was requested.',
    fix: 'Review the changes, then send the request without `failOn`.',
  },
  ...REALITY_ERRORS,
  run_in_progress: {
    status: 409,
    meaning: 'A run of the integration is in progress.',
    fix: 'Wait until it ends, or cancel it.',
  },
  id_taken: {
    status: 409,
    meaning: 'Another resource already has this id.',
    fix: 'Choose another id.',
  },
  already_member: {
    status: 409,
    meaning: 'The person is already a member of the organization.',
    fix: 'Nothing to do.',
  },
  member_elsewhere: {
    status: 409,
    meaning: 'The person is also a member of another organization, which has to agree.',
    fix: 'Follow `detail`.',
  },
  ...IDENTITY_ERRORS,
  roles_missing: {
    status: 409,
    meaning: 'Custom team roles were requested without any role.',
    fix: 'Send at least one role, or the mode `default`.',
  },
  role_in_use: {
    status: 409,
    meaning: 'Members of teams have a role that would no longer exist.',
    fix: 'Keep the roles that `uses` names, or give these members other roles first.',
  },
  limit_reached: {
    status: 409,
    meaning: 'A limit of the organization or of the resource is reached.',
    fix: 'Delete what is no longer needed, or request less.',
  },
  ...DIRECTORY_ERRORS,
  internal: {
    status: 500,
    meaning: 'An unexpected error occurred. It is logged with the id of the request.',
    fix: 'Repeat the request; report the error if it occurs again.',
  },
} as const satisfies Record<string, ErrorKind>

/** The reason phrases of the statuses, as RFC 9110 has them. */
const TITLES = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  424: 'Failed Dependency',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
} as const

/** An error code as `docs/errors.md` describes it. */
interface ErrorKind {
  readonly status: keyof typeof TITLES
  /** When the error occurs. */
  readonly meaning: string
  /** A way to resolve it for the client or the operator. */
  readonly fix: string
}

/** The code of an error. */
export type ErrorCode = keyof typeof ERRORS

/** All error codes, in the order of the checks. */
export const ERROR_CODES = Object.keys(ERRORS).filter(isErrorCode)

function isErrorCode(code: string): code is ErrorCode {
  return code in ERRORS
}

/** Returns the status, the title and the description of an error code. */
export function getErrorKind(code: ErrorCode): ErrorKind & { title: string } {
  const kind: ErrorKind = ERRORS[code]
  return { ...kind, title: TITLES[kind.status] }
}
