import { api, type Schemas } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ResourceStanding } from '../../documents/deprecations.tsx'
import { Link } from '../../parts/link.tsx'
import { Status } from '../../parts/status.tsx'
import { paths } from '../../paths.ts'

/** The contract of a port, as the catalog has it. */
export type PortContract = Schemas['PortContract']

/** Returns the query for the contracts of a product's ports. */
export function portContractsQuery(id: string) {
  return api.queryOptions('get', '/api/dataproducts/{id}/contracts', { params: { path: { id } } })
}

interface PortContractProps {
  /** Undefined = the port names no contract. */
  contractId: string | undefined
  /** Undefined = not loaded yet. */
  portContract: PortContract | undefined
  /** The team to own the contract if it is created. */
  team: string | undefined
}

/** The contract of a port with its version, or what is missing. */
export function PortContractLink({ contractId, portContract, team }: PortContractProps) {
  const mayCreate = maySomewhere(useSession(), 'DATACONTRACT_ADD').allowed
  if (contractId === undefined) return <span className="text-muted">No contract</span>
  if (portContract !== undefined && portContract.contract === null) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        <Status tone="caution">unresolved</Status>
        <span className="user-text">
          <code>{contractId}</code> does not exist yet.{' '}
          {mayCreate && (
            <Link href={paths.newDataContract({ id: contractId, team })}>Create it</Link>
          )}
        </span>
      </span>
    )
  }
  const version = portContract?.contract?.version
  return (
    <span className="flex min-h-7 flex-wrap items-center gap-x-2">
      <Link
        href={paths.dataContract(contractId)}
        className="user-text inline-flex min-h-6 items-center"
      >
        {portContract?.contract?.name ?? contractId}
      </Link>
      {version !== null && version !== undefined && (
        <span className="user-text text-muted">{version}</span>
      )}
      <ResourceStanding
        resourceType="DATA_CONTRACT"
        id={contractId}
        status={portContract?.contract?.status ?? null}
      />
    </span>
  )
}
