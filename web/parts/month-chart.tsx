import { scaleBand, scaleLinear, type ScaleLinear } from 'd3-scale'
import { stack, stackOffsetDiverging, type Series } from 'd3-shape'
import { useId } from 'react'
import { type ChartSeries, monthText, shortMonthText } from './months.ts'
import { Table, type Column } from './table.tsx'

interface MonthChartProps {
  /** The accessible name: `Queries by month`. */
  label: string
  /** The months, `YYYY-MM`, oldest first. */
  months: readonly string[]
  /** At most SERIES_MAX; they are stacked. */
  series: readonly ChartSeries[]
  format: (value: number) => string
  /** Formats the values of the axis, where there is less space. */
  formatTick?: ((value: number) => string) | undefined
}

/** The look of a series: a color and, so that neighbors differ without it, a pattern. */
interface SeriesLook {
  fill: string
  /** The path of a tile of 6 × 6 pixels; undefined = plain. */
  pattern?: string
}

const LOOKS: readonly SeriesLook[] = [
  { fill: 'fill-chart-blue' },
  { fill: 'fill-chart-orange', pattern: 'M-1 1 1 -1M0 6 6 0M5 7 7 5' },
  { fill: 'fill-chart-teal', pattern: 'M3 2.5V3.5' },
  { fill: 'fill-chart-purple', pattern: 'M0 3H6' },
  { fill: 'fill-chart-olive', pattern: 'M-1 5 1 7M0 0 6 6M5 -1 7 1' },
  { fill: 'fill-chart-gray', pattern: 'M3 0V6' },
]

function toPatternId(prefix: string, at: number): string {
  return `${prefix}-${at}`
}

/** The patterns of the series, once for each chart. */
function Patterns({ prefix }: { prefix: string }) {
  return (
    <svg aria-hidden width="0" height="0" className="absolute">
      <defs>
        {LOOKS.map(({ pattern }, at) => {
          if (pattern === undefined) return null
          return (
            <pattern
              key={pattern}
              id={toPatternId(prefix, at)}
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
            >
              <path
                d={pattern}
                className="stroke-surface opacity-60"
                fill="none"
                strokeWidth="1.5"
              />
            </pattern>
          )
        })}
      </defs>
    </svg>
  )
}

const HEIGHT_PX = 180
const TICKS = 4
const GAP = 0.3

/** A bar for each month, and the same numbers as a table. */
export function MonthChart(props: MonthChartProps) {
  const { label, months, series, format } = props
  const prefix = useId()
  return (
    <div className="relative grid grid-cols-1 gap-3">
      <Patterns prefix={prefix} />
      <Drawing {...props} prefix={prefix} />
      {series.length > 1 && <Legend series={series} prefix={prefix} />}
      <details>
        <summary className="w-fit text-muted hover:text-ink">Show as table</summary>
        <div className="mt-2">
          <Table
            label={`${label}, as a table`}
            columns={getColumns(series, format)}
            rows={months.map((month, at) => ({ month, at })).toReversed()}
            getKey={({ month }) => month}
          />
        </div>
      </details>
    </div>
  )
}

interface MonthRow {
  month: string
  at: number
}

function getColumns(
  series: readonly ChartSeries[],
  format: (value: number) => string,
): Column<MonthRow>[] {
  const columns = series.map(({ name, values }): Column<MonthRow> => {
    // The legend has long names in full.
    const className = 'sm:max-w-48 sm:truncate'
    return { title: name, align: 'right', className, cell: ({ at }) => format(values[at] ?? 0) }
  })
  const total: Column<MonthRow> = {
    title: 'Total',
    align: 'right',
    cell: ({ at }) => format(sumAt(series, at)),
  }
  return [
    { title: 'Month', cell: ({ month }) => monthText(month) },
    ...columns,
    ...(series.length > 1 ? [total] : []),
  ]
}

function sumAt(series: readonly ChartSeries[], at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
}

interface DrawingProps extends MonthChartProps {
  /** The beginning of the ids of the patterns. */
  prefix: string
}

function Drawing({ label, months, series, format, formatTick = format, prefix }: DrawingProps) {
  const layers = toLayers(months, series)
  const ends = layers.flatMap((layer) => layer.flat())
  const y = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(0, ...ends) || 1])
    .nice(TICKS)
    .range([HEIGHT_PX, 0])
  const ticks = y.ticks(TICKS)
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1 pt-2">
      <ol
        aria-hidden
        className="figures flex flex-col-reverse justify-between text-right text-xs text-muted"
      >
        {ticks.map((tick) => (
          <li key={tick} className="-my-1.5 leading-3">
            {formatTick(tick)}
          </li>
        ))}
      </ol>
      <svg
        role="img"
        aria-label={`${label}. The table below has the same numbers.`}
        width="100%"
        height={HEIGHT_PX}
        className="overflow-visible"
      >
        {ticks.map((tick) => (
          <line key={tick} x1="0" x2="100%" y1={y(tick)} y2={y(tick)} className="stroke-line" />
        ))}
        <Bars {...{ months, series, layers, y, format, prefix }} />
      </svg>
      <span />
      <MonthLabels months={months} />
    </div>
  )
}

type Layer = Series<number, number>

// Credits are below zero, and do not hide the costs above it.
function toLayers(months: readonly string[], series: readonly ChartSeries[]): Layer[] {
  return stack<number, number>()
    .keys(series.keys())
    .value((month, at) => series[at]?.values[month] ?? 0)
    .offset(stackOffsetDiverging)([...months.keys()])
}

interface BarsProps {
  months: readonly string[]
  series: readonly ChartSeries[]
  layers: readonly Layer[]
  y: ScaleLinear<number, number>
  format: (value: number) => string
  prefix: string
}

// Positions in percent: the drawing takes any width without being measured.
function Bars({ months, series, layers, y, format, prefix }: BarsProps) {
  const x = scaleBand<number>()
    .domain(months.keys())
    .range([0, 100])
    .paddingInner(GAP)
    .paddingOuter(GAP / 2)
  return layers.map((layer) => (
    <g key={layer.key} className={LOOKS[layer.key]?.fill}>
      {layer.map(([low, high], at) => {
        if (low === high) return null
        const [month = '', name] = [months[at], series[layer.key]?.name]
        const box = {
          x: `${x(at) ?? 0}%`,
          width: `${x.bandwidth()}%`,
          y: y(high),
          // Neighbors in a bar have a line between them.
          height: Math.max(1, y(low) - y(high) - (low > 0 ? 1 : 0)),
        }
        return (
          <g key={month}>
            <title>{`${monthText(month)}, ${name}: ${format(series[layer.key]?.values[at] ?? 0)}`}</title>
            <rect {...box} />
            {LOOKS[layer.key]?.pattern !== undefined && (
              <rect {...box} fill={`url(#${toPatternId(prefix, layer.key)})`} />
            )}
          </g>
        )
      })}
    </g>
  ))
}

function MonthLabels({ months }: { months: readonly string[] }) {
  return (
    <ol
      aria-hidden
      className="grid auto-cols-fr grid-flow-col text-center text-xs text-muted max-sm:[&>:nth-child(even)]:invisible"
    >
      {months.map((month, at) => (
        <li key={month} className="min-w-0 whitespace-nowrap">
          <span className="block max-sm:-mx-2">{shortMonthText(month)}</span>
          {(at === 0 || month.endsWith('-01')) && (
            <span className="block max-sm:-mx-2">{month.slice(0, 4)}</span>
          )}
        </li>
      ))}
    </ol>
  )
}

function Legend({ series, prefix }: Pick<DrawingProps, 'series' | 'prefix'>) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {series.map(({ name }, at) => (
        <li key={`${at} ${name}`} className="flex min-w-0 items-center gap-1.5">
          <svg aria-hidden width="14" height="14" className="shrink-0">
            <rect width="14" height="14" rx="2" className={LOOKS[at]?.fill} />
            {LOOKS[at]?.pattern !== undefined && (
              <rect width="14" height="14" rx="2" fill={`url(#${toPatternId(prefix, at)})`} />
            )}
          </svg>
          <span className="user-text min-w-0">{name}</span>
        </li>
      ))}
    </ul>
  )
}
