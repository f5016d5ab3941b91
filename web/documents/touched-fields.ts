import type { TextProblem } from './document-kind.ts'

/** The fields whose problems are shown, as dotted paths; `all` = every field. */
export type TouchedFields = ReadonlySet<string> | 'all'

/** Returns the problems of touched fields, of what is inside them and of what holds them. */
export function filterTouched(
  problems: readonly TextProblem[],
  touched: TouchedFields,
): readonly TextProblem[] {
  if (touched === 'all') return problems
  const fields = [...touched]
  return problems.filter(({ field }) =>
    fields.some((one) => one === field || isInside(one, field) || isInside(field, one)),
  )
}

/** Returns whether a field, as a dotted path, is a part of another one. */
export function isInside(inner: string, outer: string): boolean {
  return outer !== '' && (inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`))
}
