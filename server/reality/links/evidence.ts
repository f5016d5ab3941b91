import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import { selectFit } from './candidates.ts'
import { HIDING_SOURCES, PLATFORM_ASSETS } from './platform-assets.ts'

// SQL fragments of the decision about links: what the runs of sources prove about a promise without an asset. They read the row
// `requested`, a promise.

/** The organization of some promises, and the run in whose publication they are linked; null = another change. */
export interface DecisionScope {
  organizationId: string
  runId: string | null
}

/** The age of its last good run from which a source proves nothing about missing assets. */
const READ_DAYS_MAX = 14

/** SQL fragment: the last good run of each integration, or the one that is being published. */
export function selectReadings(
  clock: Clock,
  { organizationId, runId }: DecisionScope,
): RawBuilder<unknown> {
  return sql`
        select integration.id, integration.external_id as name, integration.source, run.id as run_id,
          own.addresses, integration.configuration -> 'filters' as filters,
          integration.configuration -> 'includeViews' = 'false'::jsonb as is_without_views,
          coalesce(run.completed_at, ${clock.now}) > ${clock.now} - make_interval(days => ${READ_DAYS_MAX}) as is_recent
        from integration
        left join lateral (
          select array_agg(address order by address) as addresses
          from integration_address
          where organization_id = ${organizationId}
            and integration_id = integration.id
        ) as own on true
        left join lateral (
          select id, completed_at
          from ingestion_run
          where organization_id = ${organizationId}
            and integration_id = integration.id
            and kind = 'ingest'
            and (status = 'SUCCESS' or id = ${runId}::uuid)
          order by started_at desc, id desc
          limit 1
        ) as run on true
        where integration.organization_id = ${organizationId}`
}

/**
 * SQL fragment: what a source proves about the scope of a promise, from the integration that proves most. Of integrations at an
 * unknown address the one that proves least counts, because any of them may be the right one.
 */
export function selectEvidence(organizationId: string): RawBuilder<unknown> {
  return sql`
        select verdict, name, scope, run_id
        from (
          select reading.name, scope.scope, reading.run_id, fit.fit,
            case
              when reading.run_id is null then 'never_read'
              when scope.scope is null then 'not_listed'
              when scope.state = 'skipped' then 'filtered'
              when scope.state <> 'complete' then 'denied'
              when not reading.is_recent then 'old'
              when ${isFiltered()} then 'filtered'
              when reading.source = any(${HIDING_SOURCES}::text[]) and not exists (
                select
                from asset
                where organization_id = ${organizationId}
                  and integration_id = reading.id
                  and deleted_at is not null
                  and lower(path) = requested.location_key
              ) then 'hidden'
              else 'read'
            end as verdict
          from reading
          cross join lateral (
            select case
              -- The project is part of the path.
              when requested.platform = 'bigquery' then 'equal'
              else ${selectFit(sql`reading.addresses`)}
            end as fit
          ) as fit
          left join lateral (
            select ingestion_scope.scope, ingestion_scope.state
            from ingestion_scope
            where organization_id = ${organizationId}
              and run_id = reading.run_id
              and lower(ingestion_scope.scope) = any(requested.scope_keys)
            order by length(ingestion_scope.scope) desc, ingestion_scope.scope
            limit 1
          ) as scope on true
          where fit.fit <> 'different'
            and (fit.fit = 'equal' or scope.scope is not null)
            and exists (
              select
              from ${PLATFORM_ASSETS}
              where known.platform = requested.platform
                and known.source = reading.source
            )
        ) as proof
        order by fit, case
            when fit = 'equal' then array_position(${VERDICTS}, verdict)
            else - array_position(${VERDICTS}, verdict)
          end, name, run_id
        limit 1`
}

// From the one that proves most to the one that proves least.
const VERDICTS = sql`array['read', 'hidden', 'old', 'denied', 'filtered', 'never_read', 'not_listed']`

// Filters of tables, in any case of letters; of the levels above, the ledger of the run has the result. Sources that leave
// views out prove nothing about a promise that may be one.
function isFiltered(): RawBuilder<unknown> {
  return sql`(
                (reading.is_without_views and requested.kind is distinct from 'table')
                or not (
                  coalesce(reading.filters -> 'include' -> 'table', '[]') ? requested.object_name
                  or (
                    (coalesce(reading.filters -> 'include' -> 'table', '[]') = '[]' or ${matchesAny('include')})
                    and not ${matchesAny('exclude')}
                  )
                )
              )`
}

function matchesAny(side: 'include' | 'exclude'): RawBuilder<unknown> {
  return sql`exists (
                select
                from jsonb_array_elements_text(coalesce(reading.filters -> ${sql.lit(side)} -> 'table', '[]')) as filter (glob)
                where requested.object_name ilike ${toLike(sql`filter.glob`)}
              )`
}

function toLike(glob: RawBuilder<unknown>): RawBuilder<unknown> {
  const escaped = ['\\', '%', '_'].reduce(
    (text, character) => sql`replace(${text}, ${sql.lit(character)}, ${sql.lit(`\\${character}`)})`,
    glob,
  )
  return sql`replace(replace(${escaped}, '*', '%'), '?', '_')`
}
