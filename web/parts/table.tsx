import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A column of a table of `Row`s. */
export interface Column<Row> {
  title: string
  /** Numbers stand to the right. */
  align?: 'left' | 'right'
  /** Further classes of its cells, for widths. */
  className?: string
  cell: (row: Row) => ReactNode
}

interface TableProps<Row> {
  /** What the table shows, for who cannot see the page. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
}

/** A table. The first column heads its rows. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div className="overflow-x-auto" role="region" aria-label={label} tabIndex={0}>
      <table className="w-full min-w-lg border-collapse text-left">
        <thead>
          <tr className="border-b border-line text-sm text-muted">
            {columns.map(({ title, align, className }) => (
              <th
                key={title}
                scope="col"
                className={classNames(
                  'px-4 py-2 font-medium whitespace-nowrap',
                  align === 'right' && 'text-right',
                  className,
                )}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className="border-b border-line last:border-0 hover:bg-hover/60">
              {columns.map(({ title, align, className, cell }, at) => {
                const look = classNames(
                  'px-4 py-2 align-top',
                  align === 'right' && 'text-right',
                  className,
                )
                return at === 0 ? (
                  <th key={title} scope="row" className={classNames('font-normal', look)}>
                    {cell(row)}
                  </th>
                ) : (
                  <td key={title} className={look}>
                    {cell(row)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
