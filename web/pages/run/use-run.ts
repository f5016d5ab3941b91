import { useEffect, useRef } from 'react'
import { api, type Answer } from '../../api/client.ts'
import type { Run } from '../../api/runs.ts'
import { useRefresh } from '../../shell/action.ts'

/** The integration that a run belongs to. */
export type RunIntegration = Answer<'/ui/integrations/{externalId}', 'get'>

/** The ids of a run. */
export interface RunName {
  externalId: string
  ingestionRunId: string
}

const POLL_MS = 1000

/** Returns the polling interval for the data of a run. */
export function getPollInterval(isRunning: boolean): number | false {
  return isRunning ? POLL_MS : false
}

/** Loads a run, and polls it every second until it ends. */
export function useRun(name: RunName) {
  return api.useQuery(
    'get',
    '/api/integrations/ingest/{externalId}/runs/{ingestionRunId}',
    { params: { path: { ...name } } },
    {
      staleTime: 0,
      select: (run): Run | undefined => run ?? undefined,
      // Polling continues while the server is unreachable.
      refetchInterval: ({ state }) => getPollInterval(state.data?.status === 'RUNNING'),
    },
  )
}

/** The integration of a run. */
export function useIntegration(externalId: string) {
  return api.useQuery('get', '/ui/integrations/{externalId}', { params: { path: { externalId } } })
}

/** Reloads all data once a run has ended: it changed counts of assets and the integration too. */
export function useLastLook({ status }: Run): void {
  const refresh = useRefresh()
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'RUNNING' && status !== 'RUNNING') void refresh('everything')
    before.current = status
  }, [status, refresh])
}
