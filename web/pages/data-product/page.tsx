import { usePrefetchQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { may, useSession } from '../../api/session.ts'
import { DomainLink } from '../../documents/domain-link.tsx'
import { FormatEnds } from '../../documents/format-ends.tsx'
import { CompareVersionsLink } from '../../documents/compare-versions-link.tsx'
import { HistoryList } from '../../documents/history-list.tsx'
import { SourceTab } from '../../documents/source-tab.tsx'
import { usePreparedSource } from '../../documents/source-view.tsx'
import { MissingDocument } from '../../documents/missing-document.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { DocumentStatus, Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths, withQuery } from '../../paths.ts'
import { NextStep } from '../../shell/next-step.tsx'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { lineageQuery } from './lineage-query.ts'
import { Overview } from './overview.tsx'
import { portContractsQuery } from './ports.tsx'
import { PRODUCT_KIND } from './product-kind.ts'
import { useProduct, type ShownProduct } from './product-query.ts'
import { TeamLink } from '../../documents/team-link.tsx'

const VIEWS = ['overview', 'history', 'source']
const VIEW = { view: 'overview' }
const TRAIL = [PRODUCT_KIND.list]

/** Everything about a data product: what it is, its ports, its neighbours, its history, its source. */
export function DataProductPage() {
  const id = usePathId() ?? ''
  const product = useProduct(id)
  usePreparedSource(useUrlState(VIEW)[0].view === 'source')
  // Requested together with the document, not after it.
  usePrefetchQuery(portContractsQuery(id))
  usePrefetchQuery(lineageQuery(id, '1'))
  return (
    <Loaded
      query={product}
      skeleton={
        <Page title={id} trail={TRAIL}>
          <Skeleton lines={8} />
        </Page>
      }
      missing={<Missing id={id} />}
    >
      {(shown) => <Shown key={id} id={id} shown={shown} />}
    </Loaded>
  )
}

function Missing({ id }: { id: string }) {
  return (
    <MissingDocument kind={PRODUCT_KIND} id={id}>
      <Empty
        title="Not found"
        action={<Link href={PRODUCT_KIND.list.href}>See all data products</Link>}
      >
        No data product has the id <code className="user-text">{id}</code>. If it belongs to another
        organization, switch to it at the top left.
      </Empty>
    </MissingDocument>
  )
}

function Shown({ id, shown }: { id: string; shown: ShownProduct }) {
  const session = useSession()
  const [{ view }] = useUrlState(VIEW)
  const { product, endsOn } = shown
  const tab = (title: string, name: string) => ({
    title,
    href: paths.dataProduct(id, name === VIEW.view ? {} : { view: name }),
    isCurrent: name === (VIEWS.includes(view) ? view : VIEW.view),
  })
  return (
    <Page
      title={product.name}
      trail={TRAIL}
      marks={<Marks product={product} />}
      facts={
        <>
          <span>
            Owned by <TeamLink id={product.ownerTeamId ?? ''} />
          </span>
          {product.domain !== undefined && <DomainLink domain={product.domain} />}
          <span className="flex min-w-0 items-center">
            <code className="user-text">{id}</code>
            <CopyIcon text={id} label="Copy id" />
          </span>
        </>
      }
      actions={
        <ButtonLink
          href={paths.editDataProduct(id)}
          icon={Pencil}
          reason={may(session, 'RESOURCES_EDIT', product.ownerTeamId ?? null).reason}
        >
          Edit
        </ButtonLink>
      }
    >
      <NextStep />
      {endsOn !== undefined && (
        <FormatEnds
          format="DPS"
          successor="ODPS"
          endsOn={endsOn}
          owner={product.ownerTeamId}
          convertHref={withQuery(paths.editDataProduct(id), { from: 'odps' })}
        >
          Review the converted document and its changes before you save. The id and the ports stay
          the same, so consumers are not affected. Fields that ODPS does not have are kept as custom
          properties.
        </FormatEnds>
      )}
      <Tabs
        label="Views of the data product"
        tabs={[tab('Overview', 'overview'), tab('History', 'history'), tab('Source', 'source')]}
      />
      <View view={view} id={id} shown={shown} />
    </Page>
  )
}

function Marks({ product }: { product: ShownProduct['product'] }) {
  const { status, format, formatVersion } = product
  return (
    <>
      <DocumentStatus status={status} />
      <Tag>{[format.toUpperCase(), formatVersion].filter(Boolean).join(' ')}</Tag>
    </>
  )
}

interface ViewProps {
  view: string
  id: string
  shown: ShownProduct
}

function View({ view, id, shown }: ViewProps) {
  if (view === 'source')
    return <SourceTab id={id} stored={shown.stored} list="/api/dataproducts" noun="data product" />
  if (view !== 'history') return <Overview id={id} shown={shown} />
  return (
    <Panel title="History" actions={<CompareVersionsLink kind={PRODUCT_KIND} id={id} />}>
      <HistoryList kind={PRODUCT_KIND} id={id} max={50} />
    </Panel>
  )
}
