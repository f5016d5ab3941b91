import { useEffect, useRef, type RefObject } from 'react'

/**
 * Moves the focus when a list grows or shrinks: to what was added, or to the button for a new one when
 * something is removed together with the button that removes it. `ref` goes to what holds the list:
 * its items carry `data-item`, its button for a new one `data-add`.
 */
export function useListFocus<Place extends HTMLElement = HTMLElement>(
  count: number,
): [ref: RefObject<Place | null>, expect: (what: 'last' | 'add') => void] {
  const ref = useRef<Place>(null)
  const isAwaited = useRef(false)
  const counted = useRef(count)
  useEffect(() => {
    if (counted.current === count) return
    counted.current = count
    if (!isAwaited.current) return
    isAwaited.current = false
    const last = [...(ref.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])].at(-1)
    const inside =
      last?.querySelector<HTMLElement>('input') ??
      last?.querySelector<HTMLElement>('summary, button')
    inside?.focus()
  }, [count])
  const expect = (what: 'last' | 'add'): void => {
    isAwaited.current = what === 'last'
    // The button always exists, so the focus is never lost while the list changes.
    if (what === 'add') ref.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return [ref, expect]
}
