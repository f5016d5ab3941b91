import { Play, Undo2 } from 'lucide-react'
import type { Run } from '../../api/runs.ts'
import { may, useSession } from '../../api/session.ts'
import { CancelRunButton, toRunStart } from '../../documents/run-buttons.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'
import { toCorrection } from './correction.ts'
import type { RunIntegration, RunName } from './use-run.ts'

interface ActionsProps {
  name: RunName
  run: Run
  integration: RunIntegration
}

/** The actions on a run: cancel it, undo it, or start another. */
export function RunActions({ name, run, integration }: ActionsProps) {
  const session = useSession()
  const start = useAction(toRunStart(name.externalId))
  const { reason } = may(session, 'INGESTION_EDIT', integration.owningTeamExternalId)
  if (run.status === 'RUNNING') {
    return <CancelRunButton externalId={name.externalId} reason={reason} />
  }
  return (
    <>
      {run.kind !== 'preview' && run.status === 'SUCCESS' && (
        <ButtonLink href={paths.assets({ integration: name.externalId })}>Open assets</ButtonLink>
      )}
      {run.kind !== 'preview' && <UndoButton name={name} run={run} reason={reason} />}
      <Button
        look="primary"
        icon={Play}
        reason={reason}
        busy={start.isPending}
        onClick={() => start.run({ kind: 'ingest', force: false })}
      >
        {run.kind === 'preview' ? 'Run now' : 'Run again'}
      </Button>
    </>
  )
}

interface UndoProps {
  name: RunName
  run: Run
  reason: string | undefined
}

function UndoButton({ name, run, reason }: UndoProps) {
  const changed = run.assetsCreated + run.assetsUpdated + run.assetsDeleted
  const why =
    run.status !== 'SUCCESS'
      ? 'This run published nothing.'
      : changed === 0
        ? 'This run changed nothing.'
        : reason
  return (
    <ActionButton
      {...toCorrection('undo', name)}
      label="Undo"
      icon={Undo2}
      reason={why}
      title="Undo this run?"
      button="Undo run"
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
    </ActionButton>
  )
}
