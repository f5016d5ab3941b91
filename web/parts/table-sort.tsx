import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import { classNames } from './class-names.ts'
import { CONTROL } from './field.tsx'
import { sortRows, type SortKey } from './sort-rows.ts'
import { Table, type Column } from './table.tsx'

/** A column by which the rows of a table can be sorted, if it has a key. */
export interface SortedColumn<Row> extends Column<Row> {
  sort?: SortKey<Row>
}

interface SortedTableProps<Row> {
  /** The accessible name of the table. */
  label: string
  columns: readonly SortedColumn<Row>[]
  rows: readonly Row[]
  getKey: (row: Row) => string
  /** The name of a column, with a minus for the other direction; empty = as the rows come. */
  sort: string
  /** Undefined = the rows cannot be sorted. */
  onSort: ((sort: string) => void) | undefined
  /** Shows at most this many rows, after sorting. */
  max?: number
}

/** A table whose rows are sorted by the titles of its columns, on a narrow page by a list. */
export function SortedTable<Row>(props: SortedTableProps<Row>) {
  const { label, columns, rows, getKey, sort, onSort, max = rows.length } = props
  const keys = columns.flatMap(({ sort: key }) =>
    key === undefined || onSort === undefined ? [] : [key],
  )
  return (
    <>
      {onSort !== undefined && <SortChoice keys={keys} sort={sort} onSort={onSort} />}
      <Table
        label={label}
        columns={onSort === undefined ? columns : columns.map((one) => toHead(one, sort, onSort))}
        rows={sortRows(rows, keys, sort).slice(0, max)}
        getKey={getKey}
      />
    </>
  )
}

interface SortChoiceProps {
  keys: readonly Pick<SortKey<never>, 'name' | 'titles'>[]
  sort: string
  onSort: (sort: string) => void
}

// A narrow page has no heads of columns.
function SortChoice({ keys, sort, onSort }: SortChoiceProps) {
  return (
    <label className="flex items-center gap-2 border-b border-line px-4 py-2 text-sm sm:hidden">
      <span className="whitespace-nowrap">Sort by</span>
      <select
        className={classNames(CONTROL, 'h-8')}
        value={sort}
        onChange={({ target }) => onSort(target.value)}
      >
        <option value="">Usual order</option>
        {keys.map(({ name, titles }) => (
          <optgroup key={name} label={titles[0]}>
            <option value={name}>{titles[1]}</option>
            <option value={`-${name}`}>{titles[2]}</option>
          </optgroup>
        ))}
      </select>
    </label>
  )
}

function toHead<Row>(
  column: SortedColumn<Row>,
  sort: string,
  onSort: (sort: string) => void,
): Column<Row> {
  const { sort: key, title } = column
  if (key === undefined) return column
  const { name, titles } = key
  const sorted = sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined
  const Icon = sorted === undefined ? ChevronsUpDown : sorted === 'ascending' ? ArrowUp : ArrowDown
  const next = sorted === 'ascending' ? `-${name}` : name
  return {
    ...column,
    sorted,
    head: (
      <button
        type="button"
        title={`Sort: ${sorted === 'ascending' ? titles[2] : titles[1]}`}
        className="-mx-1 inline-flex min-h-6 items-center gap-1 rounded px-1 font-medium hover:bg-hover hover:text-ink"
        onClick={() => onSort(next)}
      >
        {title}
        <Icon size={13} aria-hidden className={sorted === undefined ? 'text-faint' : ''} />
      </button>
    ),
  }
}
