import { useVirtualizer, type Range } from '@tanstack/react-virtual'
import type { RefObject } from 'react'
import { listKeptRows } from './tree-keys.ts'

/** The rows that are on the page, and where. */
interface ShownRows {
  /** `start` is the position of a row in pixels; undefined to follow the previous row. */
  shown: readonly { index: number; start?: number }[]
  /** The total height in pixels; undefined for that of the shown rows. */
  height: number | undefined
  /** Takes the element of each row; undefined = none needs to be measured. */
  measure: ((element: HTMLElement | null) => void) | undefined
  scrollToIndex: (index: number) => void
}

const ROW_PX = 37
// From this many rows on, only what is in view is on the page.
const ROWS_WHOLE_MAX = 100

/** Chooses the rows of a tree that are put on the page; `active`, the row with the focus, always is. */
export function useShownRows(
  place: RefObject<HTMLDivElement | null>,
  rows: readonly { key: string }[],
  active: number,
): ShownRows {
  const isLong = rows.length > ROWS_WHOLE_MAX
  // oxlint-disable-next-line react/incompatible-library -- what it returns goes to no memoized part
  const virtualizer = useVirtualizer({
    enabled: isLong,
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => ROW_PX,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 12,
    rangeExtractor: (range: Range) => listKeptRows(range, active),
    // A scroll need not stop until the rows are drawn.
    useFlushSync: false,
  })
  const { scrollToIndex } = virtualizer
  // A short tree lays itself out.
  if (!isLong) {
    const shown = rows.map((_, index) => ({ index }))
    return { shown, height: undefined, measure: undefined, scrollToIndex }
  }
  return {
    shown: virtualizer.getVirtualItems(),
    height: virtualizer.getTotalSize(),
    measure: virtualizer.measureElement,
    scrollToIndex,
  }
}
