import { sql } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationKey } from './grants.ts'

// The data contracts of the output ports that findings are about. A finding names a port by the first of its names.

/** Lists the data contracts of the output ports about which an integration has open findings. */
export async function listOpenContracts(
  db: Database,
  { organizationId, integrationId }: IntegrationKey,
): Promise<string[]> {
  const { rows } = await sql<{ contractId: string }>`
    select distinct port.value ->> 'contract' as "contractId"
    from grant_finding as finding
    join search_document as document on document.organization_id = finding.organization_id
      and document.kind = 'data-product'
      and document.external_id = finding.data_product_id
    cross join jsonb_array_elements(document.output_ports) as port (value)
    where finding.organization_id = ${organizationId}
      and finding.integration_id = ${integrationId}
      and finding.resolved_at is null
      and port.value -> 'names' ->> 0 = finding.output_port
      and port.value ->> 'contract' is not null
  `.execute(db)
  return rows.map(({ contractId }) => contractId)
}

/** Access that no agreement covers: findings of these kinds open an incident of the contract. */
const UNAGREED_KINDS = ['granted_without_agreement', 'still_granted', 'wider_than_agreed']

/** The open findings about the output ports of a contract. */
export interface ContractFindings {
  contractId: string
  /** The number of open findings about access that was not agreed, without accepted ones, by kind. */
  counts: Record<string, number>
}

/** Counts the open findings of contracts: those of all output ports with this contract, in all integrations. */
export async function countByContract(
  db: Database,
  clock: Clock,
  organizationId: string,
  contractIds: readonly string[],
): Promise<ContractFindings[]> {
  const { rows } = await sql<ContractFindings>`
    select contract_id as "contractId", jsonb_object_agg(kind, number) as counts
    from (
      select port.value ->> 'contract' as contract_id, finding.kind, count(*)::integer as number
      from data_product as product
      join search_document as document on document.organization_id = product.organization_id
        and document.kind = 'data-product'
        and document.external_id = product.external_id
      cross join jsonb_array_elements(document.output_ports) as port (value)
      join grant_finding as finding on finding.organization_id = product.organization_id
        and finding.data_product_id = product.external_id
        and finding.output_port = port.value -> 'names' ->> 0
        and finding.resolved_at is null
        and finding.kind = any(${UNAGREED_KINDS}::text[])
        and ${isUnaccepted(clock.now)}
      where product.organization_id = ${organizationId}
        and product.output_contracts && ${contractIds}::text[]
        and port.value ->> 'contract' = any(${contractIds}::text[])
      group by 1, 2
    ) as counted
    group by contract_id
  `.execute(db)
  return rows
}
