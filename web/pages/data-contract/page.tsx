import { usePrefetchQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { may, useSession } from '../../api/session.ts'
import { CompareVersionsLink } from '../../documents/compare-versions-link.tsx'
import { FormatEnds } from '../../documents/format-ends.tsx'
import { SourceTab } from '../../documents/source-tab.tsx'
import { usePreparedSource } from '../../documents/source-view.tsx'
import { MissingDocument } from '../../documents/missing-document.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty, Skeleton } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { DocumentStatus, Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths, withQuery } from '../../paths.ts'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_URL_STATE, VIEWS, type ContractView } from './contract-view.ts'
import { modelQuery, useContract, type ShownContract } from './contract-query.ts'
import { CONTRACT_KIND } from './contract-kind.ts'
import { ContractOwner } from './contract-owner.tsx'
import { ExportsView } from './exports-view.tsx'
import { HistoryView } from './history-view.tsx'
import { OverviewView } from './overview-view.tsx'
import { QualityView } from './quality-view.tsx'
import { ServersView } from './servers-view.tsx'
import { UseView } from './use-view.tsx'

const TRAIL = [{ title: 'Data contracts', href: paths.dataContracts }]

/** A data contract: what it promises, who builds on it, and how it came about. */
export function DataContractPage() {
  const id = usePathId() ?? ''
  const query = useContract(id)
  usePreparedSource(useUrlState(CONTRACT_URL_STATE)[0].view === 'source')
  // Its models are asked for along with it, not after it.
  usePrefetchQuery(modelQuery(id))
  if (query.data !== undefined) return <Shown id={id} shown={query.data} />
  const skeleton = (
    <Page title={id} trail={TRAIL}>
      <Skeleton lines={8} />
    </Page>
  )
  return (
    <Loaded query={query} skeleton={skeleton} missing={<Missing id={id} />}>
      {() => null}
    </Loaded>
  )
}

function Missing({ id }: { id: string }) {
  return (
    <MissingDocument kind={CONTRACT_KIND} id={id}>
      <Empty
        title="Not found"
        action={<ButtonLink href={paths.newDataContract({ id })}>Create data contract</ButtonLink>}
      >
        No data contract has the id <code className="user-text">{id}</code>. A port that names it
        resolves when the contract is registered. If it belongs to another organization, switch to
        it at the top left.
      </Empty>
    </MissingDocument>
  )
}

function Shown({ id, shown }: { id: string; shown: ShownContract }) {
  const [{ view }] = useUrlState(CONTRACT_URL_STATE)
  const session = useSession()
  const { contract, endsOn } = shown
  const tabs = VIEWS.map(({ key, title }) => ({
    title,
    href: paths.dataContract(id, { view: key === 'overview' ? '' : key }),
    isCurrent: key === view,
    count: key === 'servers' ? contract.servers.length : undefined,
  }))
  return (
    <Page
      title={contract.name}
      trail={TRAIL}
      marks={<Marks shown={shown} />}
      facts={<HeadFacts id={id} shown={shown} />}
      actions={
        <>
          <CompareVersionsLink kind={CONTRACT_KIND} id={id} />
          <ButtonLink
            href={paths.editDataContract(id)}
            icon={Pencil}
            reason={may(session, 'RESOURCES_EDIT', contract.ownerTeamId ?? null).reason}
          >
            Edit
          </ButtonLink>
        </>
      }
    >
      {endsOn !== undefined && (
        <FormatEnds
          format="DCS"
          successor="ODCS"
          endsOn={endsOn}
          owner={contract.ownerTeamId}
          convertHref={withQuery(paths.editDataContract(id), { from: 'odcs' })}
          previewHref={paths.dataContract(id, { view: 'exports', as: 'odcs' })}
        >
          The id stays the same, so data products are not affected. Fields that ODCS does not have
          are kept as custom properties, and the old version stays in the history.
        </FormatEnds>
      )}
      <Tabs label="Views of the data contract" tabs={tabs} />
      <View view={view} id={id} shown={shown} />
    </Page>
  )
}

function Marks({ shown: { contract } }: { shown: ShownContract }) {
  const { status, format, formatVersion } = contract
  return (
    <>
      <DocumentStatus status={status} />
      <Tag>{[format.toUpperCase(), formatVersion].filter(Boolean).join(' ')}</Tag>
    </>
  )
}

function HeadFacts({ id, shown: { contract, stored } }: { id: string; shown: ShownContract }) {
  const { version } = contract
  return (
    <>
      <ContractOwner id={id} stored={stored} />
      {version !== undefined && <span className="user-text">Version {version}</span>}
      <span className="flex min-w-0 items-center">
        <code className="user-text">{id}</code>
        <CopyIcon text={id} label="Copy id" />
      </span>
    </>
  )
}

interface ViewProps {
  view: string
  id: string
  shown: ShownContract
}

function View({ view, id, shown }: ViewProps) {
  const views: Record<ContractView, () => React.ReactNode> = {
    overview: () => <OverviewView id={id} shown={shown} />,
    quality: () => <QualityView id={id} shown={shown} />,
    servers: () => <ServersView servers={shown.contract.servers} />,
    use: () => <UseView id={id} />,
    exports: () => <ExportsView id={id} />,
    history: () => <HistoryView id={id} />,
    source: () => (
      <SourceTab id={id} stored={shown.stored} list="/api/datacontracts" noun="data contract" />
    ),
  }
  const found = VIEWS.find(({ key }) => key === view)
  return views[found?.key ?? 'overview']()
}
