import { usePrefetchQuery } from '@tanstack/react-query'
import { FilePlus2, Pencil } from 'lucide-react'
import { isContainerType } from '../../../formats/asset/asset.ts'
import { api, type Schemas } from '../../api/client.ts'
import { may, maySomewhere, useSession } from '../../api/session.ts'
import { Trusts, TrustStrip } from '../../documents/trust-strip.tsx'
import { AssetIcon, assetWord } from '../../parts/asset-kind.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { DocumentStatus, Status, Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths, withQuery } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { AnnotationDialog } from './annotation-dialog.tsx'
import { readInfo } from './asset-document.ts'
import { DescriptionsPanel } from './descriptions-panel.tsx'
import { DocumentView } from './document-view.tsx'
import { draftReason } from './draft-reason.ts'
import { FactsPanel } from './facts-panel.tsx'
import { StatisticsPanel } from './statistics-panel.tsx'
import { PromisedByPanel } from './promised-by-panel.tsx'
import { HistoryView } from './history-view.tsx'
import {
  ColumnsPanel,
  modelQuery,
  ContentsPanel,
  ProductsPanel,
  PropertiesPanel,
} from './panels.tsx'

type AssetPageData = Schemas['AssetPage']

/** The state of the page in its address. `edit` = the annotation is being edited. */
const USUAL = { view: '', filter: '', version: '', layer: '', edit: '' }

type State = typeof USUAL

/** An asset: its descriptions, its columns, its details and the products that use it. */
export function AssetPage() {
  const id = usePathId() ?? ''
  const asset = api.useQuery('get', '/ui/assets/{id}', { params: { path: { id } } })
  // The columns load along with the asset, not after it.
  usePrefetchQuery(modelQuery(id))
  return (
    <Loaded
      query={asset}
      skeleton={
        <Page title="Asset">
          <Skeleton lines={10} label="Loading the asset" />
        </Page>
      }
      missing={<NoAsset />}
    >
      {(page) => <LoadedAsset key={page.id} page={page} />}
    </Loaded>
  )
}

function LoadedAsset({ page }: { page: AssetPageData }) {
  const [state, set] = useUrlState<State>(USUAL)
  const { id, name, type, asset, integration } = page
  const info = readInfo(asset)
  return (
    <Page
      title={name === '' ? id : name}
      trail={getTrail(page)}
      marks={
        <>
          <Tag>
            <AssetIcon type={type} size={12} />
            <span className="ml-1">{assetWord(type)}</span>
          </Tag>
          {page.isDeleted ? (
            <Status tone="off">Removed from source</Status>
          ) : (
            <DocumentStatus status={info.status} />
          )}
        </>
      }
      facts={
        <>
          {info.ownerId !== undefined && (
            <Link href={paths.team(info.ownerId)} className="user-text">
              {page.ownerName ?? info.ownerId}
            </Link>
          )}
          <span className="user-text flex items-center gap-1.5">
            {integration !== null && <PlatformMark source={integration.source} size={16} />}
            {integration === null ? 'Without an integration' : `From ${integration.name}`}
          </span>
        </>
      }
      signals={
        <Trusts of={[{ resourceType: 'DATA_ASSET', id }]}>
          <TrustStrip resourceType="DATA_ASSET" id={id} />
        </Trusts>
      }
      actions={<DraftLink page={page} />}
    >
      {page.isDeleted && <Gone />}
      <Tabs label="Views of the asset" tabs={getTabs(id, state.view)} />
      <View page={page} state={state} set={set} />
      {state.edit !== '' && page.isIngested && (
        <AnnotationDialog page={page} onClose={() => set({ edit: '' }, { replace: true })} />
      )}
    </Page>
  )
}

interface ViewProps {
  page: AssetPageData
  state: State
  set: (patch: Partial<State>, options?: { replace?: boolean }) => void
}

function View({ page, state, set }: ViewProps) {
  const { id } = page
  if (state.view === 'history') {
    return (
      <HistoryView
        id={id}
        isIngested={page.isIngested}
        version={state.version}
        onVersion={(version) => set({ version }, { replace: true })}
      />
    )
  }
  if (state.view === 'document') {
    return (
      <DocumentView
        id={id}
        isIngested={page.isIngested}
        layer={state.layer}
        onLayer={(layer) => set({ layer }, { replace: true })}
      />
    )
  }
  return <Overview page={page} state={state} set={set} />
}

function Overview({ page, state, set }: ViewProps) {
  const { id, asset, childCount } = page
  const { columnCount } = readInfo(asset)
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-5">
        <DescriptionsPanel
          page={page}
          actions={
            <EditButton page={page} onEdit={() => set({ edit: 'yes' }, { replace: true })} />
          }
        />
        {childCount > 0 && (
          <ContentsPanel id={id} childCount={childCount} treeHref={getTreeHref(page)} />
        )}
        {(columnCount > 0 || childCount === 0) && (
          <ColumnsPanel
            id={id}
            filter={state.filter}
            onFilter={(filter) => set({ filter }, { replace: true })}
          />
        )}
      </div>
      <div className="grid min-w-0 gap-5">
        <FactsPanel page={page} />
        {!isContainerType(page.type) && <PromisedByPanel id={id} />}
        {page.statistic !== null && <StatisticsPanel id={id} />}
        <ProductsPanel products={page.products} />
        <PropertiesPanel page={page} />
      </div>
    </div>
  )
}

function EditButton({ page, onEdit }: { page: AssetPageData; onEdit: () => void }) {
  const session = useSession()
  const owner = readInfo(page.asset).ownerId ?? null
  const reason = page.isDeleted
    ? 'This asset was removed from its source. It can be edited if it reappears there.'
    : may(session, 'ASSET_EDIT', owner).reason
  return (
    <Button icon={Pencil} reason={reason} onClick={onEdit}>
      Edit description
    </Button>
  )
}

function DraftLink({ page }: { page: AssetPageData }) {
  const session = useSession()
  return (
    <ButtonLink
      href={paths.newDataContract({ asset: page.id })}
      icon={FilePlus2}
      reason={draftReason(page) ?? maySomewhere(session, 'DATACONTRACT_ADD').reason}
    >
      Draft contract
    </ButtonLink>
  )
}

function Gone() {
  return (
    <div className="mb-4">
      <Notice tone="caution" title="Removed from source">
        The last run did not find it, or a client deleted it. It is kept for 14 days, with
        everything that people added. The next run that finds it brings it back.
      </Notice>
    </div>
  )
}

function NoAsset() {
  return (
    <Page title="Asset not found" trail={[{ title: 'Assets', href: paths.assets() }]}>
      <MissingThing called="asset" action={<Link href={paths.assets()}>See all assets</Link>}>
        Press <kbd>/</kbd> to search.
      </MissingThing>
    </Page>
  )
}

function getTrail({ integration, isIngested, parents }: AssetPageData) {
  const root =
    integration === null
      ? []
      : [
          {
            title: integration.name,
            href: paths.assets({ integration: integration.externalId }),
          },
        ]
  return [
    { title: 'Assets', href: isIngested ? paths.assets() : paths.assets({ clients: 'open' }) },
    ...root,
    ...parents.map(({ id, name }) => ({ title: name === '' ? id : name, href: paths.asset(id) })),
  ]
}

// Opens the asset and everything above it.
function getTreeHref({ id, integration, parents }: AssetPageData): string {
  return paths.assets({
    ...(integration === null ? { clients: 'open' } : { integration: integration.externalId }),
    open: [...parents.map((parent) => parent.id), id],
  })
}

function getTabs(id: string, view: string) {
  const tab = (title: string, name: string) => ({
    title,
    href: withQuery(paths.asset(id), { view: name }),
    isCurrent: view === name,
  })
  return [tab('Overview', ''), tab('History', 'history'), tab('Document', 'document')]
}
