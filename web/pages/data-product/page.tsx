import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { readStoredProduct } from '../../../formats/data-product/facts.ts'
import { isDraftStatus } from '../../../formats/data-product/standing.ts'
import { summariesQuery } from '../../documents/access/access-queries.ts'
import { DeprecationNotice, Deprecations } from '../../documents/deprecations.tsx'
import {
  DocumentPage,
  findView,
  HistoryPanel,
  LoadedDocument,
  useShownDocument,
} from '../../documents/document-page.tsx'
import { FollowButton, followQuery } from '../../documents/follow-button.tsx'
import { FormatEnds } from '../../documents/format-ends.tsx'
import { usePreparedSource } from '../../documents/source-view.tsx'
import { DomainLink, TeamLink } from '../../documents/team-link.tsx'
import { Trusts, TrustStrip } from '../../documents/trust-strip.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import { Skeleton } from '../../parts/notice.tsx'
import { paths } from '../../paths.ts'
import { NextStep } from '../../shell/next-step.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { Overview } from './overview.tsx'
import { ProductAccessState } from './port-access.tsx'
import { portContractsQuery } from './port-contract.tsx'
import { PRODUCT_KIND } from './product-kind.ts'
import { lineageQuery, listDeprecatedOfProduct, type ShownProduct } from './product-query.ts'

// The overview needs none of these.
const CostsTab = lazyPart(() => import('./costs-tab.tsx'), 'CostsTab')
const RdfPanel = lazyPart(() => import('./rdf-panel.tsx'), 'RdfPanel')
const SourceTab = lazyPart(() => import('../../documents/source-tab.tsx'), 'SourceTab')
const UsageTab = lazyPart(() => import('./usage-tab.tsx'), 'UsageTab')
const AccessPanel = lazyPart(() => import('../../documents/access/access-panel.tsx'), 'AccessPanel')
const ProductGrants = lazyPart(
  () => import('../../documents/grants/product-grants.tsx'),
  'ProductGrants',
)

const VIEWS = [
  { key: 'overview', title: 'Overview' },
  { key: 'access', title: 'Access' },
  { key: 'usage', title: 'Usage' },
  { key: 'costs', title: 'Costs' },
  { key: 'history', title: 'History' },
  { key: 'source', title: 'Source' },
] as const
const URL_STATE = { view: 'overview' }

/** A data product: its description, its ports, its neighbors, its access, its usage and costs, its history and its source. */
export function DataProductPage() {
  const id = usePathId() ?? ''
  const product = useShownDocument(PRODUCT_KIND, id, readStoredProduct)
  usePreparedSource(useUrlState(URL_STATE)[0].view === 'source')
  // Requested together with the document, not after it.
  usePrefetchQuery(portContractsQuery(id))
  usePrefetchQuery(lineageQuery(id, '1'))
  usePrefetchQuery(summariesQuery([id]))
  usePrefetchQuery(followQuery({ kind: 'data-product', id }))
  return (
    <LoadedDocument kind={PRODUCT_KIND} id={id} query={product}>
      {(shown) => <LoadedProduct key={id} id={id} shown={shown} />}
    </LoadedDocument>
  )
}

function LoadedProduct({ id, shown }: { id: string; shown: ShownProduct }) {
  const { data: contracts = [] } = useQuery(portContractsQuery(id))
  return (
    <Deprecations of={listDeprecatedOfProduct(shown, contracts)}>
      <Trusts of={listTrusted(id, shown)}>
        <ProductViews id={id} shown={shown} />
      </Trusts>
    </Deprecations>
  )
}

function listTrusted(id: string, { facts }: ShownProduct) {
  const ports = facts.outputPorts.map(({ key }) => ({
    resourceType: 'OUTPUT_PORT',
    id: key,
    dataProductId: id,
  }))
  return [{ resourceType: 'DATA_PRODUCT', id }, ...ports]
}

function ProductViews({ id, shown }: { id: string; shown: ShownProduct }) {
  const [{ view }] = useUrlState(URL_STATE)
  const { facts, endsOn } = shown
  return (
    <DocumentPage
      kind={PRODUCT_KIND}
      id={id}
      facts={facts}
      summary={
        <>
          <span>
            Owned by <TeamLink id={facts.ownerTeamId ?? ''} />
          </span>
          {facts.domain !== undefined && <DomainLink domain={facts.domain} />}
        </>
      }
      signals={<TrustStrip resourceType="DATA_PRODUCT" id={id} />}
      actions={
        <>
          <ProductAccessState
            id={id}
            ports={facts.outputPorts}
            isDraft={isDraftStatus(facts.status)}
          />
          <FollowButton kind="data-product" id={id} />
        </>
      }
      views={VIEWS}
      view={view}
      notices={
        <>
          <NextStep />
          <DeprecationNotice kind="data-product" id={id} />
          {endsOn !== undefined && (
            <FormatEnds
              format="DPS"
              successor="ODPS"
              endsOn={endsOn}
              permissions="DATAPRODUCT"
              owner={facts.ownerTeamId}
              convertHref={paths.editDataProduct(id, { from: 'odps' })}
            >
              Review the converted document and its changes before you save. The id and the ports
              stay the same, so consumers are not affected. Fields that ODPS does not have are kept
              as custom properties.
            </FormatEnds>
          )}
        </>
      }
    >
      <Suspense fallback={<Skeleton lines={8} label="Loading the view" />}>
        <View view={view} id={id} shown={shown} />
      </Suspense>
    </DocumentPage>
  )
}

interface ViewProps {
  view: string
  id: string
  shown: ShownProduct
}

function View({ view, id, shown }: ViewProps) {
  switch (findView(VIEWS, view)) {
    case 'overview':
      return <Overview id={id} shown={shown} />
    case 'access':
      return (
        <div className="grid gap-5">
          <AccessPanel
            title="Access"
            of={{ list: 'product', product: id }}
            emptyText="Consumers of the output ports of this data product appear here."
          />
          <ProductGrants
            id={id}
            ports={[...new Set(shown.facts.outputPorts.map((port) => port.id))]}
          />
        </div>
      )
    case 'usage':
      return <UsageTab id={id} />
    case 'costs':
      return <CostsTab id={id} owner={shown.facts.ownerTeamId} />
    case 'history':
      return <HistoryPanel kind={PRODUCT_KIND} id={id} max={50} />
    case 'source':
      return (
        <div className="grid gap-5">
          <SourceTab kind={PRODUCT_KIND} id={id} stored={shown.stored} />
          <RdfPanel id={id} />
        </div>
      )
  }
}
