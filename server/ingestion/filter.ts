import { z } from '@hono/zod-openapi'

/**
 * Filters say what of a source comes into the catalog: lists of globs for each kind of thing. A name
 * comes in when some include matches, or there is none, and no exclude does. Names that belong to the
 * platform itself stay out. A name that stands in the includes letter by letter comes in whatever
 * else is said.
 */

/** What can be filtered: the levels of a native path. */
export type FilterKind = 'catalog' | 'database' | 'schema' | 'namespace' | 'table'

const globs = z.array(z.string().min(1).max(300)).max(500)
const globsByKind = z.partialRecord(
  z.enum(['catalog', 'database', 'schema', 'namespace', 'table']),
  globs,
)

/** Globs (`*` any text, `?` one character) by kind. */
export const filters = z
  .strictObject({ include: globsByKind.default({}), exclude: globsByKind.default({}) })
  .openapi('Filters')

/** Globs by kind, parsed. */
export type Filters = z.infer<typeof filters>

/** No filter: everything but what belongs to the platform. */
export const NO_FILTERS: Filters = { include: {}, exclude: {} }

/** Decides about the names of one kind. */
export function nameFilter(
  { include, exclude }: Filters,
  kind: FilterKind,
  isSystemName: (name: string) => boolean = () => false,
): (name: string) => boolean {
  const included = include[kind] ?? []
  const exact = new Set(included)
  const isIncluded = matcherOf(included)
  const isExcluded = matcherOf(exclude[kind] ?? [])
  return (name) => {
    if (exact.has(name)) return true
    if (isSystemName(name)) return false
    return (included.length === 0 || isIncluded(name)) && !isExcluded(name)
  }
}

/** What decides about native paths: the filters, the levels of a path, the platform's own names. */
export interface PathRules {
  filters: Filters
  levels: readonly FilterKind[]
  systemNames: Partial<Record<FilterKind, (name: string) => boolean>>
}

/** Decides about whole native paths: every part must come in. */
export function pathFilter(rules: PathRules): (path: readonly string[]) => boolean {
  const decisions = rules.levels.map((kind) =>
    nameFilter(rules.filters, kind, rules.systemNames[kind]),
  )
  return (path) => path.every((name, level) => decisions[level]?.(name) ?? true)
}

/** A glob as a pattern of SQL's LIKE with the escape character `\`. */
export function likeOf(glob: string): string {
  return glob
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_')
}

// Matched by hand: a pattern of an operator's must not be able to take exponential time.
function matcherOf(patterns: readonly string[]): (name: string) => boolean {
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

/** The usual greedy walk: it goes back only to the last star, so it takes at most n × m steps. */
function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0
  let star = -1
  let resumeAt = 0
  for (let place = 0; place < name.length;) {
    if (pattern[at] === '*') {
      star = at
      at += 1
      resumeAt = place
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[place])) {
      at += 1
      place += 1
    } else if (star !== -1) {
      at = star + 1
      resumeAt += 1
      place = resumeAt
    } else {
      return false
    }
  }
  while (pattern[at] === '*') at += 1
  return at === pattern.length
}
