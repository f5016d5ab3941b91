import type { Schemas } from '../../api/client.ts'

/** The filter as the address keeps it; empty texts = all. */
export const USUAL_FILTER = { scope: '', team: '', expired: '' }

/** A filter of keys. `team` is the id of a team; `expired` is `yes`, `no` or empty. */
export type KeyFilterState = typeof USUAL_FILTER

/** Returns the keys that match, in their order. */
export function matching(
  keys: readonly Schemas['UiApiKey'][],
  { scope, team, expired }: KeyFilterState,
): Schemas['UiApiKey'][] {
  return keys.filter(
    (key) =>
      (scope === '' || key.scope === scope) &&
      (team === '' || key.teamId === team) &&
      (expired === '' || key.expired === (expired === 'yes')),
  )
}

/** Returns the teams that have keys, by name. */
export function listTeamsWithKeys(
  keys: readonly Schemas['UiApiKey'][],
): { id: string; name: string }[] {
  const names = new Map<string, string>()
  for (const { teamId, teamName } of keys)
    if (teamId !== null) names.set(teamId, teamName ?? teamId)
  return [...names]
    .map(([id, name]) => ({ id, name }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}
