import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { classNames } from './class-names.ts'

interface VirtualRowsProps<Row> {
  /** The accessible name of the rows. */
  label: string
  rows: readonly Row[]
  getKey: (row: Row, at: number) => string
  /** The estimated height of a row in pixels; each row is measured. */
  rowHeight: number
  children: (row: Row) => ReactNode
  /** Further classes of what scrolls, for its height. */
  className?: string
  /** Keeps the last row in sight as rows are added. */
  follows?: boolean
  /** Called when the reader scrolls away from the last row. */
  onLeaveEnd?: () => void
  /** Called when the last rows are near, to load more. */
  onNearEnd?: (() => void) | undefined
}

const OVERSCAN = 12
const NEAR_ROWS = 30
const END_PIXELS = 48

/** Many rows, of which only those in sight are on the page. Arrow keys and the wheel scroll them. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { label, rows, getKey, rowHeight, children, className, follows = false } = props
  const { onLeaveEnd, onNearEnd } = props
  const place = useRef<HTMLDivElement>(null)
  useLeavingEnd(place, follows, onLeaveEnd)
  // oxlint-disable-next-line react/incompatible-library -- what it returns goes to no memoized part
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => place.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    // A scroll need not stop until the rows are drawn.
    useFlushSync: false,
    getItemKey: (at) => {
      const row = rows[at]
      return row === undefined ? at : getKey(row, at)
    },
  })
  const shown = virtualizer.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (follows && rows.length > 0) virtualizer.scrollToIndex(rows.length - 1, { align: 'end' })
  }, [follows, rows.length, virtualizer])
  useEffect(() => {
    if (lastShown >= rows.length - NEAR_ROWS) onNearEnd?.()
  }, [lastShown, rows.length, onNearEnd])
  return (
    <div
      ref={place}
      role="region"
      aria-label={label}
      tabIndex={0}
      className={classNames('overflow-y-auto overflow-x-hidden', className)}
    >
      <ol className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              className={classNames(
                'absolute inset-x-0 top-0',
                // The container has the border below the last row.
                index === rows.length - 1 && '*:border-b-0',
              )}
              style={{ transform: `translateY(${start}px)` }}
            >
              {children(row)}
            </li>
          )
        })}
      </ol>
    </div>
  )
}

// The reader scrolls only with one of these; the page itself scrolls without them.
const READER_EVENTS = ['wheel', 'keyup', 'touchend', 'pointerup']

function useLeavingEnd(
  place: RefObject<HTMLDivElement | null>,
  follows: boolean,
  onLeaveEnd: (() => void) | undefined,
): void {
  useEffect(() => {
    const box = place.current
    if (box === null || !follows || onLeaveEnd === undefined) return undefined
    const look = (): void => {
      if (box.scrollHeight - box.scrollTop - box.clientHeight > END_PIXELS) onLeaveEnd()
    }
    for (const name of READER_EVENTS) box.addEventListener(name, look)
    return () => {
      for (const name of READER_EVENTS) box.removeEventListener(name, look)
    }
  }, [place, follows, onLeaveEnd])
}
