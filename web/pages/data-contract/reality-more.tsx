import { useState } from 'react'
import { Button } from '../../parts/button.tsx'

/** The number of rows that are shown of a long list, and how it grows. */
interface ShownCount {
  count: number
  hidden: number
  grow: () => void
}

/** Shows a long list step by step. */
export function useShownCount(total: number, step: number): ShownCount {
  const [count, setCount] = useState(step)
  return { count, hidden: Math.max(0, total - count), grow: () => setCount(count + step) }
}

/** The button that shows more of a list; nothing if all of it is shown. */
export function ShowMore({ more }: { more: ShownCount }) {
  if (more.hidden === 0) return null
  return (
    <div className="border-t border-line px-4 py-2">
      <Button onClick={more.grow}>Show {more.hidden} more</Button>
    </div>
  )
}
