import { ownPath } from '../../../formats/name/own-path.ts'
import type { findStartedSignIn } from '../../api/provider-sign-in.ts'
import { paths } from '../../paths.ts'

/**
 * Returns the page on which a sign-in that failed can be started again: the one where it began, and the sign-in page if
 * that is not kept. Undefined = only the link of an invitation starts it.
 */
export function getStartPage(
  started: ReturnType<typeof findStartedSignIn>,
  origin: string,
): string | undefined {
  if (started === undefined) return paths.signIn()
  const next = ownPath(started.next, origin)
  if (started.kind === 'invitation') return undefined
  if (started.kind !== 'sign-in') return next
  // The person chooses the way: the provider would fail at once with the same account.
  return paths.signIn(next === paths.home ? undefined : next, { again: 'yes' })
}
