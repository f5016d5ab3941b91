import { graphlib, layout } from '@dagrejs/dagre'
import type { Lineage } from './product-query.ts'

/** The size of a node in pixels. */
export const NODE_WIDTH = 232
export const NODE_HEIGHT = 64

/** A place in the drawing, in pixels. */
export interface Point {
  x: number
  y: number
}

interface Layout {
  /** The upper left corners of the nodes, by their keys. */
  places: Map<string, Point>
  /** For each edge the points that lead it past the nodes between its ends; none for a short one. */
  ways: readonly (readonly Point[])[]
}

// An edge to the next rank has its two ends and one point between them.
const SHORT_POINTS_MAX = 3

interface LayoutOptions {
  /** The height of a node, in pixels. */
  getHeight?: (key: string) => number
  /** The gap between two columns of nodes in pixels. */
  columnGap?: number
  /** The width of every node in pixels. */
  nodeWidth?: number
}

const COLUMN_GAP = 72
const COLUMN_GAP_MIN = 32
const NODE_WIDTH_MIN = 120

/** Computes the widths with which a number of columns fills a box, in pixels; both have a lower limit. */
export function fitColumns(
  boxWidth: number,
  columnCount: number,
): Required<Pick<LayoutOptions, 'columnGap' | 'nodeWidth'>> {
  const gapCount = Math.max(1, columnCount - 1)
  const free = boxWidth - columnCount * NODE_WIDTH
  const columnGap = Math.min(COLUMN_GAP, Math.max(COLUMN_GAP_MIN, Math.floor(free / gapCount)))
  const rest = Math.floor((boxWidth - (columnCount - 1) * columnGap) / columnCount)
  return { columnGap, nodeWidth: Math.min(NODE_WIDTH, Math.max(NODE_WIDTH_MIN, rest)) }
}

/** Computes where nodes are and how edges run; data flows from left to right. */
export function computeLayout({ nodes, edges }: Lineage, options: LayoutOptions = {}): Layout {
  const { getHeight = () => NODE_HEIGHT, columnGap = COLUMN_GAP, nodeWidth = NODE_WIDTH } = options
  const graph = new graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 18, edgesep: 18, ranksep: columnGap })
  for (const { key } of nodes) graph.setNode(key, { width: nodeWidth, height: getHeight(key) })
  edges.forEach(({ from, to }, at) => graph.setEdge(from, to, {}, String(at)))
  layout(graph)
  const places = new Map(
    nodes.map(({ key }) => {
      const { x, y } = graph.node(key)
      return [key, { x: x - nodeWidth / 2, y: y - getHeight(key) / 2 }]
    }),
  )
  const ways = edges.map(({ from, to }, at): Point[] => {
    const points: Point[] = graph.edge(from, to, String(at)).points
    return points.length > SHORT_POINTS_MAX ? points.slice(1, -1) : []
  })
  return { places, ways }
}

/** A line through points, level at each of them: the `d` of an SVG path. */
export function curveThrough(points: readonly Point[]): string {
  return points.reduce((path, { x, y }, at) => {
    const before = points[at - 1]
    if (before === undefined) return `M${x},${y}`
    const middle = (before.x + x) / 2
    return `${path} C${middle},${before.y} ${middle},${y} ${x},${y}`
  }, '')
}
