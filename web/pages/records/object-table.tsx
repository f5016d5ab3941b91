import type { ObjectShape } from '../../../formats/shape/shape.ts'
import { getField, type Value } from '../../../formats/text/value.ts'
import { toLabel } from '../../documents/shape-fields.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { ValueView } from '../../parts/value-view.tsx'

const ROWS_SHOWN_MAX = 100

interface ObjectTableProps {
  label: string
  items: readonly Value[]
  /** The shape of an item. */
  shape: ObjectShape
}

/** Objects of one shape, each in a row: the tiers of a classification scheme. Fields that no item has are left out. */
export function ObjectTable({ label, items, shape }: ObjectTableProps) {
  const rows = items.slice(0, ROWS_SHOWN_MAX).map((item, at) => ({ item, at }))
  const hasValue = (name: string): boolean =>
    rows.some(({ item }) => (getField(item, name) ?? null) !== null)
  const columns = [...shape.fields.keys()].filter(hasValue).map(createColumn)
  return (
    <>
      <Table label={label} columns={columns} rows={rows} getKey={({ at }) => String(at)} />
      {items.length > rows.length && (
        <p className="text-muted">and {items.length - rows.length} more in the source</p>
      )}
    </>
  )
}

interface Row {
  item: Value
  /** Its position in the list. */
  at: number
}

function createColumn(name: string): Column<Row> {
  return {
    title: toLabel(name),
    cell: ({ item }) => {
      const value = getField(item, name) ?? null
      if (value === null) return null
      // Wide enough for a word, which would break otherwise.
      return (
        <div className={typeof value === 'string' ? 'min-w-24' : ''}>
          <ValueView value={value} />
        </div>
      )
    },
  }
}
