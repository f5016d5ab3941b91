import { ConfirmDialog } from '../../parts/dialog.tsx'

interface ForceProps {
  open: boolean
  onClose: () => void
  busy: boolean
  onConfirm: () => void
}

/** Confirms a run that accepts an empty source. */
export function ForceDialog({ open, onClose, busy, onConfirm }: ForceProps) {
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title="Run even if the source is empty?"
      action="Run anyway"
      busy={busy}
      onConfirm={onConfirm}
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
    </ConfirmDialog>
  )
}
