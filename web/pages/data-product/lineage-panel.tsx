import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Select } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Notice, Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { WhenNear } from '../../parts/when-near.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { neighboursOf, nodeHref, nodeText, type Neighbour } from './lineage-nodes.ts'
import { lineageQuery, type Depth, type Lineage } from './lineage-query.ts'
import { loadPart } from '../../shell/chunks.ts'

const LineageGraph = lazy(async () => ({
  default: (await loadPart(() => import('./lineage-graph.tsx'))).LineageGraph,
}))

// Of a graph of few neighbours, in pixels.
const GRAPH_HEIGHT = 220

const DEPTH = { depth: '1' }
const DEPTHS: readonly Depth[] = ['1', '2', '3']

/** Where the data comes from and where it goes, as a graph and as lists. */
export function LineagePanel({ id }: { id: string }) {
  const [state, setState] = useUrlState(DEPTH)
  const depth = DEPTHS.find((one) => one === state.depth) ?? '1'
  const lineage = useQuery(lineageQuery(id, depth))
  return (
    <Panel
      title="Lineage"
      actions={
        <Select
          aria-label="Steps upstream and downstream"
          className="w-auto!"
          value={depth}
          onChange={({ target }) => setState({ depth: target.value }, { replace: true })}
        >
          <option value="1">1 step</option>
          <option value="2">2 steps</option>
          <option value="3">3 steps</option>
        </Select>
      }
    >
      <Loaded query={lineage}>{(data) => <Known id={id} lineage={data} />}</Loaded>
    </Panel>
  )
}

function Known({ id, lineage }: { id: string; lineage: Lineage }) {
  if (lineage.edges.length === 0) {
    return (
      <Empty title="No neighbours are known">
        Ports connect data products: when an input port names the data contract of somebody’s output
        port, both show up here.
      </Empty>
    )
  }
  const { upstream, downstream } = neighboursOf(lineage, id)
  return (
    <div className="grid gap-4">
      {lineage.truncated && (
        <Notice tone="info" title="There is more than can be drawn">
          The nearest neighbours are shown. Take fewer steps to see them all.
        </Notice>
      )}
      <div className="hidden sm:block">
        <WhenNear height={GRAPH_HEIGHT}>
          <Suspense fallback={<Skeleton lines={6} label="Drawing the lineage" />}>
            <LineageGraph lineage={lineage} productId={id} />
          </Suspense>
        </WhenNear>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Neighbours title="Upstream" none="Nothing is known upstream." list={upstream} />
        <Neighbours title="Downstream" none="Nobody is known to read from it." list={downstream} />
      </div>
    </div>
  )
}

interface NeighboursProps {
  title: string
  none: string
  list: readonly Neighbour[]
}

function Neighbours({ title, none, list }: NeighboursProps) {
  return (
    <section className="min-w-0">
      <h3 className="text-sm text-muted">{title}</h3>
      {list.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <ul className="mt-1 grid gap-1.5">
          {list.map(({ node, contracts, steps }) => {
            const href = nodeHref(node)
            return (
              <li key={node.key} className="user-text">
                {href === undefined ? node.name : <Link href={href}>{node.name}</Link>}
                <span className="block text-sm text-muted">
                  {nodeText(node)}
                  {steps > 1 && `, ${steps} steps away`}
                  {contracts.length > 0 && `, under ${contracts.join(', ')}`}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}
