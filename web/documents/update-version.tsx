import { Suspense, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import type { Editing } from './use-editing.ts'

const UpdateDialog = takePart(
  newFloatingChunk(() => import('./update-dialog.tsx')),
  (module) => module.UpdateDialog,
)

/** Updates a stored document to the newest version of its standard; nothing if it has it. */
export function UpdateVersion({ editing }: { editing: Editing }) {
  const { kind, stored, checked } = editing
  const [isOpen, setOpen] = useState(false)
  const value = checked.result?.value
  const version = value === undefined ? undefined : kind.getNewerVersion?.(value)
  if (stored === undefined || value === undefined || version === undefined) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Update to {version}</Button>
      {isOpen && (
        <Suspense fallback={null}>
          <UpdateDialog {...{ editing, value, version }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
