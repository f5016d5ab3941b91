import type { LIMITS } from '../server/about/limits.ts'

/** One expression of a panel. */
interface Target {
  /** PromQL; `$process` selects the processes that the viewer chose. */
  expr: string
  /** The legend; undefined = the panel has only one value. */
  legend?: string
}

/** A panel. */
export interface Panel {
  title: string
  /** Plain words: what it shows, and which value is normal. */
  description: string
  kind: 'stat' | 'timeseries' | 'table'
  unit: string
  targets: readonly Target[]
  /** The limit that colours it, and whose alert it links to. */
  limit?: keyof typeof LIMITS | undefined
  /** The width in 24ths of the page. */
  width: number
}

/** A row of panels. */
export interface Row {
  title: string
  panels: readonly Panel[]
}

/** Creates a panel of one number for the first row. */
export function stat(
  title: string,
  description: string,
  unit: string,
  limit: Panel['limit'],
  expressions: readonly string[],
): Panel {
  const targets = expressions.map((expr) => ({ expr }))
  return { title, description, kind: 'stat', unit, targets, limit, width: 3 }
}

/** Creates a panel of lines; `series` has the expression of each legend. */
export function chart(
  title: string,
  description: string,
  unit: string,
  width: number,
  series: Readonly<Record<string, string>>,
  limit?: Panel['limit'],
): Panel {
  const targets = Object.entries(series).map(([legend, expr]) => ({ expr, legend }))
  return { title, description, kind: 'timeseries', unit, targets, limit, width }
}
