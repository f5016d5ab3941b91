/** Matches text for programs: header names, permission constants, addresses of the API, SQLSTATEs. */
export const FOR_PROGRAMS =
  /\b(?:[A-Z]+_[A-Z_]+|If-(?:None-)?Match|Retry-After|Content-Type|x-api-key|SQLSTATE|(?:GET|PUT|POST|DELETE) \/)|(?:^|\s)\/(?:api|ui)\//

/** Returns a sentence of the server if people can read it, and another one if not. */
export function forPeople(detail: string, otherwise: string): string {
  return detail === '' || FOR_PROGRAMS.test(detail) ? otherwise : detail
}
