import { graphlib, layout } from '@dagrejs/dagre'
import type { Lineage } from './lineage-query.ts'

/** How large a node is drawn, in pixels. */
export const NODE_WIDTH = 208
export const NODE_HEIGHT = 64

/** Where nodes stand, by their keys, in pixels; data flows from left to right. */
export function placesOf({ nodes, edges }: Lineage): Map<string, { x: number; y: number }> {
  const graph = new graphlib.Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 72 })
  for (const { key } of nodes) graph.setNode(key, { width: NODE_WIDTH, height: NODE_HEIGHT })
  edges.forEach(({ from, to }, at) => graph.setEdge(from, to, {}, String(at)))
  layout(graph)
  return new Map(
    nodes.map(({ key }) => {
      const { x, y } = graph.node(key)
      return [key, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }]
    }),
  )
}
