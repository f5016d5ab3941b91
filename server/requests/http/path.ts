import { findIdProblem, findSlashIdProblem } from '../../../formats/name/document-id.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Route } from './endpoint.ts'
import { newRecord } from '../../../formats/name/table.ts'

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

/** The maximum length of a name in a path. */
export const NAME_CHARACTERS_MAX = 1500

/**
 * Decodes a name in a document from a raw path segment. Unlike an id it may have slashes, written `%2F`, and characters that
 * look like others, because it is only compared with the names in a document. Errors: id_unusable.
 */
export function decodeName(segment: string): string {
  const name = decoded(segment)
  if (name.includes('\0')) throw new ApiError('id_unusable', 'The name in the path has a NUL.')
  if (name.length <= NAME_CHARACTERS_MAX) return name
  const message = `The name in the path is longer than ${NAME_CHARACTERS_MAX} characters.`
  throw new ApiError('id_unusable', message)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new ApiError('id_unusable', 'The id in the path is not percent-encoded UTF-8.')
  }
}

/**
 * Matches a raw path against the pattern of a route, and returns the parameters as they were sent; undefined = another
 * path. The parameter that may have slashes takes all segments that the rest of the pattern leaves.
 */
export function matchRoute(
  { path: pattern, slashParameter }: Pick<Route, 'path' | 'slashParameter'>,
  path: string,
): Record<string, string> | undefined {
  const names = pattern.split('/')
  const segments = path.split('/')
  const more = segments.length - names.length
  if (more < 0 || (more > 0 && slashParameter === undefined)) return undefined
  const values = newRecord<string>()
  let at = 0
  for (const name of names) {
    const count = name === `{${slashParameter}}` ? more + 1 : 1
    const value = segments.slice(at, at + count).join('/')
    at += count
    if (!name.startsWith('{')) {
      if (name !== value) return undefined
    } else if (value === '') return undefined
    else values[name.slice(1, -1)] = value
  }
  return values
}

/**
 * Finds the routes of a path, one for each method. If ids may have slashes, the longest pattern wins: `a/b/versions` has
 * the versions of `a/b`. The id `a/b/versions` is written `a/b%2Fversions`.
 */
export function findRoutes(routes: readonly Route[], path: string): Route[] {
  const matches = routes.filter((route) => matchRoute(route, path) !== undefined)
  const lengths = matches.map((route) => countSegments(route))
  const longest = Math.max(0, ...lengths)
  return matches.filter((_, at) => lengths[at] === longest)
}

function countSegments({ path }: Route): number {
  return path.split('/').length
}
