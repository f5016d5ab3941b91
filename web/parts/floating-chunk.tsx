import { Suspense, useState, type ReactNode } from 'react'
import { newFloatingChunk } from './lazy-part.ts'

/** The code of dialogs, menus, popovers, tooltips and messages. */
export const floating = newFloatingChunk(() => import('./floating/floating.ts'))

/** Renders what floats above the page from the first time that it is open. */
export function FromFirstOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return wasOpen && <Suspense fallback={null}>{children}</Suspense>
}
