-- The signals of trust of data products, output ports, data contracts and assets, written with each cause. Time is applied
-- at reading.
create table trust_state (
  organization_id uuid not null references organization (id),
  kind text not null check (kind in ('data-product', 'output-port', 'data-contract', 'asset')),
  -- The id; of an output port the JSON list of the data product and the position of the port.
  subject text collate "C" not null,
  -- 3 = critical, 2 = caution, 1 = neutral, 0 = positive: the highest is the worst.
  tests smallint not null check (tests between 0 and 3),
  freshness smallint not null check (freshness between 0 and 3),
  drift smallint not null check (drift between 0 and 3),
  standing smallint not null check (standing between 0 and 3),
  -- {tests, freshness, drift, standing: [{from, state, word, since, reason, url, …}], periods: [{from, to}]}: the signals
  -- over time, and when incidents were open. Empty = not judged yet.
  reasons jsonb not null,
  tests_stale_at timestamptz,
  late_at timestamptz,
  -- The time at which a signal changes by itself; null = never.
  next_due_at timestamptz,
  updated_at timestamptz not null,
  primary key (organization_id, kind, subject)
);
create index trust_state_by_due on trust_state (next_due_at) where next_due_at is not null;

-- Documents that exist already are judged by the upkeep.
insert into trust_state (
  organization_id, kind, subject, tests, freshness, drift, standing, reasons, next_due_at, updated_at
)
select organization_id, kind, external_id, 1, 1, 1, 1, '{}', clock_timestamp(), clock_timestamp()
from search_document
where kind in ('data-product', 'data-contract');

-- Search counts and filters by the worst signal and by differences, with the numbers of trust_state. The key of a document
-- without any is as before, so that no row is written again: that would stop searches and writes for minutes.
alter table search_document
  add column trust smallint not null default 1,
  add column drift smallint not null default 1;
alter table search_document alter column facets_key drop expression;
create function set_facets_key() returns trigger language plpgsql as $$
begin
  new.facets_key =
    hashtextextended(new.kind, hashtextextended(coalesce(new.status, ''), hashtextextended(coalesce(new.domain, ''),
      hashtextextended(coalesce(new.source, ''), hashtextextended(coalesce(new.type, ''),
        uuid_hash_extended(coalesce(new.owner_team_id, new.organization_id),
          uuid_hash_extended(coalesce(new.integration_id, new.organization_id),
            -- No tag and no classification is empty; the hash of an empty list would ignore its seed.
            hash_array_extended(array_append(new.tags, '') || new.classifications, new.trust * 4 + new.drift - 5))))))));
  return new;
end
$$;
create trigger search_document_facets
  before insert or update of kind, status, domain, source, type, owner_team_id, integration_id, tags, classifications, trust, drift
  on search_document
  for each row execute function set_facets_key();
