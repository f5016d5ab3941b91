import { api, type Answer } from '../../api/client.ts'
import type { Schemas } from '../../api/client.ts'
import type { IntegrationForm } from './integration-draft.ts'

/** A run of an integration. */
export type Run = NonNullable<Schemas['IngestionRun']>

const LOOK_MS = 2000
const REST_MS = 30_000
const STRIP_RUNS = 30

/** An integration as it is shown and changed; looked at more often while a run is on its way. */
export function useIntegration(externalId: string) {
  return api.useQuery(
    'get',
    '/ui/integrations/{externalId}',
    { params: { path: { externalId } } },
    { refetchInterval: ({ state }) => (isRunning(state.data) ? LOOK_MS : REST_MS) },
  )
}

function isRunning(form: IntegrationForm | undefined): boolean {
  return form?.latestRun?.status === 'RUNNING'
}

/** A state that a run can be asked for by. */
export type RunState = Run['status']

/** The last runs of an integration, newest first. */
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
    { refetchInterval: isLive ? LOOK_MS : REST_MS },
  )
}

/** The last runs in all states, for the strip. */
export function useLastRuns(externalId: string, isLive: boolean) {
  return api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs',
    { params: { path: { externalId }, query: { limit: STRIP_RUNS } } },
    { refetchInterval: isLive ? LOOK_MS : REST_MS },
  )
}

/** How many assets an integration has brought; undefined = not known yet. */
export function useAssetCount(externalId: string): number | undefined {
  const { data } = api.useQuery('get', '/ui/assets/roots', {}, { staleTime: 30_000 })
  const found: Answer<'/ui/assets/roots', 'get'>[number] | undefined = data?.find(
    ({ integrationExternalId }) => integrationExternalId === externalId,
  )
  return data === undefined ? undefined : (found?.assetCount ?? 0)
}
