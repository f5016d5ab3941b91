import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import {
  portQuery,
  summariesQuery,
  type RequestConsumer,
} from '../../documents/access/access-queries.ts'
import { ClassifiedData } from '../../documents/access/classified-data.tsx'
import { ContractTermsView } from '../../documents/access/contract-terms.tsx'
import { DeprecatedUse, listUsedDocuments } from '../../documents/access/deprecated-use.tsx'
import { listDeciders } from '../../documents/access/next-step.ts'
import { RoleChoice } from '../../documents/access/role-choice.tsx'
import { Deprecations } from '../../documents/deprecations.tsx'
import { TeamLink } from '../../documents/team-link.tsx'
import type { Schemas } from '../../api/client.ts'
import { IconButton } from '../../parts/button.tsx'
import { capitalize } from '../../parts/capitalize.ts'
import { Link, NameLink } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Facts } from '../../parts/page.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'
import type { PortChoice } from './request-draft.ts'

interface PortCardProps {
  choice: PortChoice
  consumer: RequestConsumer
  onChange: (choice: PortChoice) => void
  /** Undefined = the port cannot be removed. */
  onRemove: (() => void) | undefined
}

/** An output port of a request: its terms, who decides, and the roles to request. */
export function PortCard({ choice, consumer, onChange, onRemove }: PortCardProps) {
  const { productId, port } = choice
  const query = useQuery(portQuery(productId, port, consumer))
  const name = query.data?.port.name ?? port
  return (
    <li className="relative grid gap-4 p-4">
      {onRemove !== undefined && (
        <IconButton
          label={`Remove ${name} from the basket`}
          icon={X}
          className="absolute! top-2 right-2"
          onClick={onRemove}
        />
      )}
      <Loaded
        query={query}
        skeleton={{ lines: 4, isFlush: true, label: 'Loading the output port' }}
        missing={
          <p className="pr-8">
            <span className="user-text">
              Data product <code>{productId}</code> has no output port <code>{port}</code> any more.
            </span>{' '}
            {onRemove !== undefined && 'Remove it to request the others.'}
          </p>
        }
      >
        {(found) => <PortDetails choice={choice} found={found} onChange={onChange} />}
      </Loaded>
    </li>
  )
}

interface PortDetailsProps extends Pick<PortCardProps, 'choice' | 'onChange'> {
  found: Schemas['RequestablePort']
}

function PortDetails({ choice, found, onChange }: PortDetailsProps) {
  const { productId, productName, port, team } = found
  const use = { productId, port: port.id, contractId: port.contractId }
  return (
    <Deprecations of={listUsedDocuments([use])}>
      <div className="grid gap-1 pr-8">
        <div className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 className="user-text text-base font-semibold">{port.name}</h3>
          {port.type !== null && <Tag>{port.type}</Tag>}
          {port.isAutoApproved && <Status tone="positive">Granted at once</Status>}
        </div>
        <div className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-muted">
          Output port of{' '}
          <NameLink href={paths.dataProduct(productId)} name={productName} lines={2} />
        </div>
        <Existing productId={productId} port={port.id} />
      </div>
      <DeprecatedUse {...use} />
      <ClassifiedData {...use} />
      {port.contractId === null ? (
        <p className="text-muted">This output port has no contract, so there are no terms.</p>
      ) : (
        <ContractTermsView contractId={port.contractId} productId={productId} />
      )}
      <Facts
        facts={[
          ['Owner', <TeamLink key="owner" id={team.id} name={team.name} />],
          [
            'Decision',
            port.isAutoApproved
              ? 'None needed: access is granted at once.'
              : capitalize(listDeciders(found, `approvers of ${team.name ?? team.id}`)),
          ],
        ]}
      />
      <RoleChoice
        contractId={port.contractId}
        roles={choice.roles}
        onChange={(roles) => onChange({ ...choice, roles })}
      />
    </Deprecations>
  )
}

// A further request is possible, but rarely meant.
function Existing({ productId, port }: { productId: string; port: string }) {
  const { data } = useQuery(summariesQuery([productId]))
  const open = data?.[0]?.mine.find((one) => one.port === port)
  if (open === undefined) return null
  return (
    <p className="text-sm">
      {open.state === 'requested'
        ? 'Access was requested already. '
        : 'You or one of your teams already has access. '}
      <Link href={paths.access(open.id)}>Open the agreement</Link>
    </p>
  )
}
