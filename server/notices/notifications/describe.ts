import { describeIncident } from '../../ledger/incidents/describe.ts'
import { INCIDENT_KINDS } from '../../ledger/incidents/incident.ts'
import { describeEnd, joinSentences } from './describe-end.ts'
import { describeRemovedParts, describeSince, mentionDeprecatedParts } from './describe-parts.ts'
import type { NotificationKind } from './kinds.ts'
import type { NotificationTarget, ShownNotification, StoredNotification } from './notification.ts'
import { NotificationFacts, type DescribedNotification } from './notification-facts.ts'
import { newTable } from '../../../formats/name/table.ts'

// The sentences of notifications, in one place for the page, e-mails and chat messages. Names and texts of users are
// untrusted: each medium escapes them.

/** The texts of a notification. */
export interface NotificationText {
  /** One line. */
  title: string
  /** One or two sentences. */
  detail: string
  target: NotificationTarget
}

const NAMES_CHARACTERS_MAX = 200
const SEARCH_CHARACTERS_MAX = 150

/** Builds the texts of a notification. */
export function describeNotification(notification: DescribedNotification): NotificationText {
  const { kind } = notification
  return { ...SENTENCES[kind](new NotificationFacts(notification)), target: toTarget(notification) }
}

/** Builds the reason for which a person gets a notification, a sentence. */
export function describeReason(reason: string): string {
  return REASONS[reason] ?? 'It concerns you.'
}

/** Converts a stored notification for the page. */
export function toShownNotification(
  notification: StoredNotification,
  actorName: string | undefined,
): ShownNotification {
  const { id, kind, reason, occurredAt, readAt } = notification
  const text = describeNotification({ ...notification, actorName })
  return { id, kind, ...text, because: describeReason(reason), occurredAt, readAt }
}

const REASONS = newTable<string>({
  approver: 'You can approve access to the data of the team.',
  consumer: 'Your team reads it.',
  following: 'You follow it, or the team that owns it.',
  owner: 'Your team owns it.',
  mentioned: 'Your team is mentioned.',
  'organization-owner': 'You own the organization.',
  requester: 'You requested it.',
  'key-owner': 'It is your key.',
})

type Sentence = (facts: NotificationFacts) => Omit<NotificationText, 'target'>

const SENTENCES: Readonly<Record<NotificationKind, Sentence>> = {
  breaking_change: (facts) => ({
    title: `Breaking change of ${facts.name}`,
    detail: joinSentences(
      `Version ${facts.number('version') ?? '?'} of the ${facts.called}, written${facts.byActor}, can break consumers.`,
      describeRemovedParts(facts),
      mentionDeprecatedParts(facts),
    ),
  }),
  deprecation: describeEnd,
  deleted: (facts) => ({
    title: `${facts.name} was deleted`,
    detail: joinSentences(
      `The ${facts.called} was deleted${facts.byActor}.`,
      describeSince(facts) && `Its deprecation was announced ${describeSince(facts)}.`,
    ),
  }),
  incident: (facts) => {
    const title = describeIncident({
      kind: INCIDENT_KINDS.find((kind) => kind === facts.text('incident')) ?? 'test',
      name: facts.name,
      contractVersion: facts.text('contractVersion') ?? null,
      server: facts.text('server') ?? '',
    })
    return facts.text('action') === 'resolved'
      ? { title: `Resolved: ${title}`, detail: facts.text('because') ?? 'The cause is gone.' }
      : { title, detail: describeChecks(facts) ?? 'See the data contract for the cause.' }
  },
  mention: (facts) => ({
    title: `${facts.actor} mentioned ${describeTeams(facts.list('teams'))}`,
    detail:
      facts.text('quote') === undefined
        ? `In the description of the ${facts.called} ${facts.name}.`
        : `"${facts.text('quote')}"`,
  }),
  search_match: (facts) => {
    const count = facts.number('count') ?? 0
    const names = facts.list('names')
    const more = count - names.length
    const search = clip(facts.search, SEARCH_CHARACTERS_MAX)
    const listed = clip(names.join(', '), NAMES_CHARACTERS_MAX)
    return {
      title: `${count} new ${count === 1 ? 'result' : 'results'} for ${search === '' ? 'a search that you follow' : `the search ${search}`}`,
      detail: `${listed}${more > 0 ? ` and ${more} more` : ''}`,
    }
  },
  run_failed: (facts) => ({
    title: `A run of ${facts.name} failed`,
    detail: facts.text('message') ?? 'See the log of the run for the reason.',
  }),
  deletes_held: (facts) => {
    const count = facts.number('count') ?? 0
    return {
      title: `${facts.name}: ${count} ${count === 1 ? 'delete' : 'deletes'} held for confirmation`,
      detail:
        'More than usual is missing from the source. Confirm the deletes, or keep the assets.',
    }
  },
  key_expiring: (facts) => ({
    title: `API key "${facts.name}" expires`,
    detail: `It works until the end of ${facts.text('expiresOn') ?? 'its last day'} (UTC). Replace it, then delete it when it is no longer used.`,
  }),
  access_requested: (facts) => ({
    title: `${facts.text('consumer') ?? facts.actor} requests access to ${facts.name}`,
    detail: facts.text('purpose') ?? 'Approve or reject the request.',
  }),
  access_decided: (facts) => ({
    title: ['withdrawn', 'deleted'].includes(facts.text('decision') ?? '')
      ? `The request for access to ${facts.name} was ${facts.text('decision')}`
      : `Access to ${facts.name} was ${facts.text('decision') ?? 'decided'}`,
    detail:
      (['ended', 'withdrawn', 'deleted'].includes(facts.text('decision') ?? '')
        ? facts.text('endReason')
        : facts.text('reason')) ?? `For ${facts.text('consumer') ?? 'your team'}${facts.byActor}.`,
  }),
  access_expiring: (facts) =>
    facts.text('decision') === 'reassess'
      ? {
          title: `Access to ${facts.name} is due for review`,
          detail: `Check whether ${facts.text('consumer') ?? 'the consumer'} still needs it.`,
        }
      : {
          title: `Access to ${facts.name} ends on ${facts.text('endsOn') ?? 'its last day'}`,
          detail: `${facts.text('consumer') ?? 'The consumer'} cannot read the data afterwards. Renew the access if it is still needed.`,
        },
  provisioning_failed: (facts) => ({
    title: `Access to ${facts.name} could not be ${facts.text('decision') === 'revoke' ? 'revoked' : 'provisioned'}`,
    detail: facts.text('message') ?? `For ${facts.text('consumer') ?? 'the consumer'}.`,
  }),
  webhook_disabled: (facts) => ({
    title: `The webhook ${facts.name} was disabled`,
    detail: facts.text('message') ?? 'Its deliveries kept failing. Check it, then enable it again.',
  }),
}

const TEAMS_NAMED_MAX = 3

function describeTeams(teams: readonly string[]): string {
  const named = teams.slice(0, TEAMS_NAMED_MAX).map((team) => `@${team}`)
  const more = teams.length - named.length
  if (named.length === 0) return 'your team'
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function describeChecks(facts: NotificationFacts): string | undefined {
  const [checks, passed] = [facts.number('checks'), facts.number('passed')]
  if (facts.text('result') === 'error') return 'The test ended with an error.'
  if (checks === undefined || passed === undefined) return undefined
  return `${checks - passed} of ${checks} checks did not pass.`
}

function toTarget({
  kind,
  subjectKind,
  subjectId,
  data,
}: DescribedNotification): NotificationTarget {
  const { version, runId, resultId } = data
  const base = {
    id: subjectId,
    subjectKind,
    version: typeof version === 'number' ? version : null,
    runId: typeof runId === 'string' ? runId : null,
  }
  if (kind === 'deleted' || data['isDeleted'] === true) return null
  if (kind === 'incident' && data['action'] !== 'resolved' && typeof resultId === 'string') {
    return { ...base, kind: 'test-result', id: resultId }
  }
  switch (subjectKind) {
    case 'data-product':
    case 'data-contract':
    case 'team':
    case 'search':
    case 'access':
    case 'webhook':
      return { ...base, kind: subjectKind }
    case 'integration':
      return { ...base, kind: base.runId === null ? 'integration' : 'run' }
    case 'api-key':
      return { ...base, kind: 'api-keys' }
    default:
      return { ...base, kind: 'record' }
  }
}

function clip(text: string, charactersMax: number): string {
  const characters = Array.from(text)
  return characters.length > charactersMax
    ? `${characters.slice(0, charactersMax).join('')}…`
    : text
}
