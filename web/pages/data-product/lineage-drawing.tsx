import {
  BaseEdge,
  EdgeLabelRenderer,
  Handle,
  MarkerType,
  Position,
  type Edge,
  type EdgeProps,
  type Node,
  type NodeProps,
} from '@xyflow/react'
import { Box, Database, Table2 } from 'lucide-react'
import { isEndingStatus } from '../../../formats/data-product/standing.ts'
import { TrustMarks } from '../../documents/trust-strip.tsx'
import { toStatusLabel } from '../../parts/status-label.ts'
import { Avatar } from '../../parts/avatar.tsx'
import { classNames } from '../../parts/class-names.ts'
import { ToneIcon } from '../../parts/status.tsx'
import { Link } from '../../parts/link.tsx'
import {
  curveThrough,
  computeLayout,
  NODE_HEIGHT,
  NODE_WIDTH,
  type Point,
} from './lineage-layout.ts'
import {
  getNeighborhood,
  getReadPorts,
  findCenter,
  nodeHref,
  shortText,
  toResource,
  type LineageNode,
} from './lineage-nodes.ts'
import type { Lineage } from './product-query.ts'

type DrawnNode = Node<
  {
    node: LineageNode
    isMiddle: boolean
    isFocused: boolean
    isFaded: boolean
    ports: readonly string[]
    onFocus: ((key: string) => void) | undefined
  },
  'card'
>
type DrawnEdge = Edge<
  { way: readonly Point[]; label: string | undefined; isFaded: boolean },
  'curve'
>

/** The components that draw nodes and edges, by the types that `createDrawing` gives them. */
export const NODE_TYPES = { card: NodeCard }
export const EDGE_TYPES = { curve: CurveEdge }

const ICONS = { DATA_PRODUCT: Box, SOURCE_SYSTEM: Database, DATA_ASSET: Table2 }
const PORTS_SHOWN_MAX = 4
const PORT_HEIGHT = 20
// The full page shows the names of contracts between the columns.
const WIDE_COLUMN_GAP = 220
const LABEL_WIDTH_MAX = 190

interface Focus {
  key: string
  onFocus: (key: string) => void
}

/**
 * Lays a lineage out. With a focus, ports and contracts are written out and the rest fades. `widths` are those of nodes
 * and gaps, in pixels.
 */
export function createDrawing(
  lineage: Lineage,
  productId: string,
  focus: Focus | undefined,
  widths: { columnGap?: number; nodeWidth?: number } = {},
): { nodes: DrawnNode[]; edges: DrawnEdge[]; bottom: number; middle: string | undefined } {
  const ports = new Map(
    lineage.nodes.map(({ key }) => [key, focus === undefined ? [] : getReadPorts(lineage, key)]),
  )
  const getHeight = (key: string): number => {
    const count = ports.get(key)?.length ?? 0
    const lines = Math.min(count, PORTS_SHOWN_MAX) + (count > PORTS_SHOWN_MAX ? 1 : 0)
    return NODE_HEIGHT + (lines === 0 ? 0 : lines * PORT_HEIGHT + 8)
  }
  const gap = focus === undefined ? widths : { columnGap: WIDE_COLUMN_GAP }
  const { nodeWidth = NODE_WIDTH } = widths
  const { places, ways } = computeLayout(lineage, { getHeight, ...gap })
  const middle = findCenter(lineage, productId)
  const near = focus === undefined ? undefined : getNeighborhood(lineage, focus.key)
  const nodes = lineage.nodes.map((node): DrawnNode => {
    const { key } = node
    const data = {
      node,
      isMiddle: key === middle,
      isFocused: key === focus?.key,
      isFaded: near?.has(key) === false,
      ports: ports.get(key) ?? [],
      onFocus: focus?.onFocus,
    }
    const position = places.get(key) ?? { x: 0, y: 0 }
    return { id: key, type: 'card', position, data, height: getHeight(key), width: nodeWidth }
  })
  const edges = lineage.edges.map(({ from, to, contractId, contractName }, at): DrawnEdge => {
    const isFaded = focus !== undefined && from !== focus.key && to !== focus.key
    const label = focus === undefined ? undefined : (contractName ?? contractId ?? undefined)
    const color = isFaded ? 'var(--color-line)' : 'var(--color-line-strong)'
    return {
      id: `${at} ${contractId ?? ''}`,
      type: 'curve',
      data: { way: ways[at] ?? [], label, isFaded },
      source: from,
      target: to,
      markerEnd: { type: MarkerType.ArrowClosed, color },
    }
  })
  const bottom = Math.max(0, ...nodes.map(({ id, position: { y } }) => y + getHeight(id)))
  return { nodes, edges, bottom, middle }
}

// An edge takes the way that the layout found, so that it never runs behind a node.
function CurveEdge({ sourceX, sourceY, targetX, targetY, markerEnd, data }: EdgeProps<DrawnEdge>) {
  const start = { x: sourceX, y: sourceY }
  const end = { x: targetX, y: targetY }
  const way = data?.way ?? []
  const path = curveThrough([start, ...way, end])
  const isFaded = data?.isFaded === true
  const style = { stroke: isFaded ? 'var(--color-line)' : 'var(--color-line-strong)' }
  const middle = way[Math.floor(way.length / 2)] ?? {
    x: (sourceX + targetX) / 2,
    y: (sourceY + targetY) / 2,
  }
  return (
    <>
      <BaseEdge path={path} style={style} {...(markerEnd === undefined ? {} : { markerEnd })} />
      {data?.label !== undefined && !isFaded && (
        <EdgeLabelRenderer>
          <span
            title={data.label}
            className="user-text absolute truncate rounded bg-sunken px-1 text-xs text-muted"
            style={{
              maxWidth: LABEL_WIDTH_MAX,
              transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)`,
            }}
          >
            {data.label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

function NodeCard({ data, height, width }: NodeProps<DrawnNode>) {
  const { node, isMiddle, isFocused, isFaded, onFocus } = data
  const href = isMiddle ? undefined : nodeHref(node)
  const look = classNames(
    'nopan flex h-full w-full flex-col rounded-md border bg-surface px-3 py-2.5 text-left',
    isFocused || (isMiddle && onFocus === undefined)
      ? 'border-accent ring-1 ring-accent'
      : 'border-line-strong',
    !node.exists && 'border-dashed',
    isFaded && 'border-line! text-muted',
    (href !== undefined || onFocus !== undefined) && 'hover:bg-hover',
  )
  const size = { width, height }
  return (
    <div style={size}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      {onFocus !== undefined ? (
        <button
          type="button"
          aria-pressed={isFocused}
          className={look}
          onClick={() => onFocus(node.key)}
        >
          <NodeContent {...data} />
        </button>
      ) : href === undefined ? (
        <div className={look}>
          <NodeContent {...data} />
        </div>
      ) : (
        <Link plain href={href} title={node.name} className={look}>
          <NodeContent {...data} />
        </Link>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  )
}

function NodeContent({ node, ports }: DrawnNode['data']) {
  const Icon = ICONS[node.kind]
  const rest = ports.length - PORTS_SHOWN_MAX
  const { ownerId, ownerName } = node
  const hasOwner = node.kind === 'DATA_PRODUCT' && node.exists
  return (
    <>
      <span className="flex max-w-full items-center gap-2.5">
        <Icon size={16} aria-hidden className="shrink-0 text-muted" />
        <span className="min-w-0">
          <span className="user-text line-clamp-1 font-medium">{node.name}</span>
          <span className="flex items-center gap-1.5 text-xs text-muted">
            {hasOwner && ownerId !== null && (
              <Avatar kind="team" size="tiny" id={ownerId} name={ownerName ?? ownerId} />
            )}
            {isEndingStatus(node.status ?? undefined) && (
              <span className="flex shrink-0 items-center gap-1 text-caution">
                <ToneIcon tone="caution" size={12} />
                {toStatusLabel(node.status ?? '')}
              </span>
            )}
            <span className="user-text line-clamp-1">{shortText(node)}</span>
            <TrustMarks {...toResource(node)} />
          </span>
        </span>
      </span>
      {ports.length > 0 && (
        <span className="mt-2 block border-t border-line pt-1 text-right text-xs text-muted">
          {ports.slice(0, PORTS_SHOWN_MAX).map((port) => (
            <span key={port} className="user-text line-clamp-1 leading-5">
              {port} →
            </span>
          ))}
          {rest > 0 && <span className="block leading-5">{rest} more</span>}
        </span>
      )}
    </>
  )
}
