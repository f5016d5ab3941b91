import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { CircleStop, Play, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import type { Run } from '../../api/runs.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { useCorrection } from './use-correction.ts'
import type { RunIntegration, RunName } from './use-run.ts'

interface ActionsProps {
  name: RunName
  run: Run
  integration: RunIntegration
}

/** The actions on a run: cancel it, undo it, or start another. */
export function RunActions({ name, run, integration }: ActionsProps) {
  const session = useSession()
  const { reason } = may(session, 'INGESTION_EDIT', integration.owningTeamExternalId)
  if (run.status === 'RUNNING') return <CancelButton name={name} reason={reason} />
  return (
    <>
      {run.kind !== 'preview' && <UndoButton name={name} run={run} reason={reason} />}
      <RunButton name={name} isPreview={run.kind === 'preview'} reason={reason} />
    </>
  )
}

function CancelButton({ name, reason }: { name: RunName; reason: string | undefined }) {
  const showToast = useToast()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const cancel = api.useMutation('post', '/api/integrations/ingest/{externalId}/cancel', {
    onError(error) {
      setAsked(false)
      showToast(toProblem(error).summary, 'critical')
    },
    onSuccess: () => queries.invalidateQueries(),
  })
  return (
    <Button
      icon={CircleStop}
      reason={reason}
      busy={isAsked}
      onClick={() => {
        setAsked(true)
        cancel.mutate({ params: { path: { externalId: name.externalId } } })
      }}
    >
      <span aria-live="polite">{isAsked ? 'Cancelling…' : 'Cancel run'}</span>
    </Button>
  )
}

interface UndoProps {
  name: RunName
  run: Run
  reason: string | undefined
}

function UndoButton({ name, run, reason }: UndoProps) {
  const correction = useCorrection(name)
  const changed = run.assetsCreated + run.assetsUpdated + run.assetsDeleted
  const why =
    run.status !== 'SUCCESS'
      ? 'This run published nothing.'
      : changed === 0
        ? 'This run changed nothing.'
        : reason
  return (
    <>
      <Button icon={Undo2} reason={why} onClick={() => correction.ask('undo')}>
        Undo
      </Button>
      <ConfirmDialog
        open={correction.asked === 'undo'}
        onClose={correction.close}
        title="Undo this run?"
        action="Undo run"
        busy={correction.isPending}
        problem={correction.problem}
        onConfirm={correction.decide}
      >
        <p>
          Created assets are deleted, updated assets get their previous version back, and deleted
          assets are restored. Assets that a later run has changed are left alone. The undo is a run
          too, and can be undone.
        </p>
        <p>
          The next run reads the source again and can make the same changes. Fix the source or the
          filters first if they are the cause.
        </p>
      </ConfirmDialog>
    </>
  )
}

interface RunButtonProps {
  name: RunName
  isPreview: boolean
  reason: string | undefined
}

function RunButton({ name, isPreview, reason }: RunButtonProps) {
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const start = api.useMutation('post', '/ui/integrations/{externalId}/run', {
    async onSuccess(run) {
      await queries.invalidateQueries({
        predicate: ({ queryKey }) => !String(queryKey[1]).endsWith('/changes'),
      })
      if (run !== null) router.history.push(paths.run(name.externalId, run.ingestionRunId))
    },
    onError: (error) => showToast(toProblem(error).summary, 'critical'),
  })
  return (
    <Button
      look="primary"
      icon={Play}
      reason={reason}
      busy={start.isPending}
      onClick={() =>
        start.mutate({
          params: { path: { externalId: name.externalId } },
          body: { kind: 'ingest', force: false },
        })
      }
    >
      {isPreview ? 'Run now' : 'Run again'}
    </Button>
  )
}
