import { sql, type RawBuilder } from 'kysely'
import { NEW_ID } from '../../platform/kit/uuid.ts'

// SQL fragments that write findings. They read the results `now` (instant), `given` (a row for each promise), `difference`
// (a row for each of its differences) and `former` (its open findings) of `finding-store.ts`.

const IS_OTHER = sql`(finding.level, finding.promised, finding.actual)
          is distinct from (difference.level, difference.promised, difference.actual)`

/** SQL fragment: the result `compared`: links record what was compared, also that nothing was. */
export function recordComparisons(organizationId: string): RawBuilder<unknown> {
  return sql`compared as (
      update asset_link as link
      set promise_digest = given.compared_key, asset_version = given.asset_version,
        compared_at = case when given.compared_key is not null then now.instant end,
        unverifiable = given.unverifiable, omitted_count = given.omitted_count,
        comparing_since = null
      from given
      cross join now
      where link.organization_id = ${organizationId}
        and link.contract_id = given.contract_id
        and link.server = given.server
        and link.model = given.model
        and (given.compared_key is not null or link.promise_digest is not null
          or link.comparing_since is not null)
    )`
}

/** SQL fragment: the result `resolved`: findings that are not among the differences. */
export function resolveFindings(organizationId: string): RawBuilder<unknown> {
  return sql`resolved as (
      update drift_finding as finding
      set resolved_at = now.instant, resolved_because = former.because
      from former
      cross join now
      where finding.organization_id = ${organizationId}
        and finding.id = former.id
        and not exists (
          select
          from difference
          where (difference.contract_id, difference.server, difference.model, difference.field,
              difference.aspect)
            = (former.contract_id, former.server, former.model, former.field, former.aspect)
        )
      returning finding.contract_id, finding.level
    )`
}

/** SQL fragment: the result `changed`: findings that are still there, but are other ones. A person accepted the former difference. */
export function changeFindings(organizationId: string): RawBuilder<unknown> {
  return sql`changed as (
      update drift_finding as finding
      set level = difference.level, promised = difference.promised, actual = difference.actual,
        asset_id = difference.asset_id, is_production = difference.is_production,
        changed_at = case when ${IS_OTHER} then now.instant else finding.changed_at end,
        accepted_until = case when not (${IS_OTHER}) then finding.accepted_until end,
        accepted_reason = case when not (${IS_OTHER}) then finding.accepted_reason end,
        accepted_by = case when not (${IS_OTHER}) then finding.accepted_by end,
        accepted_at = case when not (${IS_OTHER}) then finding.accepted_at end
      from former
      join difference using (contract_id, server, model, field, aspect)
      cross join now
      where finding.organization_id = ${organizationId}
        and finding.id = former.id
        and (finding.level, finding.promised, finding.actual, finding.asset_id, finding.is_production)
          is distinct from (difference.level, difference.promised, difference.actual,
            difference.asset_id, difference.is_production)
      returning finding.contract_id, former.level as former_level, finding.level
    )`
}

/** SQL fragment: the result `opened`: differences that have no finding. */
export function openFindings(organizationId: string): RawBuilder<unknown> {
  return sql`opened as (
      insert into drift_finding (
        organization_id, id, contract_id, server, model, field, aspect, level, promised, actual,
        asset_id, is_production, first_run_id, first_seen_at, changed_at
      )
      select ${organizationId}::uuid, ${NEW_ID}, difference.contract_id, difference.server,
        difference.model, difference.field, difference.aspect, difference.level,
        difference.promised, difference.actual, difference.asset_id, difference.is_production,
        difference.run_id, now.instant, now.instant
      from difference
      cross join now
      where not exists (
        select
        from former
        where (former.contract_id, former.server, former.model, former.field, former.aspect)
          = (difference.contract_id, difference.server, difference.model, difference.field,
            difference.aspect)
      )
      returning contract_id, level
    )`
}
