/** Values of one thing, one for each month. */
export interface ChartSeries {
  name: string
  values: readonly number[]
}

/** The maximum number of series in a chart: the number of its colors. */
export const SERIES_MAX = 7
