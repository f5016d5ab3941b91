import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { toReferenceTerm } from '../../documents/search/terms.ts'

/** A data contract that names a definition. */
interface NamingContract {
  id: string
  name: string
  ownerId: string | null
  ownerName: string | null
  /** In JSON. */
  document: string
  /** The number of contracts from the first of the answer on. */
  remaining: number
}

// The maximum number of contracts in one answer; ask again after the last id.
const CONTRACTS_MAX = 50

// The maximum size of the documents that one answer reads; the first contract is always read.
const DOCUMENT_BYTES_MAX = 16 * 1024 * 1024

/** Lists contracts that name a definition, by id, after an id. */
export async function listContractsNaming(
  db: Database,
  organizationId: string,
  definitionId: string,
  afterId: string,
): Promise<NamingContract[]> {
  const { rows } = await sql<NamingContract>`
    select id, name, "ownerId", "ownerName", document, remaining
    from (
      select
        contract.external_id as id, contract.name, team.external_id as "ownerId",
        team.name as "ownerName", coalesce(contract.document_json, contract.document) as document,
        sum(octet_length(coalesce(contract.document_json, contract.document)))
          over (order by contract.external_id) as bytes,
        row_number() over (order by contract.external_id) as number,
        count(*) over ()::int as remaining
      from search_document as entry
      join data_contract as contract on contract.organization_id = entry.organization_id
        and contract.external_id = entry.external_id
      left join team on team.organization_id = contract.organization_id
        and team.id = contract.owner_team_id
      where entry.organization_id = ${organizationId}
        and entry.kind = 'data-contract'
        and entry.words @@ ${toReferenceTerm('definition', definitionId)}::tsquery
        and entry.external_id > ${afterId}
    ) as naming
    where number <= ${CONTRACTS_MAX}
      and (number = 1 or bytes <= ${DOCUMENT_BYTES_MAX})
    order by id
  `.execute(db)
  return rows
}

/** Counts the contracts that name a definition. */
export async function countContractsNaming(
  db: Database,
  organizationId: string,
  definitionId: string,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from search_document
    where organization_id = ${organizationId}
      and kind = 'data-contract'
      and words @@ ${toReferenceTerm('definition', definitionId)}::tsquery
  `.execute(db)
  return rows[0]?.count ?? 0
}
