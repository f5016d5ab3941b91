/** Scopes of listings, for all connectors. */

import { isPartialFailure, type Scope } from './connector.ts'

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

/**
 * Lists a database or catalog with the scopes inside of it. If they cannot be listed, it is denied: `explain` returns
 * the reason, or throws an error that affects other databases too.
 */
export async function* listContainer(
  own: Omit<Scope, 'decision' | 'message'>,
  inner: AsyncIterable<Scope>,
  explain: (error: unknown) => string,
): AsyncGenerator<Scope> {
  const scopes: Scope[] = []
  try {
    for await (const scope of inner) scopes.push(scope)
  } catch (error) {
    const { details: _, ...denied } = own
    yield { ...denied, decision: 'denied', message: explain(error) }
    return
  }
  yield { ...own, decision: 'included' }
  yield* scopes
}

/** Returns the message of a missing privilege. Errors: any other error. */
export function requirePermissionMessage(error: unknown): string {
  if (isPartialFailure(error) && error.kind === 'permission') return error.message
  throw error
}
