import { api, type Answer } from '../../api/client.ts'
import type { Run } from '../../api/runs.ts'
import type { IntegrationForm } from './integration-draft.ts'

const POLL_MS = 2000
const IDLE_POLL_MS = 30_000
const STRIP_RUNS = 30

/** Loads an integration, and polls it more often while a run is in progress. */
export function useIntegration(externalId: string) {
  return api.useQuery(
    'get',
    '/ui/integrations/{externalId}',
    { params: { path: { externalId } } },
    { refetchInterval: ({ state }) => (isRunning(state.data) ? POLL_MS : IDLE_POLL_MS) },
  )
}

function isRunning(form: IntegrationForm | undefined): boolean {
  return form?.latestRun?.status === 'RUNNING'
}

/** The status of a run. */
type RunState = Run['status']

/** Loads the last runs of an integration, newest first. */
export function useRuns(externalId: string, status: RunState | undefined, isLive: boolean) {
  return api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs',
    {
      params: {
        path: { externalId },
        query: { limit: 200, ...(status === undefined ? {} : { status }) },
      },
    },
    { refetchInterval: isLive ? POLL_MS : IDLE_POLL_MS },
  )
}

/** Loads the last runs of any status, for the status strip. */
export function useLastRuns(externalId: string, isLive: boolean) {
  return api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs',
    { params: { path: { externalId }, query: { limit: STRIP_RUNS } } },
    { refetchInterval: isLive ? POLL_MS : IDLE_POLL_MS },
  )
}

/** Returns the number of assets of an integration; undefined = still loading. */
export function useAssetCount(externalId: string): number | undefined {
  const { data } = api.useQuery('get', '/ui/assets/roots', {}, { staleTime: 30_000 })
  const found: Answer<'/ui/assets/roots', 'get'>[number] | undefined = data?.find(
    ({ integrationExternalId }) => integrationExternalId === externalId,
  )
  return data === undefined ? undefined : (found?.assetCount ?? 0)
}
