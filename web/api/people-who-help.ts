import { api } from './client.ts'
import { askPeople } from './permission-words.ts'
import type { Lack } from './session.ts'

const STALE_MS = 300_000

/** Loads the names of people who can help with a right that a person lacks; undefined until they are known. */
export function useHelpers(lack: Lack | undefined): readonly string[] | undefined {
  const { data } = api.useQuery(
    'get',
    '/ui/helpers',
    { params: { query: lack ?? {} } },
    { enabled: lack !== undefined, staleTime: STALE_MS },
  )
  return data?.people.map(({ name }) => name)
}

/** Loads the people to ask for a right: `Ask Ada Lindqvist or Jonas Weber.`; empty until it is known. */
export function useAdvice(lack: Lack | undefined): string {
  const people = useHelpers(lack)
  return people === undefined ? '' : askPeople(people)
}
