import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

interface LeaveQuestionProps {
  onStay: () => void
  onKeep: () => void
  onDiscard: () => void
}

/** The question what to do with unsaved changes. */
export function LeaveQuestion({ onStay, onKeep, onDiscard }: LeaveQuestionProps) {
  return (
    <Dialog
      open
      onClose={onStay}
      title="Leave without saving?"
      description="You can keep your changes as a draft in this tab."
    >
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={onStay}>Stay</Button>
        <Button look="danger" onClick={onDiscard}>
          Discard and leave
        </Button>
        <Button look="primary" onClick={onKeep}>
          Keep draft and leave
        </Button>
      </footer>
    </Dialog>
  )
}
