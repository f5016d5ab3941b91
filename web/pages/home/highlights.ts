import type { Schemas } from '../../api/client.ts'

type Group = Schemas['ActivityGroup']

/**
 * Returns the latest groups without those whose every change is among the breaking ones: these are
 * listed above them.
 */
export function withoutRepetitions<One extends Pick<Group, 'minute' | 'actor' | 'total'>>(
  latest: readonly One[],
  breaking: readonly One[],
): One[] {
  const getKey = ({ minute, actor, total }: One): string => `${minute} ${total} ${actor}`
  const listed = new Set(breaking.map(getKey))
  return latest.filter((group) => !listed.has(getKey(group)))
}
