import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { NameLink } from '../../parts/link.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { TeamLink } from '../team-link.tsx'
import {
  AccessState,
  ConsumerLink,
  ContractChanged,
  EndsSoon,
  Provisioning,
  Roles,
} from './access-parts.tsx'
import { describePeriod, type ListedAgreement } from './access-words.ts'

interface AgreementListProps {
  /** The accessible name of the list. */
  label: string
  agreements: readonly Schemas['ListedAgreement'][]
  /** Before an agreement: its checkbox. */
  renderLead?: (agreement: ListedAgreement) => ReactNode
  /** Beside its name. */
  renderMarks?: (agreement: ListedAgreement) => ReactNode
  /** Its buttons. */
  renderActions?: (agreement: ListedAgreement) => ReactNode
  /** Below its terms. */
  renderNotice?: (agreement: ListedAgreement) => ReactNode
}

/** Agreements, each with its parties, its purpose and its terms. */
export function AgreementList({
  label,
  agreements,
  renderLead,
  renderMarks,
  renderActions,
  renderNotice,
}: AgreementListProps) {
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {agreements.map((agreement) => (
        <li key={agreement.id} className="flex gap-3 px-4 py-3">
          {renderLead?.(agreement)}
          <Item
            agreement={agreement}
            marks={renderMarks?.(agreement)}
            actions={renderActions?.(agreement)}
            notice={renderNotice?.(agreement)}
          />
        </li>
      ))}
    </ul>
  )
}

/** Returns the name of an agreement: of its data product and output port. */
export function nameAgreement({
  productName,
  productId,
  port,
}: Pick<ListedAgreement, 'productName' | 'productId' | 'port'>): string {
  return `${productName ?? productId}: ${port}`
}

interface ItemProps {
  agreement: ListedAgreement
  marks: ReactNode
  actions: ReactNode
  notice: ReactNode
}

function Item({ agreement, marks, actions, notice }: ItemProps) {
  const { id, state, purpose } = agreement
  const reason = agreement.endReason ?? agreement.decisionReason
  return (
    <article className="grid min-w-0 flex-1 gap-1.5 sm:grid-cols-[minmax(0,1fr)_auto] sm:gap-x-6">
      <div className="grid min-w-0 content-start gap-1.5">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="min-w-0 text-base">
            <NameLink
              href={paths.access(id)}
              className="font-semibold"
              name={nameAgreement(agreement)}
              lines={2}
            />
          </h3>
          {marks}
          <AccessState state={state} status={agreement.status} />
          <EndsSoon {...agreement} />
          <ContractChanged {...agreement} />
          <Provisioning status={agreement.provisioningStatus} />
        </div>
        <Parties agreement={agreement} />
        <p className="user-text line-clamp-3 max-w-prose">{purpose}</p>
        <Terms agreement={agreement} />
        {notice}
        {reason !== null && (
          <p className="user-text line-clamp-2 max-w-prose text-sm text-muted">Reason: {reason}</p>
        )}
      </div>
      {actions !== undefined && (
        <div className="flex flex-wrap content-start items-start gap-2">{actions}</div>
      )}
    </article>
  )
}

const LINE = 'flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm text-muted'

function Parties({ agreement }: Pick<ItemProps, 'agreement'>) {
  const { providerTeam, requestedAt, requestedByName, consumerType, consumerName } = agreement
  const isOwnName = consumerType === 'user' && requestedByName === consumerName
  return (
    <div className={LINE}>
      <span className="flex min-w-0 items-center gap-1.5">
        For <ConsumerLink {...agreement} />
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        From <TeamLink id={providerTeam} />
      </span>
      <span>
        Requested <Time at={requestedAt} />
        {!isOwnName && requestedByName !== null && (
          <span className="user-text"> by {requestedByName}</span>
        )}
      </span>
    </div>
  )
}

function Terms({ agreement }: Pick<ItemProps, 'agreement'>) {
  const { roles, contractId, contractVersion } = agreement
  return (
    <div className={LINE}>
      <span>{describePeriod(agreement)}</span>
      {roles.length > 0 && (
        <span className="flex min-w-0 flex-wrap items-center gap-1.5">
          Roles <Roles roles={roles} />
        </span>
      )}
      {contractId !== null && (
        <span className="flex min-w-0 items-center gap-1">
          Contract
          <NameLink href={paths.dataContract(contractId)} name={contractId} lines={1} />
          <span className="user-text">{contractVersion}</span>
        </span>
      )}
    </div>
  )
}
