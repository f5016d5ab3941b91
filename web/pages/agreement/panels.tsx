import type { Schemas } from '../../api/client.ts'
import { describePeriod } from '../../documents/access/access-words.ts'
import { Roles } from '../../documents/access/access-parts.tsx'
import { ContractTermsView } from '../../documents/access/contract-terms.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { dayText } from '../../parts/date-format.ts'
import { Time } from '../../parts/time.tsx'

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

/** The request and the decision on it; the reasons of ends are at the head of the page. */
export function DecisionPanel({ agreement }: PanelProps) {
  const { requestedAt, requestedByName, decidedAt, decidedByName, decisionReason } = agreement
  const { status } = agreement
  return (
    <Panel title={decidedAt === null ? 'Request' : 'Decision'}>
      <Facts
        facts={[
          ['Requested', <ByAt key="requested" name={requestedByName} at={requestedAt} />],
          [
            status === 'rejected' ? 'Rejected' : 'Approved',
            decidedAt === null ? null : <ByAt key="decided" name={decidedByName} at={decidedAt} />,
          ],
          [
            'Reason',
            decisionReason === null || status === 'rejected' ? null : (
              <LongText key="reason" text={decisionReason} />
            ),
          ],
        ]}
      />
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
