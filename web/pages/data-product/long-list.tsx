import { useState, type ReactNode } from 'react'
import { Button } from '../../parts/button.tsx'

const STEP = 25

interface LongListProps<Item> {
  items: readonly Item[]
  getKey: (item: Item) => string
  children: (item: Item) => ReactNode
}

/** A list that shows its first items, and more on demand. */
export function LongList<Item>({ items, getKey, children }: LongListProps<Item>) {
  const [max, setMax] = useState(STEP)
  const rest = items.length - max
  return (
    <>
      <ul className="grid grid-cols-1 gap-4 empty:hidden">
        {items.slice(0, max).map((item, at) => (
          <li
            key={`${getKey(item)} ${at}`}
            className="grid grid-cols-1 gap-2 border-b border-line pb-4 last:border-0 last:pb-0"
          >
            {children(item)}
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="mt-4">
          <Button onClick={() => setMax(max + STEP)}>Show {Math.min(rest, STEP)} more</Button>
          <span className="ml-3 text-muted">{rest} are not shown yet.</span>
        </p>
      )}
    </>
  )
}
