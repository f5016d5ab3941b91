import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { isEndingStatus } from '../../../formats/data-product/standing.ts'
import { Deprecations, listDeprecated, ResourceStanding } from '../../documents/deprecations.tsx'
import { Trusts, TrustMarks } from '../../documents/trust-strip.tsx'
import { Link } from '../../parts/link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { WhenNear } from '../../parts/when-near.tsx'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import {
  listNeighbours,
  listTrustedNodes,
  nodeHref,
  nodeText,
  toResource,
  type Neighbour,
} from './lineage-nodes.ts'
import { lineageQuery, type Lineage } from './product-query.ts'

const LineagePreview = lazyPart(() => import('./lineage-graph.tsx'), 'LineagePreview')

// The height of a graph with few neighbors, in pixels.
const GRAPH_HEIGHT = 220

/** The direct neighbors of a data product, as a graph and as lists. */
export function LineagePanel({ id }: { id: string }) {
  const lineage = useQuery(lineageQuery(id, '1'))
  const hasNeighbours = (lineage.data?.edges.length ?? 0) > 0
  return (
    <QueryPanel
      title="Lineage"
      actions={hasNeighbours && <Link href={paths.dataProductLineage(id)}>Open lineage</Link>}
      query={lineage}
    >
      {(data) => <Preview id={id} lineage={data} />}
    </QueryPanel>
  )
}

function Preview({ id, lineage }: { id: string; lineage: Lineage }) {
  if (lineage.edges.length === 0) return <NoNeighbours />
  const { upstream, downstream } = listNeighbours(lineage, id)
  return (
    <Trusts of={listTrustedNodes(lineage)}>
      <div className="grid gap-4">
        <div className="hidden sm:block">
          <WhenNear height={GRAPH_HEIGHT}>
            <Suspense fallback={<Skeleton lines={6} label="Loading the lineage" />}>
              <LineagePreview lineage={lineage} productId={id} />
            </Suspense>
          </WhenNear>
        </div>
        <div className="grid gap-4 sm:grid-cols-2">
          <Neighbours title="Upstream" none="No upstream sources" list={upstream} />
          <Neighbours title="Downstream" none="No consumers" list={downstream} />
        </div>
      </div>
    </Trusts>
  )
}

/** The empty state of a lineage. */
export function NoNeighbours() {
  return (
    <Empty title="No lineage yet">
      Two data products are connected when an input port of one names the data contract of an output
      port of the other.
    </Empty>
  )
}

interface NeighboursProps {
  title: string
  /** Shown if there are no neighbors. */
  none: string
  list: readonly Neighbour[]
}

/** The neighbors of a data product in one direction, nearest first, as a list. */
export function Neighbours({ title, none, list }: NeighboursProps) {
  return (
    <section className="min-w-0">
      <h3 className="text-sm text-muted">{title}</h3>
      {list.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <Deprecations of={listDeprecated(list.map(({ node }) => toResource(node)))}>
          <ul className="mt-1 grid gap-1.5">
            {list.map((neighbour) => (
              <NeighbourItem key={neighbour.node.key} neighbour={neighbour} />
            ))}
          </ul>
        </Deprecations>
      )}
    </section>
  )
}

function NeighbourItem({ neighbour: { node, contracts, steps } }: { neighbour: Neighbour }) {
  const href = nodeHref(node)
  return (
    <li className="user-text">
      <span className="flex flex-wrap items-center gap-x-2">
        {href === undefined ? (
          node.name
        ) : (
          <Link href={href} className="inline-block min-h-6">
            {node.name}
          </Link>
        )}
        {isEndingStatus(node.status ?? undefined) && <ResourceStanding {...toResource(node)} />}
        <TrustMarks {...toResource(node)} />
      </span>
      <span className="block text-sm text-muted">
        {nodeText(node)}
        {steps > 1 && ` · ${steps} steps away`}
        {contracts.length > 0 && ` · ${contracts.join(', ')}`}
      </span>
    </li>
  )
}
