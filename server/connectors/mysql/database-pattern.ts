/** Patterns of databases in grants: `%` and `_` are wildcards, a backslash makes the next character literal. */

/** Returns the database that a pattern names; undefined if it has wildcards. */
export function unescapePattern(pattern: string): string | undefined {
  const literal = pattern.replaceAll(/\\(.)/gsu, '')
  if (/[%_]/u.test(literal)) return undefined
  return pattern.replaceAll(/\\(.)/gsu, '$1')
}

/**
 * Chooses the one of an account's patterns that the server uses for a database: the most specific of those that match. A
 * pattern is more specific the later its first wildcard is. Returns its index, undefined if none matches.
 */
export function chooseDatabaseRow(
  patterns: readonly string[],
  database: string,
): number | undefined {
  const matching = patterns
    .map((pattern, at) => ({ at, pattern, rank: countLiteral(pattern) }))
    .filter(({ pattern }) => matches(pattern, database))
  return matching.toSorted((a, b) => b.rank - a.rank)[0]?.at
}

function countLiteral(pattern: string): number {
  if (unescapePattern(pattern) !== undefined) return Number.POSITIVE_INFINITY
  let count = 0
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at)
    if (character === '%' || character === '_') return count
    if (character === '\\') at += 1
    count += 1
  }
  return count
}

// Without backtracking: a pattern of many wildcards takes no more than the product of both lengths.
function matches(pattern: string, database: string): boolean {
  const tokens = [...pattern.matchAll(/\\(.)|(.)/gsu)].map(([, escaped, plain]) =>
    escaped !== undefined ? escaped : plain === '%' ? '%%' : plain === '_' ? '__' : (plain ?? ''),
  )
  let reached = new Set([0])
  for (const character of database) {
    const next = new Set<number>()
    for (const at of closeOverAny(reached, tokens)) {
      if (tokens[at] === '%%') next.add(at)
      else if (tokens[at] === '__' || tokens[at] === character) next.add(at + 1)
    }
    reached = next
  }
  return closeOverAny(reached, tokens).has(tokens.length)
}

function closeOverAny(reached: ReadonlySet<number>, tokens: readonly string[]): Set<number> {
  const closed = new Set(reached)
  for (const at of closed) if (tokens[at] === '%%') closed.add(at + 1)
  return closed
}
