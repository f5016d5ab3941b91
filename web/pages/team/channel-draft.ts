import type { Schemas } from '../../api/client.ts'
import { proposeId } from '../../parts/propose-id.ts'

/** A notification channel of a team. */
export type Channel = Schemas['NotificationChannel']

/** The names of the chat systems. */
export const CHANNEL_TITLES: Readonly<Record<Channel['type'], string>> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  googlechat: 'Google Chat',
}

/** The chat systems in the order of the form. */
export const CHANNEL_OPTIONS = (['slack', 'teams', 'googlechat'] as const).map((value) => ({
  value,
  label: CHANNEL_TITLES[value],
}))

/** Returns the part of a webhook address that is not secret. */
export function getOrigin(endpoint: string): string {
  return URL.canParse(endpoint) ? new URL(endpoint).origin : endpoint
}

/** Proposes an id for a new channel that no other channel of the team has. */
export function proposeChannelId(name: string, existing: readonly Channel[]): string {
  const taken = new Set(existing.map(({ id }) => id))
  const first = proposeId(name) || 'channel'
  let id = first
  for (let number = 2; taken.has(id); number += 1) id = `${first}-${number}`
  return id
}
