import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A column of a table of `Row`s. */
export interface Column<Row> {
  title: string
  /** The head instead of the title, such as a button that sorts. */
  head?: ReactNode
  sorted?: 'ascending' | 'descending' | undefined
  /** Numbers are right-aligned. */
  align?: 'left' | 'right'
  /** Further classes of its cells, for widths. */
  className?: string
  /** The actions of a row; on narrow screens they are beside the name, without a title. */
  isAction?: boolean
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  /** The accessible name of the table. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  getKey: (row: Row) => string
}

/**
 * A table. The first column heads its rows. On a narrow screen a row becomes a list of its cells, each
 * with the title of its column.
 */
export function Table<Row>({ label, columns, rows, getKey }: TableProps<Row>) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full border-collapse text-left max-sm:block sm:min-w-lg">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-line text-sm text-muted">
            {columns.map(({ title, head, sorted, align, className }, at) => (
              <th
                // Titles may repeat: columns can be named by people.
                key={`${at} ${title}`}

                scope="col"
                aria-sort={sorted}
                className={classNames(
                  'px-4 py-2 font-medium whitespace-nowrap',
                  align === 'right' && 'text-right',
                  className,
                )}
              >
                {head ?? title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {rows.map((row) => (
            <tr
              key={getKey(row)}

              className="relative border-b border-line last:border-0 hover:bg-hover/60 max-sm:grid max-sm:gap-1 max-sm:px-4 max-sm:py-2.5"
            >
              {columns.map((column, at) => (
                <Cell key={`${at} ${column.title}`} column={column} row={row} isHead={at === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

// What a column asks for its width holds only where there are columns.
const NARROW = 'max-sm:min-w-0! max-sm:max-w-none! max-sm:p-0! max-sm:whitespace-normal!'

interface CellProps<Row> {
  column: Column<Row>
  row: Row
  isHead: boolean
}

function Cell<Row>({ column, row, isHead }: CellProps<Row>) {
  const { title, align, className, isAction = false, cell } = column
  const look = classNames(
    'px-4 py-2 align-top',
    align === 'right' && 'figures sm:text-right',
    NARROW,
    className,
  )
  if (isHead) {
    return (
      <th scope="row" className={classNames('font-normal max-sm:pr-10!', look)}>
        {cell(row)}
      </th>
    )
  }
  if (isAction) {
    return (
      <td className={classNames('max-sm:absolute max-sm:top-1 max-sm:right-2', look)}>
        <div className="sm:-my-1 sm:-mr-2">{cell(row)}</div>
      </td>
    )
  }
  return (
    <td
      className={classNames(
        'max-sm:grid max-sm:grid-cols-[8rem_minmax(0,1fr)] max-sm:items-baseline max-sm:gap-x-2',
        look,
      )}
    >
      <span aria-hidden className="text-sm text-muted sm:hidden">
        {title}
      </span>
      <div className="min-w-0">{cell(row)}</div>
    </td>
  )
}
