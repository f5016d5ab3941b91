import { listKindsWith } from '../kinds.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../kit/clock.ts'
import type { ActivityFilters } from './activity.ts'
import { canSeeIntegration, type Viewer } from './viewer.ts'

// The tables that contain changes. The activity page has no table; it reads those of history and ingestion.

/** A table of changes, restricted to those that a viewer can see and that match the filters. */
export interface Source {
  at: RawBuilder<unknown>
  /** The from clause and all conditions except those on the time. */
  from: RawBuilder<unknown>
  /** The columns at, kind, id, version, action, level and actor. */
  columns: RawBuilder<unknown>
}

/** Returns the instant a number of days ago, as an SQL expression that is computed once per statement. */
export function daysAgo(clock: Clock, days: number): RawBuilder<Instant> {
  return sql<Instant>`(select ${clock.now} - make_interval(days => ${days}))`
}

/** Returns the sources of the changes that a viewer can see and that match the filters. */
export function selectSources(viewer: Viewer, filters: ActivityFilters): Source[] {
  const { kinds, levels } = filters
  const sources: Source[] = []
  if (kinds?.some((kind) => kind !== 'ingestion-run') ?? true) {
    sources.push(selectWrites(viewer, filters))
    if (levels?.includes('breaking') ?? true) sources.push(selectDeletions(viewer, filters))
  }
  // A run has no level.
  if (levels === undefined && (kinds?.includes('ingestion-run') ?? true)) {
    sources.push(selectRuns(viewer, filters))
  }
  return sources
}

// Assets from runs are not listed one by one. The indexes have the same restriction. Access agreements have pages of
// their own.
const IS_LISTED = sql`(kind <> 'asset' or format = 'asset') and kind <> 'access'`

function selectWrites({ organizationId }: Viewer, filters: ActivityFilters): Source {
  const { kinds, levels, actor } = filters
  return {
    at: sql`valid_from`,
    from: sql`
      from revision
      where organization_id = ${organizationId}
        and ${IS_LISTED}
        ${allowed(sql`kind`, kinds)}
        ${allowed(sql`level`, levels)}
        ${allowed(sql`principal`, actor === undefined ? undefined : [actor])}`,
    columns: sql`valid_from as at, kind, external_id as id, version,
      case when created_at = valid_from then 'created' else 'updated' end as action,
      level, principal as actor`,
  }
}

function selectDeletions({ organizationId }: Viewer, filters: ActivityFilters): Source {
  const { kinds, levels, actor } = filters
  const isBreaking = sql`kind = any(${listKindsWith('isStandardized')}::text[])`
  return {
    at: sql`deleted_at`,
    from: sql`
      from revision
      where organization_id = ${organizationId}
        and deleted_at is not null
        and ${IS_LISTED}
        ${levels === undefined ? sql`` : sql`and ${isBreaking}`}
        ${allowed(sql`kind`, kinds)}
        ${allowed(sql`deleted_by`, actor === undefined ? undefined : [actor])}`,
    columns: sql`deleted_at as at, kind, external_id as id, version, 'deleted' as action,
      case when ${isBreaking} then 'breaking' else 'none' end as level, deleted_by as actor`,
  }
}

function selectRuns(viewer: Viewer, { actor }: ActivityFilters): Source {
  return {
    at: sql`completed_at`,
    from: sql`
      from ingestion_run as run
      join integration on integration.organization_id = run.organization_id
        and integration.id = run.integration_id
      where run.organization_id = ${viewer.organizationId}
        and run.status = 'SUCCESS'
        and run.kind <> 'preview'
        and run.assets_created + run.assets_updated + run.assets_deleted > 0
        and ${canSeeIntegration(viewer)}
        ${allowed(sql`run.principal`, actor === undefined ? undefined : [actor])}`,
    columns: sql`completed_at as at, 'ingestion-run' as kind, run.id::text collate "C" as id,
      0 as version, 'ingested' as action, 'none' as level, run.principal as actor`,
  }
}

function allowed(
  column: RawBuilder<unknown>,
  values: readonly string[] | undefined,
): RawBuilder<unknown> {
  return values === undefined ? sql`` : sql`and ${column} = any(${values}::text[])`
}

/** Returns the minute of the last change before an instant, as an SQL expression; null = none. */
export function latestBefore(
  sources: readonly Source[],
  { since }: ActivityFilters,
  end: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofEach = sources.map(
    ({ at, from }) => sql`(
        select ${at}
        ${from}
          and ${at} < ${end}
          ${since === undefined ? sql`` : sql`and ${at} >= ${since}::timestamptz`}
        order by ${at} desc
        limit 1
      )`,
  )
  return sql`date_trunc('minute', greatest(${sql.join(ofEach)}), 'UTC')`
}

/** Returns a query of the changes between two instants, excluding the second. */
export function changesBetween(
  sources: readonly Source[],
  [start, end]: readonly [RawBuilder<unknown>, RawBuilder<unknown>],
): RawBuilder<unknown> {
  const ofEach = sources.map(
    ({ at, from, columns }) => sql`
        select ${columns}
        ${from}
          and ${at} >= ${start}
          and ${at} < ${end}`,
  )
  return sql.join(ofEach, sql` union all `)
}
