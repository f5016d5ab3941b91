import { queryOptions, useQuery } from '@tanstack/react-query'
import { client, type Schemas } from './client.ts'

/** A team of the API. */
export type Team = Schemas['Team']

const PAGE_TEAMS = 1000
// An organization with more teams than this sees the first ones.
const PAGES_MAX = 20

/** All teams of the organization, sorted by name. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  staleTime: 30_000,
  async queryFn({ signal }): Promise<Team[]> {
    const teams: Team[] = []
    for (let page = 0; page < PAGES_MAX; page += 1) {
      // Pages follow each other: only one that is full has another behind it.
      // oxlint-disable-next-line no-await-in-loop
      const { data } = await client.GET('/api/teams', { params: { query: { p: page } }, signal })
      teams.push(...(data ?? []))
      if ((data ?? []).length < PAGE_TEAMS) break
    }
    return teams.toSorted((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id))
  },
})

/** All teams of the organization, sorted by name; undefined until they are known. */
export function useTeams(): readonly Team[] | undefined {
  return useQuery(teamsQuery).data
}
