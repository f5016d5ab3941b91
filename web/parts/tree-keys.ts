import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

interface Walked {
  level: number
  hasChildren: boolean
  isOpen: boolean
}

/** The effect of a key in a tree: the index of the row to move to, or an action on this row. */
type TreeMove = number | 'toggle' | 'choose' | undefined

const LEAP_ROWS = 10

/** Returns the effect of a key on a row, by the conventions of trees; undefined for none. */
export function getTreeMove(key: string, rows: readonly Walked[], at: number): TreeMove {
  const row = rows[at]
  if (row === undefined) return undefined
  const last = rows.length - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(at + 1, last)
    case 'ArrowUp':
      return Math.max(at - 1, 0)
    case 'PageDown':
      return Math.min(at + LEAP_ROWS, last)
    case 'PageUp':
      return Math.max(at - LEAP_ROWS, 0)
    case 'Home':
      return 0
    case 'End':
      return last
    case 'ArrowRight':
      if (!row.hasChildren) return undefined
      return row.isOpen ? at + 1 : 'toggle'
    case 'ArrowLeft':
      return row.hasChildren && row.isOpen ? 'toggle' : getParent(rows, at)
    case 'Enter':
      return 'choose'
    default:
      return undefined
  }
}

function getParent(rows: readonly Walked[], at: number): number | undefined {
  const level = rows[at]?.level ?? 1
  for (let above = at - 1; above >= 0; above -= 1) {
    if ((rows[above]?.level ?? 1) < level) return above
  }
  return undefined
}

/** The indexes to keep on the page: those in view, and the row that has the focus wherever it is. */
export function listKeptRows(range: Range, active: number): number[] {
  const seen = defaultRangeExtractor(range)
  if (active >= range.count || seen.includes(active)) return seen
  return active < range.startIndex ? [active, ...seen] : [...seen, active]
}
