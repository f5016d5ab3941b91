import type { EffectivePermission } from '../api/permission-words.ts'
import { may, mayOwn, maySomewhere, type Permit, type SignedIn } from '../api/session.ts'

/**
 * The callers who see what a page is about. `everyone` is every member of the organization; members or owners of a
 * team see what the team owns; people see what belongs to them, and, with `and owners`, what belongs to a team that they
 * own. Owners of the organization see all of it, except what only the person sees.
 */
export type PageReaders =
  | 'visitors'
  | 'everyone'
  | 'members of its team'
  | 'owners of its team'
  | 'owners of the organization'
  | 'the person and owners'
  | 'the person'

/** The right that the action of a page needs. */
export interface PageNeed {
  /** Absent = only owners of the organization may. */
  permission?: EffectivePermission
  /** The action that only they take, within a sentence: `edit policies`. */
  deed?: string
  /** The team on which it is needed; `its team` owns the thing that the page is about, or will own it. */
  on: 'any team' | 'its team' | 'the organization'
  /**
   * The place that states it: `head` is above the first field, `button` is the disabled button of a page that is
   * useful without the right, such as a list.
   */
  statedAt: 'head' | 'button'
}

/** Returns the need of a page on which only owners of the organization do something: `edit policies`. */
export function needOwner(deed: string): PageNeed {
  return { deed, on: 'the organization', statedAt: 'head' }
}

/** Returns the need of a form for something that a team owns. */
export function needOnItsTeam(permission: EffectivePermission): PageNeed {
  return { permission, on: 'its team', statedAt: 'head' }
}

/** Returns the need of a form for which the right on any team suffices. */
export function needOnAnyTeam(permission: EffectivePermission): PageNeed {
  return { permission, on: 'any team', statedAt: 'head' }
}

/** Returns the same need for a page that states it at its button. */
export function atButton(need: PageNeed): PageNeed {
  return { ...need, statedAt: 'button' }
}

/**
 * Returns whether a person may do what a page is for. `team` owns the thing that the page is about: null = no team,
 * undefined = not chosen yet, so that any team suffices.
 */
export function findPagePermit(
  session: SignedIn,
  { permission, deed, on }: PageNeed,
  team: string | null | undefined,
): Permit {
  if (permission === undefined) return mayOwn(session, deed)
  if (on === 'the organization') return may(session, permission, null)
  return on === 'any team' || team === undefined
    ? maySomewhere(session, permission)
    : may(session, permission, team)
}
