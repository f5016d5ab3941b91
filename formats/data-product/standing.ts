// The standing of a document or a part of it: the status in its author's words, and the flag `deprecated` of ODCS 3.2 and
// ODPS 1.1. Lists, facets, pages and notifications use one word for both.

/** The statuses of documents and output ports that announce an end, in lower case. */
export const ENDING_STATUSES: readonly string[] = ['deprecated', 'retired', 'sunset', 'end of life']

const ENDED =
  /^(?:deprecated|retired|deleted|archived|obsolete|withdrawn|decommissioned|sunset|end.?of.?life|eol)$/i

/** Returns whether a status announces an end, in any letter case. */
export function isEndingStatus(status: string | undefined): status is string {
  return status !== undefined && ENDING_STATUSES.includes(status.toLowerCase())
}

const DRAFT = /^(?:draft|proposed|in.?development)$/i

/** Returns whether a status is that of something that is not offered yet. */
export function isDraftStatus(status: string | undefined): boolean {
  return status !== undefined && DRAFT.test(status)
}

/** Returns whether a status is that of something that ends or has ended, which lists show last. */
export function isEndedStatus(status: string | undefined): boolean {
  return status !== undefined && ENDED.test(status)
}

/**
 * Returns the status by which something is listed, counted and drawn: the word of its document, and `deprecated` if only
 * its flag announces the end.
 */
export function getEffectiveStatus({
  status,
  deprecated,
}: {
  status?: string | undefined
  deprecated?: boolean | undefined
}): string | undefined {
  return deprecated === true && !isEndedStatus(status) ? 'deprecated' : status
}
