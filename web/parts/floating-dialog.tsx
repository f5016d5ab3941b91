import { X } from 'lucide-react'
import { AlertDialog, Dialog as Radix } from 'radix-ui'
import { useRef, type ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { ProblemNotice, type ShownProblem } from './notice.tsx'

const VEIL = 'fixed inset-0 z-40 animate-appear bg-black/45'
const BOX =
  'fixed left-1/2 top-[12vh] z-40 animate-appear max-h-[80vh] w-[calc(100vw-2rem)] -translate-x-1/2 overflow-y-auto rounded-lg border border-line bg-raised shadow-raised'

/**
 * Gives the focus back to what had it before a dialog without a trigger of its own opened: the two
 * listeners belong on the dialog's content.
 */
export function useFocusBack() {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus: () => {
      const { activeElement } = document
      opener.current = activeElement instanceof HTMLElement ? activeElement : null
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const { activeElement } = document
      // What a task ends with may have taken the focus already: it does not go back then.
      if (activeElement === null || activeElement === document.body) opener.current?.focus()
    },
  }
}

// Escape in an open list closes only the list.
function keepOpenForList(event: KeyboardEvent): void {
  const { target } = event
  if (!(target instanceof Element)) return
  if (target.matches('[role=combobox][aria-expanded=true]')) event.preventDefault()
}

/** The contents of a task on top of the page. */
export interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  wide?: boolean
  children: ReactNode
}

/** The window of a dialog. */
export function DialogWindow({
  open,
  onClose,
  title,
  description,
  wide = false,
  children,
}: DialogProps) {
  const focusBack = useFocusBack()
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <Radix.Overlay data-veil className={VEIL} />
        <Radix.Content
          {...focusBack}
          onEscapeKeyDown={keepOpenForList}
          className={classNames(BOX, wide ? 'max-w-3xl' : 'max-w-lg')}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <header className="border-b border-line py-3 pr-14 pl-5">
            <Radix.Title className="text-lg">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="text-muted">{description}</div>
              </Radix.Description>
            )}
          </header>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 py-4">{children}</div>
          {/* Last, so that the focus begins at the task and not at the way out of it. */}
          <Radix.Close asChild>
            <IconButton
              label="Close"
              icon={X}
              iconSize={16}
              className="absolute! top-2.5 right-3"
            />
          </Radix.Close>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** A question before something that matters. */
export interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  title: string
  /** The consequences, and whether they can be undone. */
  children: ReactNode
  /** The label of the button: `Delete API key`. */
  action: string
  danger?: boolean
  busy?: boolean
  /** Why the action failed. */
  problem?: ShownProblem | undefined
  onConfirm: () => void
}

/** The window of a question. */
export function ConfirmWindow(props: ConfirmDialogProps) {
  const { open, onClose, title, children, action, problem, onConfirm } = props
  const { danger = false, busy = false } = props
  const focusBack = useFocusBack()
  return (
    <AlertDialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay data-veil className={VEIL} />
        <AlertDialog.Content {...focusBack} className={classNames(BOX, 'max-w-md p-5')}>
          <AlertDialog.Title className="user-text text-lg">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-1 grid gap-3 text-muted">
              {children}
              <ProblemNotice problem={problem} />
            </div>
          </AlertDialog.Description>
          <footer className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button>Cancel</Button>
            </AlertDialog.Cancel>
            <Button look={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
              {action}
            </Button>
          </footer>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
