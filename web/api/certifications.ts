import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from './client.ts'

/** A certification of the organization, which its tag gives to data products. */
export interface Certification {
  id: string
  name: string
  tag: string
}

/** All certifications of the organization, the highest rank first. */
export const certificationsQuery = queryOptions({
  queryKey: ['certifications'],
  staleTime: 60_000,
  async queryFn({ signal }): Promise<Certification[]> {
    const { data = [] } = await client.GET('/api/certifications', { signal })
    return data.flatMap(({ id, name, tag }) => (typeof id === 'string' ? [{ id, name, tag }] : []))
  },
})

const NONE: readonly Certification[] = []

/** All certifications of the organization, the highest rank first; none until they are known. */
export function useCertifications(isNeeded = true): readonly Certification[] {
  return useQuery({ ...certificationsQuery, enabled: isNeeded }).data ?? NONE
}
