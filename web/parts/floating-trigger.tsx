import { useLayoutEffect, type RefCallback, type RefObject } from 'react'

interface BorrowedTriggerProps {
  element: RefObject<HTMLButtonElement | null>
  /** Given by the trigger. */
  ref?: RefCallback<HTMLButtonElement>
}

/**
 * Makes an element that the page rendered before the trigger of what floats beside it:
 * `<Radix.Trigger asChild><BorrowedTrigger element={anchor} /></Radix.Trigger>`. The element handles its events.
 */
export function BorrowedTrigger({ element, ref }: BorrowedTriggerProps) {
  useLayoutEffect(() => {
    ref?.(element.current)
    return () => void ref?.(null)
  }, [element, ref])
  return null
}
