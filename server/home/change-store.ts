import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../kit/clock.ts'
import type { Database } from '../tables.ts'
import { CHANGE_DAYS, CHANGES_MAX, type HomeChange } from './home.ts'
import { sees, type Viewer } from '../activity/viewer.ts'

/** A change, before the principal has a name. */
export type ChangeRow = Omit<HomeChange, 'principalName'>

/**
 * Lists the changes of the last days, the newest first: documents but assets, which come as the runs
 * that changed them, of integrations that the viewer sees.
 */
export async function listChanges(
  db: Database,
  clock: Clock,
  viewer: Viewer,
): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    with since as materialized (
      select ${clock.now} - make_interval(days => ${CHANGE_DAYS}) as instant
    ),
    ${documentChanges(viewer)},
    ${runChanges(viewer)}
    select at, kind, external_id as id, coalesce(name, external_id) as name, action, version,
      nullif(level, 'none') as level, principal, null as "integrationExternalId",
      null::json as counts
    from (select * from written union all select * from deleted) as document
    union all
    select at, 'ingestion-run', id::text, name, 'ingested', null, null, principal, external_id,
      json_build_object(
        'created', assets_created, 'updated', assets_updated, 'deleted', assets_deleted
      )
    from ingested
    order by at desc, kind, id
    limit ${CHANGES_MAX}
  `.execute(db)
  return rows
}

// What was written and what was deleted, each read backwards from an index.
function documentChanges({ organizationId }: Viewer): RawBuilder<unknown> {
  return sql`written as (
      select valid_from as at, kind, external_id, facts ->> 'name' as name,
        case when created_at = valid_from then 'created' else 'updated' end as action,
        version, level, principal
      from revision
      where organization_id = ${organizationId}
        and kind <> 'asset'
        and valid_from > (select instant from since)
      order by valid_from desc
      limit ${CHANGES_MAX}
    ),
    deleted as (
      select deleted_at as at, kind, external_id, facts ->> 'name' as name, 'deleted' as action,
        version, null as level, deleted_by as principal
      from revision
      where organization_id = ${organizationId}
        and kind <> 'asset'
        and deleted_at > (select instant from since)
      order by deleted_at desc
      limit ${CHANGES_MAX}
    )`
}

function runChanges(viewer: Viewer): RawBuilder<unknown> {
  return sql`ingested as (
      select run.completed_at as at, run.id, integration.external_id, integration.name,
        run.principal, run.assets_created, run.assets_updated, run.assets_deleted
      from ingestion_run as run
      join integration on integration.organization_id = run.organization_id
        and integration.id = run.integration_id
      where run.organization_id = ${viewer.organizationId}
        and run.status = 'SUCCESS'
        and run.kind <> 'preview'
        and run.assets_created + run.assets_updated + run.assets_deleted > 0
        and run.completed_at > (select instant from since)
        and ${sees(viewer)}
      order by run.completed_at desc
      limit ${CHANGES_MAX}
    )`
}
