import type { Schemas } from '../../api/client.ts'
import { describePeriod, describeState } from '../../documents/access/access-words.ts'
import { ConsumerLink, Roles } from '../../documents/access/access-parts.tsx'
import { ContractTermsView } from '../../documents/access/contract-terms.tsx'
import { TeamLink } from '../../documents/team-link.tsx'
import { NameLink } from '../../parts/link.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { dayText } from '../../parts/date-format.ts'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'

interface PanelProps {
  agreement: Schemas['AgreementDetails']
}

/** The purpose and the terms of an agreement, with those of the contract. */
export function TermsPanel({ agreement }: PanelProps) {
  const { purpose, roles, contractId, contractVersion, productId, reassessOn, status } = agreement
  return (
    <Panel title="Terms">
      <div className="grid gap-4">
        <Facts
          facts={[
            ['Purpose', <LongText key="purpose" text={purpose} />],
            ['Period', describePeriod(agreement)],
            ['Roles', roles.length === 0 ? null : <Roles key="roles" roles={roles} />],
            ['Reassessment', reassessOn === null ? null : dayText(reassessOn)],
            [
              status === 'approved' ? 'Approved contract version' : 'Contract version',
              contractVersion,
            ],
          ]}
        />
        {contractId === null ? (
          <p className="text-muted">The output port has no contract.</p>
        ) : (
          <div className="border-t border-line pt-4">
            <ContractTermsView contractId={contractId} productId={productId} />
          </div>
        )}
      </div>
    </Panel>
  )
}

/** Both sides of an agreement. */
export function PartiesPanel({ agreement }: PanelProps) {
  const { productId, productName, port, providerTeam, consumerType, consumerTeam } = agreement
  return (
    <Panel title="Parties">
      <Facts
        facts={[
          ['Consumer', <ConsumerLink key="consumer" {...agreement} />],
          [
            'Team',
            consumerType === 'dataproduct' && consumerTeam !== null ? (
              <TeamLink key="team" id={consumerTeam} />
            ) : null,
          ],
          [
            'Data product',
            <NameLink
              key="product"
              href={paths.dataProduct(productId)}
              name={productName ?? productId}
              lines={2}
            />,
          ],
          ['Output port', port],
          ['Owner', <TeamLink key="owner" id={providerTeam} />],
        ]}
      />
    </Panel>
  )
}

/** The request and the decision on it. */
export function DecisionPanel({ agreement }: PanelProps) {
  const { requestedAt, requestedByName, decidedAt, decidedByName, decisionReason } = agreement
  const { status, endReason } = agreement
  return (
    <Panel title="Decision">
      <Facts
        facts={[
          ['Requested', <ByAt key="requested" name={requestedByName} at={requestedAt} />],
          [
            status === 'rejected' ? 'Rejected' : 'Approved',
            decidedAt === null ? null : <ByAt key="decided" name={decidedByName} at={decidedAt} />,
          ],
          [
            'Reason',
            decisionReason === null ? null : <LongText key="reason" text={decisionReason} />,
          ],
          [
            'Reason for ending',
            endReason === null ? null : <LongText key="end" text={endReason} />,
          ],
        ]}
      />
      {decidedAt === null && (
        <p className="mt-3 text-muted">The team that owns the data product has not decided yet.</p>
      )}
    </Panel>
  )
}

function ByAt({ name, at }: { name: string | null; at: string }) {
  return (
    <span className="user-text">
      {name ?? 'Deleted account'}, <Time at={at} />
    </span>
  )
}

type HistoryState = Schemas['ListedAgreement']['state']

const STATES: readonly HistoryState[] = [
  'requested',
  'rejected',
  'upcoming',
  'active',
  'expired',
  'canceled',
]

/** The versions of an agreement, the newest first. */
export function HistoryPanel({ agreement: { history } }: PanelProps) {
  return (
    <Panel title="History">
      <ol className="grid gap-3">
        {history.map(({ version, at, state, byName }, index) => {
          const before = history[index + 1]?.state
          const named = STATES.find((one) => one === state)
          const { tone, word } =
            named === undefined
              ? { tone: 'neutral' as const, word: 'Changed' }
              : describeState(named)
          return (
            <li key={version} className="flex gap-2">
              <span className="mt-0.5">
                <ToneIcon tone={tone} />
              </span>
              <div className="min-w-0">
                <p>{before === state ? 'Terms changed' : word}</p>
                <p className="user-text text-sm text-muted">
                  {byName ?? 'Deleted account'}, <Time at={at} />
                </p>
              </div>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
