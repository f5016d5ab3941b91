import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { useListFocus } from './list-focus.ts'

interface RowListProps<Row> {
  title: string
  hint?: string
  rows: readonly Row[]
  addLabel: string
  newRow: Row
  onChange: (rows: readonly Row[]) => void
  /** Renders a row; `set` replaces it. */
  children: (row: Row, at: number, actions: RowActions<Row>) => ReactNode
}

interface RowActions<Row> {
  set: (row: Row) => void
  remove: () => void
}

/** A list in a form whose rows can be added, changed and removed. */
export function RowList<Row>(props: RowListProps<Row>) {
  const { title, hint, rows, addLabel, newRow, onChange, children } = props
  const [place, focusNext] = useListFocus<HTMLFieldSetElement>(rows.length)
  const add = (): void => {
    focusNext('last')
    onChange([...rows, newRow])
  }
  const remove = (at: number): void => {
    focusNext('add')
    onChange(rows.toSpliced(at, 1))
  }
  return (
    <fieldset ref={place} className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">{title}</legend>
      {hint !== undefined && <p className="text-sm text-muted">{hint}</p>}
      <ul className="grid gap-2 empty:hidden">
        {rows.map((row, at) => (
          <li key={`${at}`} data-item className="grid gap-1">
            {children(row, at, {
              set: (next) => onChange(rows.with(at, next)),
              remove: () => remove(at),
            })}
          </li>
        ))}
      </ul>
      <Button data-add className="justify-self-start" icon={Plus} onClick={add}>
        {addLabel}
      </Button>
    </fieldset>
  )
}
