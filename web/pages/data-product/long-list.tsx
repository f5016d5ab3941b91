import { Fragment, useState, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'

const STEP = 25

interface LongListProps<Item> {
  items: readonly Item[]
  getKey: (item: Item) => string
  /** The number of first items that have to be displayed. */
  shownMin: number
  className: string
  /** Renders an item as `li`. */
  children: (item: Item) => ReactNode
}

/** A list that shows its first items, and more on demand. */
export function LongList<Item>(props: LongListProps<Item>) {
  const { items, getKey, shownMin, className, children } = props
  const [max, setMax] = useState(STEP)
  const shown = Math.max(max, shownMin)
  const rest = items.length - shown
  return (
    <>
      <ul className={className}>
        {items.slice(0, shown).map((item, at) => (
          <Fragment key={`${getKey(item)} ${at}`}>{children(item)}</Fragment>
        ))}
      </ul>
      {rest > 0 && (
        <p className="px-4 py-3">
          <Button onClick={() => setMax(shown + STEP)}>Show {Math.min(rest, STEP)} more</Button>
          <span className="ml-3 text-muted">{rest} are not shown yet.</span>
        </p>
      )}
    </>
  )
}
