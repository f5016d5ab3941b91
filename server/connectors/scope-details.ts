import type { Scope } from './connector.ts'

/** The maximum length of one detail; a longer text is truncated. */
export const DETAIL_CHARACTERS_MAX = 8000

/** Creates the details of a scope from the values that the listing has. */
export function toDetails(
  values: Readonly<Record<string, string | null | undefined>>,
): Pick<Scope, 'details'> {
  const details = Object.entries(values).flatMap(([name, value]) =>
    value ? [[name, value.slice(0, DETAIL_CHARACTERS_MAX)] as const] : [],
  )
  return details.length === 0 ? {} : { details: Object.fromEntries(details) }
}

/** Returns a detail of a scope; undefined if the listing has none. */
export function getDetail({ details }: Pick<Scope, 'details'>, name: string): string | undefined {
  return details?.[name]
}
