import { z } from 'zod'
import { createNameFilter } from '../../formats/name/name-filter.ts'

/**
 * Filters select what of a source the catalog contains: globs for each kind, applied by
 * `createNameFilter`.
 */

/** The kinds that can be filtered: the levels of a native path. */
export type FilterKind = 'catalog' | 'database' | 'schema' | 'namespace' | 'table'

const globList = z.array(z.string().min(1).max(300)).max(500)
const globsByKind = z.partialRecord(
  z.enum(['catalog', 'database', 'schema', 'namespace', 'table']),
  globList,
)

/** Globs (`*` any text, `?` one character) by kind. */
export const filters = z.strictObject({
  include: globsByKind.default({}),
  exclude: globsByKind.default({}),
})

/** Globs by kind, parsed. */
export type Filters = z.infer<typeof filters>

/** No filter: includes everything except what belongs to the platform. */
export const NO_FILTERS: Filters = { include: {}, exclude: {} }

/** Creates a filter for the names of one kind. */
export function nameFilter(
  { include, exclude }: Filters,
  kind: FilterKind,
  isSystemName: (name: string) => boolean = () => false,
): (name: string) => boolean {
  const globs = { include: include[kind] ?? [], exclude: exclude[kind] ?? [] }
  return createNameFilter(globs, isSystemName)
}

/** The rules for native paths: the filters, the levels of a path, the platform's own names. */
interface PathRules {
  filters: Filters
  levels: readonly FilterKind[]
  systemNames: Partial<Record<FilterKind, (name: string) => boolean>>
}

/** Creates a filter for whole native paths: every part must be included. */
export function pathFilter(rules: PathRules): (path: readonly string[]) => boolean {
  const decisions = rules.levels.map((kind) =>
    nameFilter(rules.filters, kind, rules.systemNames[kind]),
  )
  return (path) => path.every((name, level) => decisions[level]?.(name) ?? true)
}

/** Converts a glob to a pattern of SQL's LIKE with the escape character `\`. */
export function toLikePattern(glob: string): string {
  return glob
    .replaceAll(/[\\%_]/g, String.raw`\$&`)
    .replaceAll('*', '%')
    .replaceAll('?', '_')
}
