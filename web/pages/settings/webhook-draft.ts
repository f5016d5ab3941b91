import type { Schemas } from '../../api/client.ts'

/** The input of the form of a webhook endpoint. */
export interface WebhookDraft {
  name: string
  url: string
  /** Empty = the organization. */
  teamId: string
  /** Empty = every team. */
  filterTeamId: string
  /** Whether all events are sent; the chosen ones stay in the form. */
  sendsAll: boolean
  eventTypes: readonly string[]
}

/** Returns the first input of a form: that of an endpoint, or of a new one of a team. */
export function startWebhookDraft(
  webhook: Schemas['Webhook'] | undefined,
  teamId: string,
): WebhookDraft {
  return {
    name: webhook?.name ?? '',
    url: webhook?.url ?? '',
    teamId: webhook?.teamId ?? teamId,
    filterTeamId: webhook?.filterTeamId ?? '',
    sendsAll: (webhook?.eventTypes.length ?? 0) === 0,
    eventTypes: webhook?.eventTypes ?? [],
  }
}

/**
 * Returns the team that the form of a new endpoint chooses first: the one of the address if the person may create
 * webhooks for it, else the organization for its owners, and for others the first team that they manage.
 */
export function chooseFirstTeam(
  teamId: string,
  { isOwner, managed }: { isOwner: boolean; managed: readonly string[] },
): string {
  return isOwner || managed.includes(teamId) ? teamId : (managed[0] ?? '')
}

/** Returns the fields of a request, except the team of a new endpoint. */
export function toWebhookFields(draft: WebhookDraft) {
  const { name, url, filterTeamId, teamId, sendsAll, eventTypes } = draft
  return {
    name,
    url: url.trim(),
    filterTeamId: filterTeamId === '' || teamId !== '' ? null : filterTeamId,
    eventTypes: sendsAll ? [] : [...eventTypes],
  }
}

/** The events about one kind of thing. */
export interface EventGroup {
  /** `Data product`. */
  title: string
  events: readonly { name: string; label: string }[]
}

const ACTION = /(?<=[a-z])(?=(?:Created|Updated|Deleted)Event$)/
// Access agreements have many events, whose names begin with the same word.
const OTHER = /^(Access)/

/** Groups the names of events by what they are about, in their order. */
export function groupEvents(names: readonly string[]): EventGroup[] {
  const parts = names.map((name) => {
    const [subject = '', action = ''] = OTHER.test(name)
      ? ['Access', name.slice('Access'.length)]
      : name.split(ACTION)
    return { name, subject, label: toWords(action.replace(/Event$/, '')) }
  })
  const groups = Map.groupBy(parts, ({ subject }) => subject)
  return [...groups].map(([subject, events]) => ({ title: toWords(subject), events }))
}

function toWords(name: string): string {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
