import { ApiError } from '../../platform/errors.ts'

/**
 * The preconditions of a request (RFC 9110, 13). An entity tag is the digest of the document's meaning; the
 * tag of a converted form has a suffix after a dot, so that caches distinguish the forms.
 */
export interface Conditions {
  /** Digests, one of which must be current; `*` for any; undefined without the header. */
  ifMatch: readonly string[] | undefined
  /** Tags, none of which may be current; `*` if the resource must not exist. */
  ifNoneMatch: readonly string[] | undefined
}

/** Reads the conditions from a request's headers. Errors: request_malformed. */
export function readConditions(headers: Headers): Conditions {
  return {
    ifMatch: getTags(headers.get('if-match'), 'If-Match'),
    ifNoneMatch: getTags(headers.get('if-none-match'), 'If-None-Match'),
  }
}

/** Returns the entity tag of a document in a form; without `form`, of the form that was sent. */
export function entityTag(digest: string, form?: string): string {
  return form === undefined ? `"${digest}"` : `"${digest}.${form}"`
}

/**
 * Checks the preconditions of a change against the current digest, undefined if the resource does not exist.
 * Errors: precondition_failed.
 */
export function checkPreconditions(conditions: Conditions, digest: string | undefined): void {
  const { ifMatch, ifNoneMatch } = conditions
  if (ifMatch !== undefined && !names(ifMatch, digest)) {
    throw new ApiError(
      'precondition_failed',
      digest === undefined
        ? 'If-Match does not hold: there is no such resource.'
        : `If-Match does not hold: the current entity tag is ${entityTag(digest)}. Read it again and redo the change.`,
      { extensions: { precondition: digest === undefined ? 'missing' : 'changed' } },
    )
  }
  if (ifNoneMatch !== undefined && names(ifNoneMatch, digest)) {
    throw new ApiError('precondition_failed', 'If-None-Match does not hold: it exists already.', {
      extensions: { precondition: 'exists' },
    })
  }
}

/** Returns whether the client already has the current form, which is answered with 304. */
export function isNotModified(conditions: Conditions, tag: string): boolean {
  const { ifNoneMatch } = conditions
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.includes('*') || ifNoneMatch.includes(tag.slice(1, -1))
}

function names(tags: readonly string[], digest: string | undefined): boolean {
  if (digest === undefined) return false
  return tags.some((tag) => tag === '*' || tag.split('.')[0] === digest)
}

function getTags(header: string | null, name: string): string[] | undefined {
  if (header === null) return undefined
  if (header.trim() === '*') return ['*']
  const tags = header.split(',').map((tag) => /^\s*(?:W\/)?"([\x21\x23-\x7e]*)"\s*$/.exec(tag)?.[1])
  const read = tags.filter((tag) => tag !== undefined)
  if (read.length < tags.length) {
    throw new ApiError('request_malformed', `${name} must be * or entity tags in double quotes.`)
  }
  return read
}
