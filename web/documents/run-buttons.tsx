import { CircleStop } from 'lucide-react'
import { client, readBody, type Answer } from '../api/client.ts'
import { Button } from '../parts/button.tsx'
import { paths } from '../paths.ts'
import { useAction, type Refresh } from '../shell/action.ts'

/** Returns the start of a run of an integration, which opens the page of the run. */
export function toRunStart(externalId: string) {
  return {
    request: (body: { kind: 'ingest' | 'preview'; force: boolean }) =>
      readBody(
        client.POST('/ui/integrations/{externalId}/run', {
          params: { path: { externalId } },
          body,
        }),
      ),
    goTo: (run: StartedRun) =>
      run === null ? undefined : paths.run(externalId, run.ingestionRunId),
    problemAsNotice: true,
    refresh: EXCEPT_CHANGE_SETS,
    refreshAfterError: EXCEPT_CHANGE_SETS,
  }
}

type StartedRun = Answer<'/ui/integrations/{externalId}/run', 'post'>

/** The data that a run changes: the change set of a finished run is final, and may be large. */
export const EXCEPT_CHANGE_SETS: Refresh = [
  { predicate: ({ queryKey }) => !String(queryKey[1]).endsWith('/changes') },
]

interface CancelRunButtonProps {
  externalId: string
  /** Why the person cannot cancel it; undefined = they can. */
  reason: string | undefined
}

/** Cancels the run of an integration that is in progress. */
export function CancelRunButton({ externalId, reason }: CancelRunButtonProps) {
  const params = { path: { externalId } }
  const cancel = useAction({
    request: () => client.POST('/api/integrations/ingest/{externalId}/cancel', { params }),
    problemAsNotice: true,
    refresh: 'everything',
  })
  // The run ends a moment after it was cancelled.
  const isCancelled = cancel.isPending || cancel.isDone
  return (
    <Button icon={CircleStop} reason={reason} busy={isCancelled} onClick={() => cancel.run()}>
      <span aria-live="polite">{isCancelled ? 'Cancelling…' : 'Cancel run'}</span>
    </Button>
  )
}
