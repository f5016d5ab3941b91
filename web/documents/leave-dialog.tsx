import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'

interface LeaveDialogProps {
  /** Asks, whenever the page is to be left, whether there is something to lose. */
  hasChanges: () => boolean
  onDiscard: () => void
}

/** Asks before a page with unsaved changes is left. */
export function LeaveDialog({ hasChanges, onDiscard }: LeaveDialogProps) {
  // The next page may take a moment, in which the person must not be asked again.
  const isLeaving = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      !isLeaving.current && current.pathname !== next.pathname && hasChanges(),
    enableBeforeUnload: hasChanges,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  const leave = (): void => {
    isLeaving.current = true
    blocker.proceed()
  }
  return (
    <Dialog
      open
      onClose={blocker.reset}
      title="Leave without saving?"
      description="You can keep your changes as a draft in this tab."
    >
      <footer className="flex flex-wrap justify-end gap-2">
        <Button onClick={blocker.reset}>Stay</Button>
        <Button
          look="danger"
          onClick={() => {
            onDiscard()
            leave()
          }}
        >
          Discard and leave
        </Button>
        <Button look="primary" onClick={leave}>
          Keep draft and leave
        </Button>
      </footer>
    </Dialog>
  )
}
