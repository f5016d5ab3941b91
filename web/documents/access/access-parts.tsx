import { Boxes, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { Avatar, IconAvatar } from '../../parts/avatar.tsx'
import { NameLink } from '../../parts/link.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import { TeamLink } from '../team-link.tsx'
import {
  countDaysLeft,
  describeEnd,
  describeProvisioning,
  describeState,
  type AgreementState,
  type ListedAgreement,
} from './access-words.ts'

/** The state of an agreement. */
export function AccessState({
  state,
  status,
}: {
  state: AgreementState
  status?: ListedAgreement['status']
}) {
  const { tone, word } = describeState(state, status)
  return <Status tone={tone}>{word}</Status>
}

/** The end of an active agreement, if it is soon. */
export function EndsSoon({ state, endOn }: Pick<ListedAgreement, 'state' | 'endOn'>) {
  const end = state === 'active' ? describeEnd(countDaysLeft(endOn)) : undefined
  return end === undefined ? null : <Status tone="caution">{end}</Status>
}

/** Warns that the contract has changed since the approval. */
export function ContractChanged({
  contractChangedAt,
  contractChangedLevel,
}: Pick<ListedAgreement, 'contractChangedAt' | 'contractChangedLevel'>) {
  if (contractChangedAt === null) return null
  const isBreaking = contractChangedLevel === 'breaking'
  return (
    <Status tone={isBreaking ? 'critical' : 'caution'}>
      {isBreaking ? 'Breaking change since approval' : 'Contract changed since approval'}
    </Status>
  )
}

/** The state of provisioning; nothing before the first report. */
export function Provisioning({ status }: { status: ListedAgreement['provisioningStatus'] }) {
  if (status === null) return null
  const { tone, word } = describeProvisioning(status)
  return <Status tone={tone}>{word}</Status>
}

type Consumer = Pick<
  ListedAgreement,
  'consumerType' | 'consumerTeam' | 'consumerUser' | 'consumerProduct' | 'consumerName'
>

/** The consumer of an agreement: a person, a team or a data product. */
export function ConsumerLink(props: Consumer) {
  const { consumerType, consumerTeam, consumerUser, consumerProduct, consumerName } = props
  if (consumerType === 'team' && consumerTeam !== null) {
    return <TeamLink id={consumerTeam} name={consumerName} />
  }
  if (consumerProduct !== null) {
    return (
      <Labelled icon={<Boxes size={12} aria-hidden />}>
        <NameLink
          href={paths.dataProduct(consumerProduct)}
          name={consumerName ?? consumerProduct}
          lines={1}
        />
      </Labelled>
    )
  }
  if (consumerName === null) {
    return (
      <Labelled icon={<User size={12} aria-hidden />}>
        <span className="text-muted">A person who has left</span>
      </Labelled>
    )
  }
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle">
      <Avatar name={consumerName} id={consumerUser ?? ''} kind="person" size="small" />
      <span className="user-text line-clamp-1">{consumerName}</span>
    </span>
  )
}

function Labelled({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-middle">
      <IconAvatar size="small">{icon}</IconAvatar>
      {children}
    </span>
  )
}

/** The roles that an agreement grants. */
export function Roles({ roles }: { roles: readonly string[] }) {
  return (
    <span className="inline-flex min-w-0 flex-wrap gap-1 align-middle">
      {roles.map((role) => (
        <Tag key={role}>{role}</Tag>
      ))}
    </span>
  )
}
