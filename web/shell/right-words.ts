import { joinWith } from '../api/permission-words.ts'
import { mayOwn, type Session } from '../api/session.ts'
import { capitalize } from '../parts/capitalize.ts'
import type { PageReaders } from './page-rights.ts'

/** The readers of a thing or of a list. */
interface Hiding {
  seenBy: PageReaders
  /** Owners of the organization, who can help; undefined = not known yet. */
  owners: readonly string[] | undefined
}

/**
 * Explains why a person may miss elements of a list of `things` (`integrations`); undefined = they see all of it. The sentence is true whether or
 * not there are any.
 */
export function describeHidden(
  session: Session,
  { things, seenBy, owners }: Hiding & { things: string },
): string | undefined {
  if (seesEverything(session, seenBy)) return undefined
  const helpers = owners === undefined || owners.length === 0 ? undefined : joinWith('or', owners)
  const Things = capitalize(things)
  switch (seenBy) {
    case 'members of its team': {
      if (session.teams.length === 0) {
        const addition = helpers === undefined ? '' : `; ${helpers} can add you`
        return `${Things} belong to teams. You are in none of them${addition}.`
      }
      const addition = helpers === undefined ? '' : `; ${helpers} can add you to other teams`
      return `${Things} are visible to the team that owns them. You see those of ${nameTeams(session)}${addition}.`
    }
    case 'owners of its team':
      return `${Things} are visible to owners of their team and of the organization.${ask(helpers)}`
    case 'owners of the organization':
      return `Only owners of the organization see ${things}.${ask(helpers)}`
    case 'the person and owners':
      return `You see your own ${things} and those of teams that you own; owners of the organization see all.`
    case 'the person':
      return `You see only your own ${things}.`
    case 'visitors':
    case 'everyone':
      return undefined
  }
}

function ask(helpers: string | undefined): string {
  return helpers === undefined ? '' : ` Ask ${helpers}.`
}

/** Returns whether the explanation names people who can help. */
export function namesHelpers(seenBy: PageReaders): boolean {
  return seenBy.endsWith('of its team') || seenBy === 'owners of the organization'
}

const TEAMS_NAMED_MAX = 3

function nameTeams({ teams }: Session): string {
  const names = teams.map(({ name }) => name)
  return joinWith(
    'and',
    names.length > TEAMS_NAMED_MAX
      ? [...names.slice(0, TEAMS_NAMED_MAX - 1), `${names.length - TEAMS_NAMED_MAX + 1} more teams`]
      : names,
  )
}

function seesEverything(session: Session, seenBy: PageReaders): boolean {
  return mayOwn(session).allowed && seenBy !== 'the person'
}

const HIDDEN_FROM: Readonly<Partial<Record<PageReaders, string>>> = {
  'members of its team': 'it belongs to a team that you are not in',
  'owners of its team': 'it is visible only to owners of its team and of the organization',
  'owners of the organization': 'it is visible only to owners of the organization',
  'the person and owners': 'it belongs to another person or team',
  'the person': 'it belongs to another person',
}

/** Describes a thing that cannot be shown, in words that are true if it is gone and if the person may not see it. */
export function describeMissing(session: Session, { seenBy, owners = [] }: Hiding): string {
  const hidden = seesEverything(session, seenBy) ? undefined : HIDDEN_FROM[seenBy]
  const elsewhere =
    session.organizations.length > 1 ? 'it belongs to another organization' : undefined
  const reasons = [hidden, elsewhere].filter((reason) => reason !== undefined)
  const reason = reasons.length === 0 ? 'the address is wrong' : reasons.join(', or ')
  const advice =
    hidden === undefined || owners.length === 0 ? '' : ` Ask ${joinWith('or', owners)}.`
  return `It may have been deleted, or ${reason}.${advice}`
}
