import { toRunStart } from '../../documents/run-buttons.tsx'
import { ActionDialog } from '../../shell/action-dialog.tsx'

interface ForceProps {
  externalId: string
  onClose: () => void
}

/** Confirms a run that accepts an empty source. */
export function ForceDialog({ externalId, onClose }: ForceProps) {
  const { request, ...start } = toRunStart(externalId)
  return (
    <ActionDialog
      {...start}
      request={() => request({ kind: 'ingest', force: true })}
      title="Run even if the source is empty?"
      button="Run anyway"
      onClose={onClose}
    >
      <p>
        A source that suddenly shows nothing usually means a lost privilege or a wrong database, so
        a run normally fails and deletes nothing, and a schema that is no longer listed is kept for
        14 days. This run deletes everything that the source does not show.
      </p>
      <p>
        Many deletes at once are still held until a person confirms them, including those that were
        rejected before.
      </p>
    </ActionDialog>
  )
}
