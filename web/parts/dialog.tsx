import type { ConfirmDialogProps, DialogProps } from './floating-dialog.tsx'
import { FromFirstOpen } from './from-first-open.tsx'
import { newFloatingChunk, takePart } from './lazy-part.ts'

const floating = newFloatingChunk(() => import('./floating-dialog.tsx'))
const DialogWindow = takePart(floating, (module) => module.DialogWindow)
const ConfirmWindow = takePart(floating, (module) => module.ConfirmWindow)

/** A task on top of the page. Escape and the veil close it. */
export function Dialog(props: DialogProps) {
  return (
    <FromFirstOpen isOpen={props.open}>
      <DialogWindow {...props} />
    </FromFirstOpen>
  )
}

/** Asks before something that matters. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <FromFirstOpen isOpen={props.open}>
      <ConfirmWindow {...props} />
    </FromFirstOpen>
  )
}
