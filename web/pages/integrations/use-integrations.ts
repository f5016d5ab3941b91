import { api, type Answer } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import type { Filter } from './filters.tsx'

/** An integration of the list. */
export type ListedIntegration = Answer<'/api/integrations/ingest', 'get'>[number]

const POLL_MS = 2000
const IDLE_POLL_MS = 30_000

/** Loads a page of integrations with the filters that the server applies. */
export function useIntegrations({ owner, source, enabled, p }: Filter) {
  const sources = useSources()
  const knownSource = sources.data?.find((one) => one.source === source)?.source
  return api.useQuery(
    'get',
    '/api/integrations/ingest',
    {
      params: {
        query: {
          ...(owner === '' ? {} : { owningTeamExternalId: owner }),
          ...(knownSource === undefined ? {} : { source: knownSource }),
          ...(enabled === 'true' || enabled === 'false' ? { enabled: enabled === 'true' } : {}),
          ...(/^\d{1,6}$/.test(p) ? { p: Number(p) } : {}),
        },
      },
    },
    {
      // An unknown platform in the address filters nothing.
      enabled: source === '' || !sources.isPending,
      refetchInterval: ({ state }) => {
        const isAnyRunning = state.data?.some(({ latestRun }) => latestRun?.status === 'RUNNING')
        return isAnyRunning === true ? POLL_MS : IDLE_POLL_MS
      },
    },
  )
}

/** Returns whether the last run of an integration is in a state; empty = any. */
export function isInState({ latestRun }: ListedIntegration, state: string): boolean {
  if (state === '') return true
  if (state === 'never') return latestRun === null
  if (state === 'held') return latestRun?.heldState === 'pending'
  return latestRun?.status === state
}
