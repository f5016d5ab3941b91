import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

// The contracts that results test.

/** The teams whose editors may publish results of a contract. */
interface ContractTeams {
  /** Null = no team owns it. */
  owner: string | null
  /** The teams that own a data product with an output port under the contract. */
  providers: string[]
}

/** Finds the teams of a contract; undefined if it does not exist. */
export async function findContractTeams(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<ContractTeams | undefined> {
  const { rows } = await sql<ContractTeams>`
    select
      team.external_id as owner,
      array(
        select distinct provider.external_id
        from data_product as product
        join team as provider on provider.organization_id = product.organization_id
          and provider.id = product.owner_team_id
        where product.organization_id = contract.organization_id
          and product.output_contracts @> array[contract.external_id]
      ) as providers
    from data_contract as contract
    left join team on team.organization_id = contract.organization_id
      and team.id = contract.owner_team_id
    where contract.organization_id = ${organizationId}
      and contract.external_id = ${contractId}
  `.execute(db)
  return rows[0]
}

/** A contract whose rules results refer to. */
interface TestedContract {
  /** Equal documents of a contract have equal ones. */
  digest: string
  /** The version, as its author wrote it. */
  version: string | null
  /** The time for which a result counts; null = the usual time. */
  validSeconds: number | null
}

/** Finds a contract by its id. */
export async function findTestedContract(
  db: Database,
  organizationId: string,
  id: string,
): Promise<TestedContract | undefined> {
  const { rows } = await sql<TestedContract>`
    select digest, contract_version as version,
      (entry.tested_servers ->> 'validSeconds')::double precision as "validSeconds"
    from data_contract as contract
    left join search_document as entry on entry.organization_id = contract.organization_id
      and entry.kind = 'data-contract'
      and entry.external_id = contract.external_id
    where contract.organization_id = ${organizationId}
      and contract.external_id = ${id}
  `.execute(db)
  return rows[0]
}

/** Loads the document of a contract as JSON; undefined if it does not exist. */
export async function loadContract(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ document: string; digest: string } | undefined> {
  const { rows } = await sql<{ document: string; digest: string }>`
    select coalesce(document_json, document) as document, digest
    from data_contract
    where organization_id = ${organizationId}
      and external_id = ${id}
  `.execute(db)
  return rows[0]
}

/** Returns the standard of a stored contract; undefined if there is no such contract. */
export async function findStandard(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<'ODCS' | 'DCS' | undefined> {
  const { rows } = await sql<{ format: string }>`
    select format
    from data_contract
    where organization_id = ${organizationId}
      and external_id = ${contractId}
  `.execute(db)
  const format = rows[0]?.format
  return format === undefined ? undefined : format === 'dcs' ? 'DCS' : 'ODCS'
}

const LOWEST_TIERS_MAX = 1000

/**
 * Lists the words, in lower case, that name a lowest tier of a classification scheme and no higher tier of any: the names and
 * ids of the tiers with the least level.
 */
export async function listLowestTiers(db: Database, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ word: string }>`
    with tier as (
      select scheme.external_id as scheme, tier,
        case when jsonb_typeof(tier -> 'level') = 'number' then (tier ->> 'level')::numeric end as level
      from catalog_record as scheme
      -- A document in YAML has a JSON form.
      cross join jsonb_array_elements(
        coalesce(scheme.document_json, scheme.document)::jsonb -> 'classifications'
      ) as item (tier)
      where scheme.organization_id = ${organizationId}
        and scheme.kind = 'classification-scheme'
    ),
    named as (
      select lower(trim(word)) as word, level = min(level) over (partition by scheme) as is_lowest
      from tier
      cross join lateral (values (tier ->> 'name'), (tier ->> 'externalId')) as named (word)
    )
    select word
    from named
    where word <> ''
    group by word
    having bool_and(coalesce(is_lowest, false))
    order by word
    limit ${LOWEST_TIERS_MAX}
  `.execute(db)
  return rows.map(({ word }) => word)
}
