import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import {
  AccessState,
  ConsumerLink,
  EndsSoon,
  Provisioning,
} from '../../documents/access/access-parts.tsx'
import { agreementQuery } from '../../documents/access/access-queries.ts'
import { describeNextStep, type Side } from '../../documents/access/next-step.ts'
import { mayActForConsumer } from '../../documents/access/own-side.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Page, Panel } from '../../parts/page.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { Actions } from './actions.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { DecisionPanel, TermsPanel } from './panels.tsx'
import { ProvisioningNotice, ProvisioningPanel } from './provisioning-panel.tsx'

const UseIt = lazyPart(() => import('../../documents/access/use-it.tsx'), 'UseIt')

type AgreementDetails = Schemas['AgreementDetails']

const MY_DATA = { title: 'My data', href: paths.myData() }

/** An access agreement: what happens next, how to use it, its terms, the decision, and its history. */
export function AgreementPage() {
  const id = usePathId() ?? ''
  const query = useQuery(agreementQuery(id))
  return (
    <Loaded
      query={query}
      frame={{ title: 'Access agreement', trail: [MY_DATA] }}
      skeleton={{ lines: 8, label: 'Loading the agreement' }}
      missing={
        <MissingThing called="agreement" action={<Link href={paths.myData()}>Open My data</Link>} />
      }
    >
      {(agreement) => <Details key={id} agreement={agreement} />}
    </Loaded>
  )
}

function Details({ agreement }: { agreement: AgreementDetails }) {
  const session = useSession()
  const { id, state, productName, productId, port, portName } = agreement
  const side = {
    isConsumer: mayActForConsumer(session, agreement).allowed,
    isApprover: may(session, 'ACCESS_APPROVE', agreement.providerTeam).allowed,
  }
  const isInForce = state === 'active' || state === 'upcoming'
  return (
    <Page
      title={`${productName ?? productId}: ${portName ?? port}`}
      trail={[getList(agreement, side)]}
      marks={
        <>
          <AccessState state={state} status={agreement.status} />
          <EndsSoon {...agreement} />
          <Provisioning status={agreement.provisioningStatus} />
        </>
      }
      facts={<Parties agreement={agreement} />}
      actions={<Actions agreement={agreement} />}
    >
      <div className="grid gap-5">
        <NextStepNotice agreement={agreement} side={side} />
        <ContractNotice agreement={agreement} />
        <ProvisioningNotice reports={agreement.reports} />
        <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <div className="grid min-w-0 gap-5">
            {isInForce && (
              <Panel title="Use it">
                <Suspense fallback={<Skeleton lines={6} label="Loading the connection" />}>
                  <UseIt subject={{ agreementId: id }} />
                </Suspense>
              </Panel>
            )}
            <TermsPanel agreement={agreement} />
          </div>
          <div className="grid min-w-0 gap-5">
            <DecisionPanel agreement={agreement} />
            <ProvisioningPanel agreement={agreement} />
            <HistoryPanel agreement={agreement} />
          </div>
        </div>
      </div>
    </Page>
  )
}

// The list in which the person meets it: as one who decides, as the consumer, or as a reader of the data product.
function getList(
  { isDecider, productId, productName }: AgreementDetails,
  { isConsumer, isApprover }: Side,
): { title: string; href: string } {
  if (isDecider || (isApprover && !isConsumer)) return { title: 'Requests', href: paths.requests() }
  if (isConsumer || productName === null) return MY_DATA
  return { title: productName, href: paths.dataProduct(productId, { view: 'access' }) }
}

/** Both sides of an agreement in one line. */
function Parties({ agreement }: { agreement: AgreementDetails }) {
  const { id, productId, productName, providerTeam, consumerType, consumerTeam } = agreement
  return (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-1.5">
        For <ConsumerLink {...agreement} />
        {consumerType === 'dataproduct' && consumerTeam !== null && (
          <>
            of <TeamLink id={consumerTeam} />
          </>
        )}
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-1.5">
        From{' '}
        {productName === null ? (
          <span className="user-text">{productId} (deleted)</span>
        ) : (
          <NameLink href={paths.dataProduct(productId)} name={productName} lines={1} />
        )}{' '}
        of <TeamLink id={providerTeam} />
      </span>
      <span className="flex min-w-0 items-center">
        <code className="user-text">{id}</code>
        <CopyIcon text={id} label="Copy id" />
      </span>
    </>
  )
}

interface NextStepNoticeProps {
  agreement: AgreementDetails
  side: Side
}

/** The next step: what happens now, who acts, and by when. */
function NextStepNotice({ agreement, side }: NextStepNoticeProps) {
  const { tone, title, text } = describeNextStep(agreement, side)
  const { state, decisionReason, endReason } = agreement
  const reason = state === 'rejected' ? decisionReason : state === 'canceled' ? endReason : null
  return (
    <Notice tone={tone} title={title}>
      {reason !== null && (
        <div className="mb-1">
          <LongText text={`Reason: ${reason}`} />
        </div>
      )}
      {text}
    </Notice>
  )
}

/** Warns both sides that the contract has changed since the approval, with a link to the comparison. */
function ContractNotice({ agreement }: { agreement: AgreementDetails }) {
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
