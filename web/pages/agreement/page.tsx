import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../api/client.ts'
import {
  AccessState,
  ConsumerLink,
  EndsSoon,
  Provisioning,
} from '../../documents/access/access-parts.tsx'
import { agreementQuery } from '../../documents/access/access-queries.ts'
import { nameAgreement } from '../../documents/access/agreement-list.tsx'
import { TeamLink } from '../../documents/team-link.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { Actions } from './actions.tsx'
import { DecisionPanel, HistoryPanel, PartiesPanel, TermsPanel } from './panels.tsx'
import { ProvisioningNotice, ProvisioningPanel } from './provisioning-panel.tsx'

const TRAIL = [{ title: 'My data', href: paths.myData() }]

/** An access agreement: its parties, its terms, the decision, and what became of it. */
export function AgreementPage() {
  const id = usePathId() ?? ''
  const query = useQuery(agreementQuery(id))
  return (
    <Loaded
      query={query}
      frame={{ title: 'Access agreement', trail: TRAIL }}
      skeleton={{ lines: 8, label: 'Loading the agreement' }}
      missing={
        <MissingThing called="agreement" action={<Link href={paths.myData()}>Open My data</Link>} />
      }
    >
      {(agreement) => <Details key={id} agreement={agreement} />}
    </Loaded>
  )
}

function Details({ agreement }: { agreement: Schemas['AgreementDetails'] }) {
  const { id, state, providerTeam } = agreement
  return (
    <Page
      title={nameAgreement(agreement)}
      trail={TRAIL}
      marks={
        <>
          <AccessState state={state} />
          <EndsSoon {...agreement} />
          <Provisioning status={agreement.provisioningStatus} />
        </>
      }
      facts={
        <>
          <span className="flex min-w-0 items-center gap-1.5">
            For <ConsumerLink {...agreement} />
          </span>
          <span className="flex min-w-0 items-center gap-1.5">
            From <TeamLink id={providerTeam} />
          </span>
          <span className="flex min-w-0 items-center">
            <code className="user-text">{id}</code>
            <CopyIcon text={id} label="Copy id" />
          </span>
        </>
      }
      actions={<Actions agreement={agreement} />}
    >
      <div className="grid gap-5">
        <ContractNotice agreement={agreement} />
        <ProvisioningNotice reports={agreement.reports} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-5">
            <TermsPanel agreement={agreement} />
            <DecisionPanel agreement={agreement} />
            <ProvisioningPanel reports={agreement.reports} />
          </div>
          <div className="grid min-w-0 gap-5">
            <PartiesPanel agreement={agreement} />
            <HistoryPanel agreement={agreement} />
          </div>
        </div>
      </div>
    </Page>
  )
}

/** Warns both sides that the contract has changed since the approval, with a link to the comparison. */
function ContractNotice({ agreement }: { agreement: Schemas['AgreementDetails'] }) {
  const { contractId, contractChangedAt, contractChangedLevel, contractRevision } = agreement
  if (contractId === null || contractChangedAt === null) return null
  const isBreaking = contractChangedLevel === 'breaking'
  const from = contractRevision === null ? undefined : String(contractRevision)
  return (
    <Notice
      tone={isBreaking ? 'critical' : 'caution'}
      title={
        isBreaking
          ? 'The contract has a breaking change since the approval'
          : 'The contract has changed since the approval'
      }
      actions={
        <ButtonLink href={paths.dataContractVersions(contractId, { from })}>
          Compare versions
        </ButtonLink>
      }
    >
      It changed <Time at={contractChangedAt} />. Check whether the data still fits the purpose.
    </Notice>
  )
}
