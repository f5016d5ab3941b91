import { findIdProblem, findSlashIdProblem } from '../../../formats/name/document-id.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * Returns the path of a request exactly as it was sent, without the query. URL parsers would remove dot
 * segments, including percent-encoded ones, and change its meaning.
 */
export function rawPath(target: string): string {
  const path = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const end = path.search(/[?#]/)
  const pathname = end === -1 ? path : path.slice(0, end)
  return pathname === '' ? '/' : pathname
}

/**
 * Decodes an id from a raw path segment, or from several if it may have slashes. Ids are compared as they are, never
 * normalized. Errors: id_unusable.
 */
export function decodeId(segment: string, mayHaveSlashes = false): string {
  const id = decoded(segment)
  const problem = (mayHaveSlashes ? findSlashIdProblem : findIdProblem)(id)
  if (problem !== undefined) throw new ApiError('id_unusable', `The id in the path ${problem}.`)
  return id
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError('id_unusable', 'The id in the path is not percent-encoded UTF-8.')
  }
}
