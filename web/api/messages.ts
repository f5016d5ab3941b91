/**
 * The sentences in which the pages report errors: one entry for every code of a problem answer. What
 * the server writes into `detail` is for programs; here people read what happened and what to do.
 */

import { paths } from '../paths.ts'
import { forPeople } from './for-people.ts'
import { DIRECTORY_MESSAGES } from './directory-messages.ts'
import { IDENTITY_MESSAGES } from './identity-messages.ts'
import type { components } from './openapi.ts'
import { askPeople, describePermission, OWNERS_ONLY } from './permission-words.ts'
import { REALITY_MESSAGES } from './reality-messages.ts'
import { idAt, kindAt, placeAt } from './request-place.ts'
import { waitText } from './wait-text.ts'

type ProblemAnswer = components['schemas']['Problem']

/** Names an error for programs. */
export type ProblemCode = ProblemAnswer['code']

/** The parts of a problem answer that messages use. */
export type ProblemFacts = Partial<
  Pick<
    ProblemAnswer,
    'permission' | 'team' | 'roles' | 'people' | 'precondition' | 'unknownTeam' | 'type' | 'advice'
  >
> & {
  detail: string
  /** The path of the request: `/api/dataproducts/x`. */
  instance: string
  violationCount: number
  retryAfterSeconds?: number | undefined
}

/** A link or a change that helps to go on. */
export interface ProblemAction {
  label: string
  href: string
}

/** An error in words. */
export interface Message {
  /** The event, without a full stop. */
  title: string
  /** The next step, in full sentences; empty if the title suffices. */
  message: string
  action?: ProblemAction
}

type Write = (facts: ProblemFacts) => Message

const SIGNED_OUT: Write = () => ({
  title: 'You were signed out',
  message: 'Sign in again to continue. Nothing that you typed on this page is lost.',
})
const BUSY: Write = (facts) => ({ title: 'The server is busy', message: tryAgain(facts) })
const RELOAD: Write = () => ({
  title: 'This page does not match the server',
  message: 'Portbook was probably updated. Reload the page and try again.',
})
const READ_ONLY: Write = (facts) => ({
  title: 'Nothing can be saved right now',
  message: `Portbook is being updated. Reading still works. ${tryAgain(facts)}`,
})

const INVALID: Write = ({ unknownTeam, violationCount, detail }) => {
  if (unknownTeam !== undefined && violationCount <= 1) return describeUnknownTeam(unknownTeam)
  return {
    title: 'This cannot be saved yet',
    message: violationCount > 0 ? '' : forPeople(detail, 'Check what you entered.'),
  }
}

/** The message of every code. */
export const MESSAGES: Readonly<Record<ProblemCode, Write>> = {
  request_malformed: RELOAD,
  request_too_slow: () => ({
    title: 'The connection is too slow',
    message: 'What you sent did not arrive in time. Try again.',
  }),
  headers_too_large: () => ({
    title: 'The request is too large',
    message: 'Clear the cookies of this site, sign in and try again.',
  }),
  credentials_missing: SIGNED_OUT,
  credentials_unknown: SIGNED_OUT,
  credentials_expired: SIGNED_OUT,
  request_forged: () => ({
    title: 'The browser sent this from another address',
    message: 'Open Portbook at its own address and try again.',
  }),
  too_many_requests: (facts) => ({ title: 'Too many requests', message: tryAgain(facts) }),
  overloaded: BUSY,
  upload_budget_exceeded: BUSY,
  store_unavailable: (facts) => ({
    title: 'The database cannot be reached',
    message: `Nothing was saved. ${tryAgain(facts)}`,
  }),
  unknown_address: RELOAD,
  not_found: ({ detail }) => ({
    title: 'Not found',
    message: forPeople(detail, 'It may have been deleted, or it belongs to another organization.'),
  }),
  method_not_allowed: RELOAD,
  read_only_key: () => ({
    title: 'This key is read-only',
    message: 'Use a key that may make changes.',
  }),
  member_suspended: ({ detail }) => ({
    title: 'Your account is suspended',
    message: forPeople(detail, 'Ask an owner of the organization.'),
  }),
  not_a_member: () => ({
    title: 'You are not a member of this organization',
    message: 'Choose another organization, or ask one of its owners for an invitation.',
  }),
  session_limited: ({ detail }) => ({
    title: 'This is not possible in this session',
    message: forPeople(detail, 'Sign in with your password to do this.'),
  }),
  provider_required: () => ({
    title: 'Sign in with your company account',
    message: 'This organization requires its identity provider.',
  }),
  schema_newer: READ_ONLY,
  schema_older: READ_ONLY,
  outcome_unknown: () => ({
    title: 'It is unknown whether this was saved',
    message: 'The connection to the database was lost while it was being saved. Reload to check.',
  }),
  store_read_only: (facts) => ({
    title: 'Nothing can be saved right now',
    message: `The database accepts no changes at the moment. Reading still works. ${tryAgain(facts)}`,
  }),
  store_full: () => ({
    title: 'Nothing can be saved: the disk of the server is full',
    message: 'Reading still works. Contact the operator of this installation.',
  }),
  id_unusable: () => ({
    title: 'This id cannot be used',
    message:
      'An id has at most 256 characters and no slash, line break or other control character. It is not a web address.',
  }),
  event_unknown: RELOAD,
  query_invalid: ({ unknownTeam, detail }) =>
    unknownTeam === undefined
      ? {
          title: 'This address is not valid',
          message: forPeople(detail, 'Check what was typed in the address.'),
        }
      : describeUnknownTeam(unknownTeam),
  media_type_unsupported: RELOAD,
  body_too_large: ({ instance }) => ({
    title: 'The document is too large',
    message:
      kindAt(instance) === 'data contract'
        ? 'A data contract has at most 5 MiB. Split it into smaller ones.'
        : 'A document has at most 1 MiB. Split it into smaller ones.',
  }),
  body_malformed: () => ({
    title: 'The text cannot be read',
    message: 'It is not valid JSON or YAML.',
  }),
  body_unacceptable: ({ detail }) => ({
    title: 'The text cannot be accepted',
    message: forPeople(detail, 'Check the source.'),
  }),
  permission_missing: describeMissingPermission,
  precondition_failed: describePrecondition,
  document_invalid: INVALID,
  validation_failed: INVALID,
  document_too_costly: () => ({
    title: 'The document is too complex',
    message:
      'Split it into smaller documents, reduce references and nesting, or write it in JSON, which is read much faster than YAML.',
  }),
  format_unsupported: () => ({
    title: 'The version of the document is not supported',
    message: 'Write it in a version that the guide on drafts lists.',
  }),
  format_ended: ({ type = '' }) => {
    const isContract = type.includes('dcs-to-odcs')
    return {
      title: `${isContract ? 'DCS' : 'DPS'} documents are no longer accepted`,
      message: `Convert it to ${isContract ? 'ODCS' : 'ODPS'} first.`,
      action: {
        label: 'How to convert',
        href: paths.guide(isContract ? 'dcs-to-odcs' : 'dps-to-odps'),
      },
    }
  },
  in_use: ({ advice, detail }) => ({
    title: 'Still in use',
    message: advice ?? forPeople(detail, 'Something else depends on it.'),
  }),
  last_owner: () => ({
    title: 'An organization needs an owner',
    message: 'Make another member an owner first.',
  }),
  last_break_glass: () => ({
    title: 'A break-glass owner is needed',
    message: 'Make another owner a break-glass owner first, or allow any way to sign in.',
  }),
  invalid_state: ({ detail }) => ({
    title: 'This is not possible now',
    message: forPeople(detail, 'Reload the page to see the current state.'),
  }),
  ...REALITY_MESSAGES,
  change_breaking: () => ({
    title: 'The change is breaking',
    message: 'Review what it breaks and confirm it.',
  }),
  run_in_progress: () => ({
    title: 'A run is in progress',
    message: 'Wait until it ends, or cancel it.',
  }),
  id_taken: () => ({ title: 'The id is taken', message: 'Choose another id.' }),
  already_member: ({ detail }) => ({
    title: 'Already a member',
    message: forPeople(detail, 'This person is a member already.'),
  }),
  settings_malformed: INVALID,
  roles_missing: () => ({
    title: 'At least one role is needed',
    message: 'Add a role, or use the default roles.',
  }),
  role_exceeds_own: () => ({
    title: 'You cannot give or take away this role',
    message: 'It allows more than you may do in this team. Ask a person who may do all of it.',
  }),
  role_in_use: ({ advice, detail }) => ({
    title: 'Members have a role that is missing',
    message: advice ?? forPeople(detail, 'Add the role, or give these members other roles first.'),
  }),
  limit_reached: ({ detail }) => ({
    title: 'Limit reached',
    message: forPeople(detail, 'Delete something that is no longer needed.'),
  }),
  member_elsewhere: ({ detail }) => ({
    title: 'A member of another organization',
    message: forPeople(detail, 'This person is a member of another organization, too.'),
  }),
  ...IDENTITY_MESSAGES,
  ...DIRECTORY_MESSAGES,
  internal: () => ({
    title: 'Something went wrong on the server',
    message: 'Try again. If it happens again, contact the operator.',
  }),
}

/** Describes a team that does not exist, and teams that may be meant. */
export function describeUnknownTeam({
  id,
  suggestions = [],
}: NonNullable<ProblemFacts['unknownTeam']>): Message {
  // A typed name adds nothing; the ID does.
  const names = suggestions.map((team) =>
    team.name === id ? `${team.name} (id ${team.id})` : team.name,
  )
  const last = names.at(-1)
  const first = names.slice(0, -1).join(', ')
  const message =
    last === undefined
      ? 'Choose an existing team, or create it first.'
      : `Did you mean ${first === '' ? last : `${first} or ${last}`}?`
  return {
    title: `There is no team "${id}"`,
    message,
    action: { label: 'Create a team', href: paths.newTeam() },
  }
}

function describeMissingPermission(facts: ProblemFacts): Message {
  const { permission, team, people = [], detail } = facts
  const names = people.map(({ name }) => name)
  if (permission !== undefined) {
    const teamName = team === undefined || team === null ? team : (team.name ?? team.id)
    const advice =
      team === undefined ? 'Ask an owner of your team for this role.' : askPeople(names)
    return {
      title: describePermission(permission, teamName, facts.roles),
      message: advice,
    }
  }
  if (team === null) return { title: OWNERS_ONLY.replace(/\.$/, ''), message: askPeople(names) }
  return {
    title: 'You cannot do this',
    message: forPeople(detail, 'Ask an owner of the organization.'),
  }
}

function describePrecondition({ precondition, instance }: ProblemFacts): Message {
  const id = idAt(instance)
  const kind = kindAt(instance)
  if (precondition === 'exists') {
    const href = id === undefined ? undefined : placeAt(instance)?.getPage(id)
    return {
      title: id === undefined ? 'It exists already' : `The id "${id}" is taken`,
      message: 'Choose another, or open the existing one.',
      ...(href === undefined
        ? {}
        : { action: { label: `Open the existing ${kind ?? 'one'}`, href } }),
    }
  }
  if (precondition === 'missing') {
    return {
      title: `This ${kind ?? 'item'} was deleted in the meantime`,
      message: 'Your changes were not saved.',
    }
  }
  return {
    title: 'Changed by another person',
    message: 'Nothing was overwritten. Load the current version and make your changes again.',
  }
}

function tryAgain({ retryAfterSeconds }: ProblemFacts): string {
  return retryAfterSeconds === undefined
    ? 'Try again in a moment.'
    : `Try again in ${waitText(retryAfterSeconds)}.`
}
