import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { api, type Answer } from '../../api/client.ts'

/** A run as it is now. */
export type Run = NonNullable<
  Answer<'/api/integrations/ingest/{externalId}/runs/{ingestionRunId}', 'get'>
>

/** The integration that a run belongs to. */
export type Integration = Answer<'/ui/integrations/{externalId}', 'get'>

/** Which run is looked at. */
export interface RunName {
  externalId: string
  ingestionRunId: string
}

const LOOK_MS = 1000

/** How often something of a run is looked at again: while it is on its way. */
export function pollOf(isRunning: boolean): number | false {
  return isRunning ? LOOK_MS : false
}

/** A run, looked at every second until it ends. */
export function useRun(name: RunName) {
  return api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs/{ingestionRunId}',
    { params: { path: { ...name } } },
    {
      staleTime: 0,
      select: (run): Run | undefined => run ?? undefined,
      // Also when the server is away for a moment, the next look comes.
      refetchInterval: ({ state }) => pollOf(state.data?.status === 'RUNNING'),
    },
  )
}

/** The integration of a run. */
export function useIntegration(externalId: string) {
  return api.useQuery('get', '/ui/integrations/{externalId}', { params: { path: { externalId } } })
}

/**
 * Looks at everything of a run once more when it has ended, and at what it changed elsewhere: counts
 * of assets, the integration's last run.
 */
export function useLastLook({ status }: Run): void {
  const queries = useQueryClient()
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'RUNNING' && status !== 'RUNNING') void queries.invalidateQueries()
    before.current = status
  }, [status, queries])
}
