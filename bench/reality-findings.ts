import { sql } from 'kysely'
import type { Database } from '../server/platform/tables.ts'

/** The number of open findings, and that of resolved ones. */
export const FINDINGS_COUNT = 100_000

/** Lists of findings: the parameters of `GET /api/drift`. */
export const LISTS = [
  '',
  'p=50',
  'level=breaking',
  'level=additive',
  'status=open',
  'status=accepted',
  'status=resolved',
  'teamId=team-0',
  'teamId=team-9',
  'teamId=team-none',
  'teamId=team-9&status=resolved',
  'dataContractId=promised-7',
  'assetId=unknown',
  'integration=warehouse',
  'integration=none',
] as const

const ACCEPTED_EVERY = 50
const ADDITIVE_EVERY = 3

/** Adds findings of the tables of contracts, evenly, over a year. Of their days, the resolved ones are the oldest. */
export async function fillFindings(db: Database, organizationId: string): Promise<void> {
  await sql`
    with contract as materialized (
      select external_id, row_number() over (order by external_id) - 1 as place
      from data_contract
      where organization_id = ${organizationId}
    ),
    asset as materialized (
      select external_id, row_number() over (order by external_id) - 1 as place
      from asset
      where organization_id = ${organizationId}
        and kind = 'table'
    )
    insert into drift_finding (
      organization_id, id, contract_id, server, model, field, aspect, level, promised, actual, asset_id,
      is_production, first_seen_at, changed_at, resolved_at, resolved_because, accepted_until,
      accepted_reason, accepted_by, accepted_at
    )
    select ${organizationId}::uuid, gen_random_uuid(), contract.external_id, 'production', 'table_' || number,
      'column_' || number % 9, 'type', case number % ${ADDITIVE_EVERY} when 0 then 'additive' else 'breaking' end,
      'integer', 'character varying(255)', asset.external_id, true, at, at,
      case when is_resolved then at + interval '1 day' end, case when is_resolved then 'run' end,
      case when is_accepted then now() + interval '30 days' end, case when is_accepted then 'Planned' end,
      case when is_accepted then 'system' end, case when is_accepted then at end
    from generate_series(1, ${2 * FINDINGS_COUNT}::integer) as number
    cross join lateral (
      select number <= ${FINDINGS_COUNT} as is_resolved,
        number > ${FINDINGS_COUNT} and number % ${ACCEPTED_EVERY} = 0 as is_accepted,
        now() - make_interval(mins => ${2 * FINDINGS_COUNT}::integer - number) as at
    ) as state
    join contract on contract.place = number % (select count(*) from contract)
    join asset on asset.place = number % (select count(*) from asset)
  `.execute(db)
  await sql`analyze drift_finding`.execute(db)
}
