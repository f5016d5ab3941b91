import { Background, Controls, MiniMap, ReactFlow, useReactFlow, useStore } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import './lineage-graph.css'
import { useEffect, useMemo, useRef, useState } from 'react'
import { countText } from '../../parts/number-text.ts'
import { createDrawing, EDGE_TYPES, NODE_TYPES } from './lineage-drawing.tsx'
import { fitColumns } from './lineage-layout.ts'
import { cutToNeighborhood } from './lineage-nodes.ts'
import type { Lineage } from './product-query.ts'

const HEIGHT_MIN = 120
const PADDING = 24
// The neighbors on each side of a product that a preview shows.
const PREVIEW_SIDE_MAX = 8
// At this zoom the smallest label has 12 pixels.
const READABLE_ZOOM = 1

interface LineageProps {
  lineage: Lineage
  productId: string
}

/** A product between its direct neighbors. Everything is visible: the box grows, and further neighbors are counted. */
export function LineagePreview({ lineage, productId }: LineageProps) {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState<number>()
  useEffect(() => {
    if (box.current === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width))
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [])
  const near = useMemo(
    () => cutToNeighborhood(lineage, productId, PREVIEW_SIDE_MAX),
    [lineage, productId],
  )
  const { omittedCount } = near
  return (
    <div ref={box}>
      {width !== undefined && (
        <LineageGraph
          lineage={near.lineage}
          productId={productId}
          widths={fitColumns(width - 2 * PADDING, near.columnCount)}
        />
      )}
      {omittedCount > 0 && (
        <p className="mt-2 text-sm text-muted">
          + {countText(omittedCount, 'neighbor')}, listed below
        </p>
      )}
    </div>
  )
}

interface LineageGraphProps extends LineageProps {
  /** On a page of its own: nodes can be focused, and ports and contracts are written out. */
  focus?: { key: string; onFocus: (key: string) => void }
  /** The widths of nodes and gaps, in pixels. */
  widths?: { columnGap: number; nodeWidth: number }
}

/**
 * The neighbors of a data product as a graph. Labels stay readable: a graph that does not fit is moved,
 * not made smaller.
 */
export function LineageGraph({ lineage, productId, focus, widths }: LineageGraphProps) {
  const { columnGap, nodeWidth } = widths ?? {}
  const drawing = useMemo(
    () =>
      createDrawing(
        lineage,
        productId,
        focus,
        columnGap === undefined || nodeWidth === undefined ? {} : { columnGap, nodeWidth },
      ),
    [lineage, productId, focus, columnGap, nodeWidth],
  )
  const { nodes, edges, bottom, middle } = drawing
  const height = Math.max(HEIGHT_MIN, bottom + 2 * PADDING)
  const isWhole = focus !== undefined
  return (
    <div
      role="group"
      aria-label="Lineage as a graph, with the same content as the lists next to it"
      className="rounded-md border border-line bg-sunken"
      style={{ height: isWhole ? 'max(24rem, calc(100dvh - 15rem))' : height }}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        minZoom={isWhole ? 0.3 : READABLE_ZOOM}
        maxZoom={isWhole ? 2 : READABLE_ZOOM}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        zoomOnScroll={false}
        panOnScroll={isWhole}
        preventScrolling={isWhole}
        proOptions={{ hideAttribution: true }}
      >
        <Background color="var(--color-line)" gap={20} />
        {isWhole && <Controls showInteractive={false} />}
        {isWhole && (
          <MiniMap
            pannable
            ariaLabel="Overview of the graph"
            className="max-sm:hidden"
            style={{ width: 150, height: 100 }}
          />
        )}
        <Readable focused={focus?.key ?? middle} />
        <PanToFocus />
      </ReactFlow>
    </div>
  )
}

// Shows the whole graph where it fits, and otherwise the focused node with what is around it.
function Readable({ focused }: { focused: string | undefined }) {
  const { getNodes, getNodesBounds, getNode, setCenter } = useReactFlow()
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  // The sizes of nodes come with the layout, so nothing else needs to be measured.
  const isReady = useStore(({ panZoom }) => panZoom !== null) && width > 0 && height > 0
  useEffect(() => {
    if (!isReady) return
    const all = getNodesBounds(getNodes())
    const isFitting = all.width + PADDING <= width && all.height + PADDING <= height
    const node = isFitting || focused === undefined ? undefined : getNode(focused)
    const box = node === undefined ? all : getNodesBounds([node])
    const zoom = READABLE_ZOOM
    void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom })
  }, [isReady, focused, width, height, getNodes, getNodesBounds, getNode, setCenter])
  return null
}

// Pans to a node that receives the keyboard focus outside the view.
function PanToFocus() {
  const { getNode, getNodesBounds, getViewport, setCenter } = useReactFlow()
  const box = useStore(({ domNode }) => domNode)
  useEffect(() => {
    if (box === null) return undefined
    const pan = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement) || !target.matches(':focus-visible')) return
      const card = target.closest('.react-flow__node')
      const node = getNode(card?.getAttribute('data-id') ?? '')
      if (card === null || node === undefined) return
      // The browser scrolls the clipped boxes around the node instead, which would shift the graph.
      for (let parent = card.parentElement; parent !== null; parent = parent.parentElement) {
        parent.scrollTo(0, 0)
        if (parent === box) break
      }
      if (isInside(card.getBoundingClientRect(), box.getBoundingClientRect())) return
      const { x, y, width, height } = getNodesBounds([node])
      void setCenter(x + width / 2, y + height / 2, { zoom: getViewport().zoom })
    }
    box.addEventListener('focusin', pan)
    return () => box.removeEventListener('focusin', pan)
  }, [box, getNode, getNodesBounds, getViewport, setCenter])
  return null
}

function isInside(inner: DOMRect, outer: DOMRect): boolean {
  return (
    inner.left >= outer.left &&
    inner.right <= outer.right &&
    inner.top >= outer.top &&
    inner.bottom <= outer.bottom
  )
}
