import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { isEndingStatus } from '../../../formats/data-product/standing.ts'
import { readStoredFacts } from '../../../formats/data-contract/facts.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { DeprecationNotice, Deprecations } from '../../documents/deprecations.tsx'
import { hasDeprecated } from '../../parts/schema-tree-rows.ts'
import {
  CompareVersionsLink,
  DocumentPage,
  findView,
  HistoryPanel,
  LoadedDocument,
  useShownDocument,
} from '../../documents/document-page.tsx'
import { FollowButton, followQuery } from '../../documents/follow-button.tsx'
import { FormatEnds } from '../../documents/format-ends.tsx'
import { SourceTab } from '../../documents/source-tab.tsx'
import { Trusts, TrustStrip } from '../../documents/trust-strip.tsx'
import { usePreparedSource } from '../../documents/source-view.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { paths } from '../../paths.ts'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_KIND } from './contract-kind.ts'
import { ContractOwner } from './contract-owner.tsx'
import { modelQuery, type ShownContract, CONTRACT_URL_STATE, VIEWS } from './contract-query.ts'
import { ContractNextSteps } from './next-steps.tsx'
import { ExportsView } from './exports-view.tsx'
import { OverviewView } from './overview-view.tsx'
import { RealityView } from './reality-view.tsx'
import { QualityView } from './quality-view.tsx'
import { ServersView } from './servers-view.tsx'
import { UseView } from './use-view.tsx'

/** A data contract: its models and terms, its users, its exports and its history. */
export function DataContractPage() {
  const id = usePathId() ?? ''
  const contract = useShownDocument(CONTRACT_KIND, id, readStoredFacts)
  usePreparedSource(useUrlState(CONTRACT_URL_STATE)[0].view === 'source')
  // Requested together with the document, not after it.
  usePrefetchQuery(modelQuery(id))
  usePrefetchQuery(followQuery({ kind: 'data-contract', id }))
  const { reason } = maySomewhere(useSession(), 'DATACONTRACT_ADD')
  const missing = {
    action: (
      <ButtonLink href={paths.newDataContract({ id })} reason={reason}>
        Create data contract
      </ButtonLink>
    ),
    text: 'A port that names it resolves when the contract is registered.',
  }
  return (
    <LoadedDocument kind={CONTRACT_KIND} id={id} query={contract} missing={missing}>
      {(shown) => <LoadedContract id={id} shown={shown} />}
    </LoadedDocument>
  )
}

function LoadedContract({ id, shown }: { id: string; shown: ShownContract }) {
  const { data: model } = useQuery(modelQuery(id))
  const isDeprecated =
    isEndingStatus(shown.facts.status) || (model !== undefined && hasDeprecated(model.models))
  return (
    <Deprecations of={isDeprecated ? [{ kind: 'data-contract', id }] : []}>
      <Trusts of={[{ resourceType: 'DATA_CONTRACT', id }]}>
        <ContractViews id={id} shown={shown} />
      </Trusts>
    </Deprecations>
  )
}

function ContractViews({ id, shown }: { id: string; shown: ShownContract }) {
  const [{ view }] = useUrlState(CONTRACT_URL_STATE)
  const { facts, stored, endsOn } = shown
  return (
    <DocumentPage
      kind={CONTRACT_KIND}
      id={id}
      facts={facts}
      summary={
        <>
          <ContractOwner id={id} stored={stored} />
          {facts.version !== undefined && (
            <span className="user-text">Version {facts.version}</span>
          )}
        </>
      }
      signals={<TrustStrip resourceType="DATA_CONTRACT" id={id} />}
      actions={
        <>
          <FollowButton kind="data-contract" id={id} />
          <CompareVersionsLink kind={CONTRACT_KIND} id={id} />
        </>
      }
      views={VIEWS.map((one) =>
        one.key === 'servers' ? { ...one, count: facts.servers.length } : one,
      )}
      view={view}
      notices={
        <>
          <ContractNextSteps id={id} />
          <DeprecationNotice kind="data-contract" id={id} />
          {endsOn !== undefined && (
            <FormatEnds
              format="DCS"
              successor="ODCS"
              endsOn={endsOn}
              permissions="DATACONTRACT"
              owner={facts.ownerTeamId}
              convertHref={paths.editDataContract(id, { from: 'odcs' })}
              previewHref={paths.dataContract(id, { view: 'exports', as: 'odcs' })}
            >
              The id stays the same, so data products are not affected. Fields that ODCS does not
              have are kept as custom properties, and the old version stays in the history.
            </FormatEnds>
          )}
        </>
      }
    >
      <View view={view} id={id} shown={shown} />
    </DocumentPage>
  )
}

interface ViewProps {
  view: string
  id: string
  shown: ShownContract
}

function View({ view, id, shown }: ViewProps) {
  switch (findView(VIEWS, view)) {
    case 'overview':
      return <OverviewView id={id} shown={shown} />
    case 'quality':
      return <QualityView id={id} shown={shown} />
    case 'servers':
      return <ServersView id={id} servers={shown.facts.servers} />
    case 'reality':
      return <RealityView id={id} shown={shown} />
    case 'use':
      return <UseView id={id} />
    case 'exports':
      return <ExportsView id={id} />
    case 'history':
      return <HistoryPanel kind={CONTRACT_KIND} id={id} max={100} />
    case 'source':
      return <SourceTab kind={CONTRACT_KIND} id={id} stored={shown.stored} />
  }
}
