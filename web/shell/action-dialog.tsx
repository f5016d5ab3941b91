import type { LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, type ButtonLook } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { useAction, type ActionOptions } from './action.ts'

interface ActionDialogProps<Result> extends ActionOptions<Result> {
  title: string
  /** The label of the button that starts the action: `Delete API key`. */
  button: string
  danger?: boolean
  onClose: () => void
  /** The consequences, and whether they can be undone. */
  children: ReactNode
}

/** Asks before an action that matters, starts it, and shows its problem. The dialog closes after success. */
export function ActionDialog<Result>(props: ActionDialogProps<Result>) {
  const { title, button, danger = false, onClose, children, ...options } = props
  const action = useAction({
    ...options,
    onSuccess(result: Result) {
      // The dialog holds the focus until it is closed.
      onClose()
      return options.onSuccess?.(result)
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      action={button}
      danger={danger}
      busy={action.isPending}
      problem={action.problem}
      onConfirm={() => action.run()}
    >
      {children}
    </ConfirmDialog>
  )
}

interface ActionButtonProps<Result> extends Omit<ActionDialogProps<Result>, 'onClose'> {
  /** The label of the button that opens the dialog. */
  label: string
  icon?: LucideIcon
  look?: ButtonLook
  /** Why it cannot be used; undefined = it can. */
  reason?: string | undefined
}

/** A button that starts an action after asking. */
export function ActionButton<Result>(props: ActionButtonProps<Result>) {
  const { label, icon, look = 'secondary', reason, ...dialog } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look={look} icon={icon} reason={reason} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <ActionDialog {...dialog} onClose={() => setOpen(false)} />}
    </>
  )
}
