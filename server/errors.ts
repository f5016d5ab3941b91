/**
 * Every expected bad ending. Rooms name a code; this page alone knows what it is over HTTP.
 * The order is that of the checks: a request is refused by the first that does not hold.
 */
const ENDINGS = {
  request_malformed: { status: 400, title: 'Bad Request' },
  request_too_slow: { status: 408, title: 'Request Timeout' },
  headers_too_large: { status: 431, title: 'Request Header Fields Too Large' },
  credentials_missing: { status: 401, title: 'Unauthorized' },
  credentials_unknown: { status: 401, title: 'Unauthorized' },
  credentials_expired: { status: 401, title: 'Unauthorized' },
  request_forged: { status: 403, title: 'Forbidden' },
  too_many_requests: { status: 429, title: 'Too Many Requests' },
  overloaded: { status: 503, title: 'Service Unavailable' },
  upload_budget_exceeded: { status: 503, title: 'Service Unavailable' },
  store_unavailable: { status: 503, title: 'Service Unavailable' },
  not_found: { status: 404, title: 'Not Found' },
  method_not_allowed: { status: 405, title: 'Method Not Allowed' },
  read_only_key: { status: 403, title: 'Forbidden' },
  schema_newer: { status: 503, title: 'Service Unavailable' },
  schema_older: { status: 503, title: 'Service Unavailable' },
  store_full: { status: 503, title: 'Service Unavailable' },
  id_unusable: { status: 400, title: 'Bad Request' },
  event_unknown: { status: 400, title: 'Bad Request' },
  query_invalid: { status: 400, title: 'Bad Request' },
  media_type_unsupported: { status: 415, title: 'Unsupported Media Type' },
  body_too_large: { status: 413, title: 'Content Too Large' },
  body_malformed: { status: 400, title: 'Bad Request' },
  body_unacceptable: { status: 422, title: 'Unprocessable Content' },
  permission_missing: { status: 403, title: 'Forbidden' },
  precondition_failed: { status: 412, title: 'Precondition Failed' },
  document_invalid: { status: 422, title: 'Unprocessable Content' },
  document_too_costly: { status: 422, title: 'Unprocessable Content' },
  format_ended: { status: 422, title: 'Unprocessable Content' },
  in_use: { status: 422, title: 'Unprocessable Content' },
  change_breaking: { status: 409, title: 'Conflict' },
  run_in_progress: { status: 409, title: 'Conflict' },
  already_member: { status: 409, title: 'Conflict' },
  limit_reached: { status: 409, title: 'Conflict' },
  member_elsewhere: { status: 409, title: 'Conflict' },
  internal: { status: 500, title: 'Internal Server Error' },
} as const satisfies Record<string, { status: number; title: string }>

/** Names one expected bad ending. */
export type RefusalCode = keyof typeof ENDINGS

/** The codes of all expected errors. */
export const REFUSAL_CODES = Object.keys(ENDINGS).filter(isRefusalCode)

/** A team as an error names it. The name is only given to members who are signed in. */
export interface NamedTeam {
  id: string
  name?: string
}

/** Further members of an error, from which a client can write a sentence of its own. */
export interface RefusalMembers {
  /** The permission that the caller lacks. */
  permission?: string
  /** The team on which the caller lacks it; null = only organization owners have it. */
  team?: NamedTeam | null
  /** Some of the people who have the permission. Only for members who are signed in. */
  people?: readonly { name: string }[]
  /** The team that a request names and that does not exist. */
  unknownTeam?: UnknownTeam
  /** The state that made a precondition fail: the resource exists, was changed, or does not exist. */
  precondition?: 'exists' | 'changed' | 'missing'
  /** The level of a change that was rejected. */
  level?: string
}

/** A team id that no team has. */
export interface UnknownTeam {
  id: string
  /** The field that names it, as in `violations`. */
  field: string
  /** Teams with a similar id or name, the most similar first. Only for members who are signed in. */
  suggestions?: readonly Required<NamedTeam>[]
}

/** One thing that is wrong with a request, and where. */
export interface Violation {
  /** In dotted form: `outputPorts[2].name`; empty for the whole document. */
  field: string
  message: string
  /** Both count from 1 and are present for documents. */
  line?: number
  column?: number
}

/** A request that ends badly for a reason the caller can understand, and usually mend. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly violations: readonly Violation[]
  /** Seconds after which it is worth trying again; undefined = the same request fails again. */
  readonly retryAfterSeconds: number | undefined
  /** The address of a page that explains this kind of refusal; undefined = there is none. */
  readonly type: string | undefined
  /** Further members of the answer. */
  readonly extensions: Readonly<RefusalMembers>
  /** Further members of the answer that are JSON text already. */
  readonly jsonExtensions: Readonly<Record<string, string>>

  constructor(
    code: RefusalCode,
    detail: string,
    more: {
      violations?: readonly Violation[]
      retryAfterSeconds?: number
      type?: string
      extensions?: Readonly<RefusalMembers>
      jsonExtensions?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super(detail, { cause: more.cause })
    this.code = code
    this.violations = more.violations ?? []
    this.retryAfterSeconds = more.retryAfterSeconds
    this.type = more.type
    this.extensions = more.extensions ?? {}
    this.jsonExtensions = more.jsonExtensions ?? {}
  }
}

/** Returns a copy of an error with further members. */
export function extendRefusal(refusal: Refusal, members: RefusalMembers): Refusal {
  const { code, message, violations, retryAfterSeconds, type, jsonExtensions, cause } = refusal
  return new Refusal(code, message, {
    violations,
    extensions: { ...refusal.extensions, ...members },
    jsonExtensions,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(type === undefined ? {} : { type }),
  })
}

function isRefusalCode(code: string): code is RefusalCode {
  return code in ENDINGS
}

/** The status code and the reason phrase of a code. */
export function endingOf(code: RefusalCode): { status: number; title: string } {
  return ENDINGS[code]
}

/** The refusal for whatever cannot be seen: absent, another organization's, or hidden. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'There is nothing here, or nothing that this caller may see.')
}
