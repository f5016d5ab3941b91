-- The activity of an organization: an entry for each change of each resource, written by the statement that makes the
-- change. The name, the team and the people of an entry are those of that time, so nothing is joined when it is read.

create table activity_entry (
  organization_id uuid not null,
  -- The order in which transactions became visible, as in the event feed. Entries are sealed in this order.
  epoch integer not null default current_feed_epoch(),
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity,
  -- Stays the same in exports. No index: entries are found by what they describe.
  id uuid not null default gen_random_uuid(),
  at timestamptz not null,
  principal text not null,
  -- The request or the run that made the change; empty = not known.
  request_id text not null default '',
  kind text not null,
  subject text not null collate "C",
  name text not null,
  action text not null,
  level text not null default 'none',
  -- The external id of the owning team; empty = no team.
  team text not null default '' collate "C",
  -- The person concerned, who sees the entry even if only owners of the organization see others of its kind.
  person uuid,
  -- Of documents with versions, whose differences are computed when they are read.
  version_before integer,
  version_after integer,
  -- Of everything else: the values before and after, without secrets.
  details jsonb,
  primary key (organization_id, epoch, transaction_id, position),
  constraint activity_entry_level check (level in ('breaking', 'additive', 'wording', 'none'))
);

-- Entries are never changed: an update of a role or a rename would rewrite what people have seen. An organization
-- cannot be deleted, so there is no exception.
create function reject_activity_change() returns trigger
language plpgsql as $$
begin
  raise exception 'the table % only grows: its rows are never changed or deleted', tg_table_name
    using errcode = 'restrict_violation';
end $$;

create trigger activity_entry_only_grows
  before update or delete or truncate on activity_entry
  for each statement execute function reject_activity_change();

-- Enters what happened before this table existed: every version and deletion of a document, and every run. The request
-- of a deletion and the levels of runs were not recorded. A function, because an import of an older file needs it too.
-- The epoch and the transaction are below all others, so that these entries come first.
create function enter_former_activity() returns void
language sql as $$
  insert into activity_entry (
    organization_id, epoch, transaction_id, at, principal, request_id, kind, subject, name, action,
    level, team, version_before, version_after, details
  )
  select organization_id, 0, '0'::xid8, at, principal, request_id, kind, subject, name, action, level,
    team, version_before, version_after, details
  from (
    select revision.organization_id, valid_from as at, revision.principal, request_id,
      case when run.id is null then revision.kind else 'ingested-asset' end as kind,
      external_id as subject, coalesce(facts ->> 'name', external_id) as name,
      case when revision.created_at = valid_from then 'created' else 'updated' end as action, level,
      case when revision.kind = 'team' then external_id else coalesce(facts ->> 'ownerId', '') end
        as team,
      case when revision.created_at = valid_from then null else version - 1 end as version_before,
      version as version_after, null::jsonb as details
    from revision
    left join ingestion_run as run on run.organization_id = revision.organization_id
      and revision.kind = 'asset'
      and revision.format = 'ingested'
      and run.id::text = revision.request_id
    union all
    select organization_id, deleted_at, deleted_by, '',
      case when kind = 'asset' and format = 'ingested' then 'ingested-asset' else kind end,
      external_id, coalesce(facts ->> 'name', external_id), 'deleted',
      case when kind in ('data-product', 'data-contract') then 'breaking' else 'none' end,
      case when kind = 'team' then external_id else coalesce(facts ->> 'ownerId', '') end,
      version, null, null
    from revision
    where deleted_at is not null
    union all
    select run.organization_id, ending.at, run.principal, run.id::text, ending.kind, run.id::text,
      integration.name, ending.action, 'none', coalesce(team.external_id, ''), null, null,
      jsonb_build_object('integration', integration.external_id, 'runKind', run.kind) || ending.details
    from ingestion_run as run
    join integration on integration.organization_id = run.organization_id
      and integration.id = run.integration_id
    left join team on team.organization_id = integration.organization_id
      and team.id = integration.owner_team_id
    cross join lateral (
      select run.started_at, 'ingestion-attempt', 'started', '{}'::jsonb
      union all
      select run.completed_at,
        case when published.count > 0 then 'ingestion-run' else 'ingestion-attempt' end,
        case
          when published.count > 0 then 'ingested'
          when run.status = 'SUCCESS' then 'completed'
          when run.status = 'CANCELLED' then 'cancelled'
          else 'failed'
        end,
        jsonb_build_object(
          'created', run.assets_created, 'updated', run.assets_updated,
          'deleted', run.assets_deleted
        )
      from (
        select case
          when run.status = 'SUCCESS' and run.kind <> 'preview'
            then run.assets_created + run.assets_updated + run.assets_deleted
          else 0
        end as count
      ) as published
      where run.status <> 'RUNNING'
    ) as ending (at, kind, action, details)
  ) as former
  order by at
$$;

select enter_former_activity();

-- One index for each filter, with the kind, because the kind decides who sees an entry. Each kind is read by its part
-- of an index, so that a page costs the same after a million entries of other kinds. What runs do to single assets is
-- only found by kind and by asset: the entry of the run represents it everywhere else.
create index activity_entry_by_kind on activity_entry (organization_id, kind, at, position);
create index activity_entry_by_principal
  on activity_entry (organization_id, principal, kind, at, position)
  where kind <> 'ingested-asset';
create index activity_entry_by_team on activity_entry (organization_id, team, kind, at, position)
  where kind <> 'ingested-asset';
create index activity_entry_by_level on activity_entry (organization_id, level, kind, at, position)
  where level <> 'none';
create index activity_entry_by_person on activity_entry (organization_id, person, kind, at, position)
  where person is not null;
create index activity_entry_by_subject
  on activity_entry (organization_id, kind, subject, at, position);
