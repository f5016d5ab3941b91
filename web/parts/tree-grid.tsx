import { ChevronRight } from 'lucide-react'
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { classNames } from './class-names.ts'
import { useShownRows } from './shown-rows.ts'
import { getTreeMove } from './tree-keys.ts'

/** A visible row of a tree: those below a closed row are left out. */
export interface TreeRow {
  key: string
  /** Counts from 1. */
  level: number
  hasChildren: boolean
  isOpen: boolean
  /** Its place among the rows of the same parent, from 1, and how many these are. */
  position: number
  setSize: number
}

/** Properties of links and buttons in a cell, so that only those in the focused row are tab stops. */
export interface CellProps {
  tabIndex: 0 | -1
}

/** A column of a tree; the first one carries the tree. */
export interface TreeColumn<Row> {
  title: string
  className?: string
  cell: (row: Row, props: CellProps) => ReactNode
}

interface TreeGridProps<Row extends TreeRow> {
  /** The accessible name of the tree. */
  label: string
  columns: readonly TreeColumn<Row>[]
  rows: readonly Row[]
  /** The columns of a row, from the width at which they are side by side: `sm:grid-cols-[…]`. */
  rowClassName: string
  /** The columns of a row as CSS, for `rowClassName` to use as `var(--tree-columns)`. */
  columnTemplate?: string
  onToggle: (row: Row) => void
  /** Enter and a click on the row. */
  onChoose?: (row: Row) => void
  /** The content below the cells of a row, if any. */
  renderDetail?: (row: Row, props: CellProps) => ReactNode
}

/**
 * A tree of any size. Arrows move, open and close; Home and End lead to its ends; one row is a stop of
 * the Tab key, and from there what is in it.
 */
export function TreeGrid<Row extends TreeRow>(props: TreeGridProps<Row>) {
  const { label, columns, rows, rowClassName, columnTemplate } = props
  const place = useRef<HTMLDivElement>(null)
  const [activeKey, setActiveKey] = useState<string | undefined>(undefined)
  const found = rows.findIndex(({ key }) => key === activeKey)
  const active = Math.max(0, found)
  const { shown, height, measure, scrollToIndex } = useShownRows(place, rows, active)
  const focusRow = useRowFocus(place, scrollToIndex)
  const move = (event: KeyboardEvent<HTMLElement>, row: Row, at: number): void => {
    const wanted = getTreeMove(event.key, rows, at)
    // Controls in the row handle Enter themselves.
    const isInside = event.target !== event.currentTarget
    if (wanted === undefined || (isInside && wanted === 'choose')) return
    event.preventDefault()
    if (wanted === 'toggle') props.onToggle(row)
    else if (wanted === 'choose') props.onChoose?.(row)
    else {
      setActiveKey(rows[wanted]?.key)
      focusRow(wanted)
    }
  }
  return (
    <div
      ref={place}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className={classNames(
        'relative overflow-x-clip rounded-[inherit]',
        height !== undefined && 'max-h-[75vh] overflow-y-auto',
      )}
      style={columnTemplate === undefined ? undefined : withColumns(columnTemplate)}
    >
      <Heads columns={columns} rowClassName={rowClassName} />
      <div role="rowgroup" className="relative" style={{ height }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <GridRow
              key={row.key}
              {...props}
              row={row}
              index={index}
              start={start}
              isStop={index === active}
              measure={measure}
              onFocus={() => setActiveKey(row.key)}
              onKeyDown={(event) => move(event, row, index)}
            />
          )
        })}
      </div>
    </div>
  )
}

function withColumns(template: string): CSSProperties {
  const style: CSSProperties & { '--tree-columns': string } = { '--tree-columns': template }
  return style
}

// The row to focus may be out of view and is rendered with the next paint.
function useRowFocus(
  place: { readonly current: HTMLDivElement | null },
  scrollToIndex: (index: number) => void,
): (index: number) => void {
  const [wanted, setWanted] = useState<{ index: number } | undefined>(undefined)
  useEffect(() => {
    if (wanted === undefined) return
    scrollToIndex(wanted.index)
    const row = place.current?.querySelector<HTMLElement>(`[data-index="${wanted.index}"]`)
    row?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }, [wanted, place, scrollToIndex])
  return (index) => setWanted({ index })
}

function Heads<Row extends TreeRow>({
  columns,
  rowClassName,
}: Pick<TreeGridProps<Row>, 'columns' | 'rowClassName'>) {
  return (
    <div role="rowgroup" className="sticky top-0 z-10 rounded-t-[inherit] bg-surface">
      <div
        role="row"
        aria-rowindex={1}
        className={classNames(
          'hidden gap-x-4 border-b border-line px-4 py-2 text-sm font-medium text-muted sm:grid',
          rowClassName,
        )}
      >
        {columns.map(({ title, className }) => (
          <div key={title} role="columnheader" className={classNames('min-w-0', className)}>
            {title}
          </div>
        ))}
      </div>
    </div>
  )
}

interface GridRowProps<Row extends TreeRow> extends TreeGridProps<Row> {
  row: Row
  index: number
  /** The position in a long tree in pixels; undefined to follow the previous row. */
  start: number | undefined
  isStop: boolean
  measure: ((element: HTMLElement | null) => void) | undefined
  onFocus: () => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

function GridRow<Row extends TreeRow>(props: GridRowProps<Row>) {
  const { row, rows, index, start, isStop, columns, rowClassName, measure, renderDetail } = props
  const { onToggle, onChoose, onFocus, onKeyDown } = props
  // Rows move while others are measured and scrolled; their content does not change.
  const cells = useMemo(() => {
    return <RowCells {...{ row, columns, isStop, onToggle, renderDetail }} />
  }, [row, columns, isStop, onToggle, renderDetail])
  return (
    <div
      ref={measure}
      role="row"
      data-index={index}
      tabIndex={isStop ? 0 : -1}
      aria-rowindex={index + 2}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.setSize}
      aria-expanded={row.hasChildren ? row.isOpen : undefined}
      className={classNames(
        start !== undefined && 'absolute inset-x-0',
        'grid scroll-mt-20 items-start contain-layout contain-style gap-x-4 gap-y-0.5 px-4 py-1.5 outline-offset-[-2px]! hover:bg-hover/60',
        // The container has the border below the last row.
        index < rows.length - 1 && 'border-b border-line',
        rowClassName,
      )}
      style={start === undefined ? undefined : { transform: `translateY(${start}px)` }}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={(event) => isOnRow(event.target) && onChoose?.(row)}
    >
      {cells}
    </div>
  )
}

interface RowCellsProps<Row extends TreeRow> {
  row: Row
  columns: readonly TreeColumn<Row>[]
  isStop: boolean
  onToggle: (row: Row) => void
  renderDetail: TreeGridProps<Row>['renderDetail'] | undefined
}

function RowCells<Row extends TreeRow>(props: RowCellsProps<Row>) {
  const { row, columns, isStop, onToggle, renderDetail } = props
  const cellProps: CellProps = { tabIndex: isStop ? 0 : -1 }
  const below = renderDetail?.(row, cellProps)
  return (
    <>
      {columns.map(({ title, className, cell }, at) => (
        <div key={title} role="gridcell" className={classNames('min-w-0', className)}>
          {at === 0 ? (
            <Branch row={row} onToggle={() => onToggle(row)}>
              {cell(row, cellProps)}
            </Branch>
          ) : (
            <Beside row={row}>{cell(row, cellProps)}</Beside>
          )}
        </div>
      ))}
      {below !== undefined && (
        <div role="gridcell" className="col-span-full min-w-0">
          {below}
        </div>
      )}
    </>
  )
}

const STEP_PX = 18
// The width before a name: the toggle and a gap.
const SIGN_PX = 28

interface BranchProps {
  row: TreeRow
  onToggle: () => void
  children: ReactNode
}

// On narrow screens, columns are indented to the name, not to its toggle.
function Beside({ row, children }: { row: TreeRow; children: ReactNode }) {
  return (
    <div className="flex">
      <span className="shrink-0 sm:hidden" style={{ width: getIndent(row) + SIGN_PX }} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

// The indentation is limited, so that deep rows have space for text on narrow screens.
function getIndent({ level }: TreeRow): number {
  return Math.min(level - 1, 8) * STEP_PX
}

function Branch({ row, onToggle, children }: BranchProps) {
  return (
    <div className="flex items-start gap-1" style={{ paddingInlineStart: getIndent(row) }}>
      {row.hasChildren ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={row.isOpen ? 'Close' : 'Open'}
          className="-my-0.5 grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-hover hover:text-ink"
          onClick={onToggle}
        >
          <ChevronRight
            size={14}
            aria-hidden
            className={classNames('transition-transform', row.isOpen && 'rotate-90')}
          />
        </button>
      ) : (
        <span className="w-6 shrink-0" />
      )}
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  )
}

// Who follows a link, presses a button or marks a text to copy it does not choose the row.
function isOnRow(target: EventTarget): boolean {
  if (target instanceof Element && target.closest('a, button, input, select, summary') !== null) {
    return false
  }
  return (globalThis.getSelection()?.toString() ?? '') === ''
}
