import type { ReactNode } from 'react'
import { api, type Answer } from '../api/client.ts'
import { TiersProvider } from '../parts/classification.tsx'
import type { ClassificationTier } from '../parts/classification-tiers.ts'

const STALE_MS = 5 * 60 * 1000
const NO_TIERS: readonly ClassificationTier[] = []

/** Provides the tiers of the organization's classification schemes to the classifications below it. */
export function ClassificationsProvider({ children }: { children: ReactNode }) {
  const { data: tiers = NO_TIERS } = api.useQuery(
    'get',
    '/api/classification-schemes',
    {},
    { staleTime: STALE_MS, select: toTiers },
  )
  return <TiersProvider tiers={tiers}>{children}</TiersProvider>
}

function toTiers(schemes: Answer<'/api/classification-schemes', 'get'>): ClassificationTier[] {
  return schemes.flatMap(({ name: scheme, classifications }) =>
    (classifications ?? []).map(({ externalId: id, name, level, colorScheme, description }) => ({
      id,
      name,
      level: level ?? undefined,
      color: colorScheme ?? undefined,
      description: description ?? undefined,
      scheme,
    })),
  )
}
