import { Suspense, useState, type ReactNode } from 'react'

/** Renders what floats above the page from the first time that it is open. */
export function FromFirstOpen({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return wasOpen && <Suspense fallback={null}>{children}</Suspense>
}
