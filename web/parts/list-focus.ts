import { useEffect, useRef, type RefObject } from 'react'

/**
 * Moves the focus when rows of a list are added or removed. `ref` goes to the element around the list, whose rows
 * have the attribute `data-item` and whose button that adds a row has `data-add`. Call `focusNext` right before
 * the change: with `last`, the first field of the new row gets the focus once the row is on the page; with `add`,
 * the button gets it at once, because the focus would be lost together with the removed row.
 */
export function useListFocus<Container extends HTMLElement = HTMLElement>(
  count: number,
): [ref: RefObject<Container | null>, focusNext: (target: 'last' | 'add') => void] {
  const ref = useRef<Container>(null)
  const isRowExpected = useRef(false)
  const countBefore = useRef(count)
  useEffect(() => {
    if (countBefore.current === count) return
    countBefore.current = count
    if (!isRowExpected.current) return
    isRowExpected.current = false
    const row = [...(ref.current?.querySelectorAll('[data-item]') ?? [])].at(-1)
    const control =
      row?.querySelector<HTMLElement>('input, textarea') ??
      row?.querySelector<HTMLElement>('summary, button')
    control?.focus()
  }, [count])
  const focusNext = (target: 'last' | 'add'): void => {
    isRowExpected.current = target === 'last'
    if (target === 'add') ref.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  return [ref, focusNext]
}
