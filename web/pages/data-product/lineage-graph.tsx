import {
  Background,
  BaseEdge,
  Controls,
  Handle,
  MarkerType,
  Position,
  ReactFlow,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import './lineage-graph.css'
import { Box, Database, Table2 } from 'lucide-react'
import { useMemo } from 'react'
import { classNames } from '../../parts/class-names.ts'
import { Link } from '../../parts/link.tsx'
import { curveThrough, layoutOf, NODE_HEIGHT, NODE_WIDTH, type Point } from './lineage-layout.ts'
import { middleOf, nodeHref, shortText, type LineageNode } from './lineage-nodes.ts'
import type { Lineage } from './lineage-query.ts'

type Drawn = Node<{ told: LineageNode; isMiddle: boolean }, 'told'>
type Led = Edge<{ way: readonly Point[] }, 'led'>

const NODE_TYPES = { told: DrawnNode }
const EDGE_TYPES = { led: LedEdge }
const ICONS = { DATA_PRODUCT: Box, SOURCE_SYSTEM: Database, DATA_ASSET: Table2 }
const HEIGHT_MIN = 220
const HEIGHT_MAX = 480

interface LineageGraphProps {
  lineage: Lineage
  productId: string
}

/** The neighbours of a data product, drawn; every node that has a page is a link to it. */
export function LineageGraph({ lineage, productId }: LineageGraphProps) {
  const { nodes, edges, height } = useMemo(
    () => drawingOf(lineage, productId),
    [lineage, productId],
  )
  return (
    <div
      role="group"
      aria-label="Lineage as a graph; the same is told as lists below"
      className="rounded-md border border-line bg-sunken"
      style={{ height }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        fitView
        fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
        minZoom={0.2}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnScroll={false}
        preventScrolling={false}
      >
        <Background color="var(--color-line)" gap={20} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

function drawingOf(
  lineage: Lineage,
  productId: string,
): { nodes: Drawn[]; edges: Led[]; height: number } {
  const { places, ways } = layoutOf(lineage)
  const middle = middleOf(lineage, productId)
  const nodes = lineage.nodes.map((told): Drawn => {
    const data = { told, isMiddle: told.key === middle }
    return { id: told.key, type: 'told', position: places.get(told.key) ?? { x: 0, y: 0 }, data }
  })
  const edges = lineage.edges.map(({ from, to, contractId }, at): Led => {
    const marker = { type: MarkerType.ArrowClosed, color: 'var(--color-line-strong)' }
    const data = { way: ways[at] ?? [] }
    const ends = { source: from, target: to, markerEnd: marker }
    return { id: `${at} ${contractId ?? ''}`, type: 'led', data, ...ends }
  })
  const bottom = Math.max(0, ...[...places.values()].map(({ y }) => y + NODE_HEIGHT))
  return { nodes, edges, height: Math.min(HEIGHT_MAX, Math.max(HEIGHT_MIN, bottom + 60)) }
}

// An edge takes the way that the layout found for it, so that it never runs behind a node.
function LedEdge({ sourceX, sourceY, targetX, targetY, markerEnd, data }: EdgeProps<Led>) {
  const ends = [
    { x: sourceX, y: sourceY },
    { x: targetX, y: targetY },
  ]
  const path = curveThrough(ends.toSpliced(1, 0, ...(data?.way ?? [])))
  return <BaseEdge path={path} {...(markerEnd === undefined ? {} : { markerEnd })} />
}

function DrawnNode({ data: { told, isMiddle } }: NodeProps<Drawn>) {
  const href = isMiddle ? undefined : nodeHref(told)
  const Icon = ICONS[told.kind]
  const look = classNames(
    'flex items-center gap-2.5 rounded-md border bg-surface px-3',
    isMiddle ? 'border-accent ring-1 ring-accent' : 'border-line-strong',
    !told.exists && 'border-dashed',
    href !== undefined && 'hover:bg-hover',
  )
  const size = { width: NODE_WIDTH, height: NODE_HEIGHT }
  const content = (
    <>
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="user-text line-clamp-1 font-medium">{told.name}</span>
        <span className="user-text line-clamp-1 text-xs text-muted">{shortText(told)}</span>
      </span>
    </>
  )
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {href === undefined ? (
        <div className={look} style={size}>
          {content}
        </div>
      ) : (
        <Link
          plain
          href={href}
          title={told.name}
          className={classNames(look, 'nopan')}
          style={size}
        >
          {content}
        </Link>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </>
  )
}
