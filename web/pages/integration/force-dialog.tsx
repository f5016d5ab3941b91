import { ConfirmDialog } from '../../parts/dialog.tsx'

interface ForceProps {
  open: boolean
  onClose: () => void
  busy: boolean
  onConfirm: () => void
}

/** Asks before a run that takes an empty source for what it is. */
export function ForceDialog({ open, onClose, busy, onConfirm }: ForceProps) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Run, also when the source is empty?"
      action="Run it so"
      busy={busy}
      onConfirm={onConfirm}
    >
      <p>
        A source that suddenly shows nothing usually means a lost privilege or a wrong database, so
        a run fails then and deletes nothing. A schema or database that is no longer listed is kept
        for 14 days. This run deletes what the source does not show.
      </p>
      <p>
        Many deletes at once are still held until a person confirms them, also those that were
        rejected before.
      </p>
    </ConfirmDialog>
  )
}
