import type { ErrorCode } from './error-codes.ts'

/** A team in an error. Only members who are signed in get its name. */
interface NamedTeam {
  id: string
  name?: string
}

/** Something that uses a resource. */
export interface NamedUse {
  /** A kind of document, `access` or `integration`. */
  kind: string
  id: string
  /** The display name; of an access agreement, that of the other party. */
  name: string
  /** The id of the output port that is concerned. */
  port?: string
  /** The relation to the resource, as a clause after the name: `has access to output port orders`. */
  relation: string
}

/** Further members of an error, from which clients can build their own messages. */
export interface ApiErrorMembers {
  /** The permission that the caller lacks. */
  permission?: string
  /** The team on which the caller lacks it; null = only organization owners have it. */
  team?: NamedTeam | null
  /** The custom roles that grant the permission; absent with the default roles. Only for members who are signed in. */
  roles?: readonly string[]
  /** Some of the people who have the permission. Only for members who are signed in. */
  people?: readonly { name: string }[]
  /** The team in the request that does not exist. */
  unknownTeam?: UnknownTeam
  /** The state that made a precondition fail: the resource exists, was changed, or does not exist. */
  precondition?: 'exists' | 'changed' | 'missing'
  /** The first uses of the resource that are visible to the caller. */
  uses?: readonly NamedUse[]
  /** The number of all uses, visible or not. */
  useCount?: number
  /** The number of uses that the caller may not see. */
  hiddenUseCount?: number
  /** The next step, as a sentence. */
  advice?: string
  /** The readers of the resource, which prevent nothing; only of dry runs. */
  readers?: readonly NamedUse[]
  /** The level of a change that was rejected. */
  level?: string
}

/** The id of a team that does not exist. */
interface UnknownTeam {
  id: string
  /** The field that names it, as in `violations`. */
  field: string
  /** Teams with a similar id or name, the most similar first. Only for members who are signed in. */
  suggestions?: readonly Required<NamedTeam>[]
}

/** A problem of a request, with its location. */
export interface Violation {
  /** In dotted form: `outputPorts[2].name`; empty for the whole document. */
  field: string
  message: string
  /** Both count from 1 and are present for documents. */
  line?: number
  column?: number
}

/** An issue of a schema, as zod reports it. */
interface SchemaIssue {
  path: readonly PropertyKey[]
  message: string
  code?: string
  /** The members that an object does not have; only of unknown members. */
  keys?: readonly string[]
  /** The issues of each alternative; only if none of them fits. */
  errors?: readonly (readonly SchemaIssue[])[]
}

/** Converts the issues of a schema to violations; each unknown member becomes one that names it. */
export function toViolations(issues: readonly SchemaIssue[]): Violation[] {
  return issues.flatMap((issue) => listViolations(issue, []))
}

function listViolations(issue: SchemaIssue, at: readonly PropertyKey[]): Violation[] {
  const path = [...at, ...issue.path]
  if (issue.keys !== undefined && issue.code === 'unrecognized_keys') {
    const message = 'is unknown. Remove it, or correct its name'
    return issue.keys.map((key) => ({ field: [...path, key].map(String).join('.'), message }))
  }
  // The alternative with the fewest issues is most likely the one that was meant.
  const [closest, ...others] = (issue.errors ?? []).toSorted((a, b) => a.length - b.length)
  const isClear =
    closest !== undefined && closest.length > 0 && others[0]?.length !== closest.length
  if (isClear) return closest.flatMap((one) => listViolations(one, path))
  return [{ field: path.map(String).join('.'), message: issue.message }]
}

/** An error that the caller can understand and usually fix. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly violations: readonly Violation[]
  /** Seconds after which the request may succeed; undefined if it would fail again. */
  readonly retryAfterSeconds: number | undefined
  /** The address of a page that explains the error, if one exists. */
  readonly type: string | undefined
  /** Further members of the answer. */
  readonly extensions: Readonly<ApiErrorMembers>
  /** Further members of the answer that are JSON text already. */
  readonly jsonExtensions: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      violations?: readonly Violation[]
      retryAfterSeconds?: number
      type?: string
      extensions?: Readonly<ApiErrorMembers>
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
export function extendApiError(error: ApiError, members: ApiErrorMembers): ApiError {
  const { code, message, violations, retryAfterSeconds, type, jsonExtensions, cause } = error
  return new ApiError(code, message, {
    violations,
    extensions: { ...error.extensions, ...members },
    jsonExtensions,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(type === undefined ? {} : { type }),
  })
}

/** Creates the error for an address that no route serves. */
export function unknownAddress(): ApiError {
  return new ApiError('unknown_address', 'Unknown address. /openapi.json lists all addresses.')
}

/** Creates the error for a resource that does not exist, belongs to another organization, or is hidden. */
export function notFound(): ApiError {
  return new ApiError('not_found', 'Not found, or not visible to this caller.')
}
