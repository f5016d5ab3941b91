/**
 * Filters of names by globs: `*` is any text, `?` is any one character. A name is included when a glob
 * of `include` matches it, or there is none, and no glob of `exclude` does. A name that `include`
 * spells out in full, without wildcards, is always included.
 */

/** The globs that include and exclude names of one kind. */
export interface NameGlobs {
  include: readonly string[]
  exclude: readonly string[]
}

/** Returns a function that decides whether a name is included; names of the platform itself are not. */
export function createNameFilter(
  { include, exclude }: NameGlobs,
  isSystemName: (name: string) => boolean = () => false,
): (name: string) => boolean {
  const exact = new Set(include)
  const isIncluded = createMatcher(include)
  const isExcluded = createMatcher(exclude)
  return (name) => {
    if (exact.has(name)) return true
    if (isSystemName(name)) return false
    return (include.length === 0 || isIncluded(name)) && !isExcluded(name)
  }
}

// Matched by hand, because a regular expression of a user's pattern could take exponential time.
function createMatcher(patterns: readonly string[]): (name: string) => boolean {
  const plain = new Set(patterns.filter((pattern) => !/[*?]/.test(pattern)))
  const wild = patterns
    .filter((pattern) => /[*?]/.test(pattern))
    .map((pattern) => Array.from(pattern))
  return (name) => {
    if (plain.has(name)) return true
    if (wild.length === 0) return false
    const characters = Array.from(name)
    return wild.some((pattern) => matches(pattern, characters))
  }
}

// The usual greedy walk: it returns only to the last star, so it takes at most n × m steps.
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0
  let star = -1
  let resumeAt = 0
  for (let position = 0; position < name.length;) {
    if (pattern[at] === '*') {
      star = at
      at += 1
      resumeAt = position
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[position])) {
      at += 1
      position += 1
    } else if (star !== -1) {
      at = star + 1
      resumeAt += 1
      position = resumeAt
    } else {
      return false
    }
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
