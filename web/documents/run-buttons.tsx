import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CircleStop } from 'lucide-react'
import { api } from '../api/client.ts'
import { toProblem } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { useToast } from '../parts/toast.tsx'
import { paths } from '../paths.ts'

/** Starts a run of an integration and opens its page. */
export function useRunStart(externalId: string) {
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const start = api.useMutation('post', '/ui/integrations/{externalId}/run', {
    async onSuccess(run) {
      await queries.invalidateQueries({
        // The change set of a finished run is final, and may be large.
        predicate: ({ queryKey }) => !String(queryKey[1]).endsWith('/changes'),
      })
      if (run !== null) router.history.push(paths.run(externalId, run.ingestionRunId))
    },
    async onError(error) {
      showToast(toProblem(error).summary, 'critical')
      await queries.invalidateQueries()
    },
  })
  return {
    isPending: start.isPending,
    run: (body: { kind: 'ingest' | 'preview'; force: boolean }) =>
      start.mutate({ params: { path: { externalId } }, body }),
  }
}

interface CancelRunButtonProps {
  externalId: string
  /** Why the person cannot cancel it; undefined = they can. */
  reason: string | undefined
}

/** Cancels the run of an integration that is in progress. */
export function CancelRunButton({ externalId, reason }: CancelRunButtonProps) {
  const queries = useQueryClient()
  const showToast = useToast()
  const cancel = api.useMutation('post', '/api/integrations/ingest/{externalId}/cancel', {
    onSuccess: () => queries.invalidateQueries(),
    onError: (error) => showToast(toProblem(error).summary, 'critical'),
  })
  // The run ends a moment after it was cancelled.
  const isCancelled = cancel.isPending || cancel.isSuccess
  return (
    <Button
      icon={CircleStop}
      reason={reason}
      busy={isCancelled}
      onClick={() => cancel.mutate({ params: { path: { externalId } } })}
    >
      <span aria-live="polite">{isCancelled ? 'Cancelling…' : 'Cancel run'}</span>
    </Button>
  )
}
