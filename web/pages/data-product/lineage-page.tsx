import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, type ReactNode } from 'react'
import { Deprecations, listDeprecated, ResourceStanding } from '../../documents/deprecations.tsx'
import { Trusts, TrustStrip } from '../../documents/trust-strip.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Combobox } from '../../parts/combobox.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Facts, Page, Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import { useUrlState } from '../../shell/url-state.ts'
import {
  getContracts,
  getReadPorts,
  findCenter,
  listNeighbours,
  listTrustedNodes,
  nodeHref,
  nodeText,
  toResource,
  type LineageNode,
} from './lineage-nodes.ts'
import { Neighbours, NoNeighbours } from './lineage-panel.tsx'
import { lineageQuery, type Depth, type Lineage } from './product-query.ts'

const LineageGraph = lazyPart(() => import('./lineage-graph.tsx'), 'LineageGraph')

const STATE = { depth: '2', focus: '' }
const DEPTHS: readonly Depth[] = ['1', '2', '3']

/** The lineage of a data product on a page of its own: the graph, the focused node, and lists. */
export function LineagePage() {
  const { id = '' } = useParams({ strict: false })
  const [state, setState] = useUrlState(STATE)
  const depth = DEPTHS.find((one) => one === state.depth) ?? '2'
  const onFocus = useCallback((focus: string) => setState({ focus }, { replace: true }), [setState])
  const lineage = useQuery(lineageQuery(id, depth))
  const name =
    lineage.data?.nodes.find(({ key }) => key === findCenter(lineage.data, id))?.name ?? id
  return (
    <Page
      title={`Lineage of ${name}`}
      trail={[
        { title: 'Data products', href: paths.dataProducts },
        { title: name, href: paths.dataProduct(id) },
      ]}
      actions={
        <Combobox
          aria-label="Steps upstream and downstream"
          className="w-28"
          value={depth}
          choices={DEPTHS.map((one) => ({
            value: one,
            label: one === '1' ? '1 step' : `${one} steps`,
          }))}
          onChange={(next) => setState({ depth: next }, { replace: true })}
        />
      }
      width="screen"
    >
      <Loaded query={lineage}>
        {(data) => <Explorer id={id} lineage={data} focused={state.focus} onFocus={onFocus} />}
      </Loaded>
    </Page>
  )
}

interface ExplorerProps {
  id: string
  lineage: Lineage
  /** The key of a node; one that is not there means the product itself. */
  focused: string
  onFocus: (key: string) => void
}

function Explorer({ id, lineage, focused, onFocus }: ExplorerProps) {
  const isThere = lineage.nodes.some(({ key }) => key === focused)
  const key = isThere ? focused : (findCenter(lineage, id) ?? '')
  const focus = useMemo(() => ({ key, onFocus }), [key, onFocus])
  if (lineage.edges.length === 0) return <NoNeighbours />
  const { upstream, downstream } = listNeighbours(lineage, id)
  return (
    <Trusts of={listTrustedNodes(lineage)}>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 content-start gap-4">
          {lineage.truncated && (
            <Notice tone="info" title="Only the nearest neighbors are shown">
              Choose fewer steps to see all of them.
            </Notice>
          )}
          <Suspense fallback={<Skeleton lines={12} label="Loading the lineage" />}>
            <LineageGraph lineage={lineage} productId={id} focus={focus} />
          </Suspense>
        </div>
        <div className="grid content-start gap-4">
          <FocusedNode id={id} lineage={lineage} focused={key} />
          <Panel title="All neighbors">
            <div className="grid gap-4">
              <Neighbours title="Upstream" none="No upstream sources" list={upstream} />
              <Neighbours title="Downstream" none="No consumers" list={downstream} />
            </div>
          </Panel>
        </div>
      </div>
    </Trusts>
  )
}

function FocusedNode({ id, lineage, focused }: { id: string; lineage: Lineage; focused: string }) {
  const node = lineage.nodes.find(({ key }) => key === focused)
  if (node === undefined) return null
  const href = nodeHref(node)
  const isOther = node.kind === 'DATA_PRODUCT' && node.exists && node.id !== id
  return (
    <Panel title={node.name}>
      <div className="grid gap-3" aria-live="polite">
        <Deprecations of={listDeprecated([toResource(node)])}>
          <Facts facts={getFacts(lineage, node)} />
        </Deprecations>
        {node.kind !== 'SOURCE_SYSTEM' && node.exists && <TrustStrip {...toResource(node)} />}
        <div className="flex flex-wrap gap-2">
          {href !== undefined && <ButtonLink href={href}>Open page</ButtonLink>}
          {isOther && (
            <ButtonLink href={paths.dataProductLineage(node.id)}>Show lineage</ButtonLink>
          )}
        </div>
      </div>
    </Panel>
  )
}

function getFacts(lineage: Lineage, node: LineageNode): (readonly [string, ReactNode])[] {
  const { key, ownerId, ownerName, status } = node
  const owner = ownerId !== null && <Link href={paths.team(ownerId)}>{ownerName ?? ownerId}</Link>
  const state = status !== null && (
    <span className="flex flex-wrap items-center gap-x-2">
      <ResourceStanding {...toResource(node)} />
    </span>
  )
  return [
    ['Type', nodeText({ ...node, ownerId: null, ownerName: null })],
    ['Owner', owner || undefined],
    ['Status', state || undefined],
    ['Output ports in use', getReadPorts(lineage, key).join(', ')],
    ['Contracts', getContracts(lineage, key).join(', ')],
  ]
}
