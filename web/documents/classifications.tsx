import type { ReactNode } from 'react'
import { api } from '../api/client.ts'
import { TiersProvider } from '../parts/classification.tsx'

const STALE_MS = 5 * 60 * 1000

/** Gives the classifications below it the names, colours and levels of the organization's schemes. */
export function KnownClassifications({ children }: { children: ReactNode }) {
  const { data: schemes } = api.useQuery(
    'get',
    '/api/classification-schemes',
    {},
    { staleTime: STALE_MS },
  )
  const tiers = (schemes ?? []).flatMap(({ name: scheme, classifications }) =>
    (classifications ?? []).map(({ externalId: id, name, level, colorScheme, description }) => ({
      id,
      name,
      level: level ?? undefined,
      color: colorScheme ?? undefined,
      description: description ?? undefined,
      scheme,
    })),
  )
  return <TiersProvider tiers={tiers}>{children}</TiersProvider>
}
