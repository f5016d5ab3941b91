-- What contracts promise, and the assets that are linked with it. A promise is one model of a contract on one server.

-- Written in the statement of the contract.
create table contract_promise (
  organization_id uuid not null,
  contract_id text collate "C" not null,
  -- The name of the server in the contract.
  server text collate "C" not null,
  -- The name of the model in the contract.
  model text collate "C" not null,
  -- The platform of the assets that the server can have; null = none that is read.
  platform text,
  is_production boolean not null,
  -- The parts of the name on the platform, as a JSON list; null = the contract does not give them.
  path text collate "C",
  location_key text collate "C" generated always as (lower(path)) stored,
  -- The beginnings of the path in lower case, as JSON lists: the scopes whose reading by a run proves that the asset is missing.
  scope_keys text[] collate "C" not null default '{}',
  -- The host, account or project of the server; null = the contract does not give it.
  address text collate "C",
  -- Why the model has no place; null = it has one.
  unplaced_because text,
  -- What is compared with the asset.
  promise jsonb not null,
  digest text not null,
  contract_version integer not null,
  primary key (organization_id, contract_id, server, model),
  foreign key (organization_id, contract_id) references data_contract (organization_id, external_id) on delete cascade
);
create index contract_promise_by_location on contract_promise (organization_id, location_key);
create index ingestion_scope_by_key on ingestion_scope (organization_id, run_id, lower(scope));

-- The version of a document whose promises, assets of ports or location are stored; another one is filled in the background.
alter table data_contract add column reality_version integer;
create index data_contract_to_promise on data_contract (organization_id, external_id) where reality_version is distinct from version;
alter table data_product add column reality_version integer;
create index data_product_to_promise on data_product (organization_id, external_id) where reality_version is distinct from version;
alter table asset add column reality_version integer;
create index asset_to_describe on asset (organization_id, external_id)
  where integration_id is null and reality_version is distinct from version;

-- The assets that output ports name, each as a JSON list of contract and asset.
alter table data_product add column output_assets text[] collate "C" not null default '{}';

-- The rules by which promises were stored.
create table reality_build (
  only_row boolean not null default true primary key check (only_row),
  rules integer not null
);

-- Where an asset that clients registered is, as a JSON list like `path`; null = its document does not give it.
alter table asset add column described_path text collate "C";
create index asset_by_location on asset (organization_id, lower(coalesce(path, described_path)))
  where deleted_at is null and coalesce(path, described_path) is not null;
-- That an asset was there and is gone proves that it is missing where sources hide tables.
create index asset_gone_by_location on asset (organization_id, lower(path)) where deleted_at is not null and path is not null;

-- The asset of a promise, as it was decided; there is a row for each promise.
create table asset_link (
  organization_id uuid not null,
  contract_id text collate "C" not null,
  server text collate "C" not null,
  model text collate "C" not null,
  state text not null check (state in (
    'linked', 'ambiguous', 'other_address', 'not_found', 'not_read', 'no_source', 'unplaced', 'excluded', 'not_applicable'
  )),
  asset_id text collate "C",
  -- hand = chosen by a person, port = named by an output port, location = found where the server points.
  origin text check (origin in ('hand', 'port', 'location')),
  -- [{part, promised, actual, rule}]
  explanation jsonb not null default '[]',
  -- The ids of at most ten assets that it may be.
  candidates text[] collate "C" not null default '{}',
  linked_at timestamptz,
  -- The run that changed the link; null = another change did.
  run_id uuid,
  -- What was compared last; null = nothing yet.
  promise_digest text,
  asset_version integer,
  compared_at timestamptz,
  -- [{field, reason}] of the last comparison.
  unverifiable jsonb not null default '[]',
  primary key (organization_id, contract_id, server, model),
  foreign key (organization_id, contract_id, server, model)
    references contract_promise (organization_id, contract_id, server, model) on delete cascade
);
create index asset_link_by_asset on asset_link (organization_id, asset_id) where asset_id is not null;
-- A run that has read a scope decides about the promises there that have no asset.
create index asset_link_open on asset_link (organization_id, contract_id, server, model)
  where state in ('not_found', 'not_read', 'no_source');

-- The asset that a person chose for a promise. It stays while the contract exists, also if the model leaves it for a time.
create table asset_link_choice (
  organization_id uuid not null,
  contract_id text collate "C" not null,
  server text collate "C" not null,
  model text collate "C" not null,
  -- Null = none: the model has no asset here.
  asset_id text collate "C",
  reason text not null,
  chosen_at timestamptz not null default clock_timestamp(),
  chosen_by text not null,
  primary key (organization_id, contract_id, server, model),
  foreign key (organization_id, contract_id) references data_contract (organization_id, external_id) on delete cascade
);

create index asset_link_choice_by_asset on asset_link_choice (organization_id, asset_id) where asset_id is not null;

-- The addresses under which contracts name the source of an integration.
create table integration_address (
  organization_id uuid not null,
  integration_id uuid not null,
  address text collate "C" not null,
  origin text not null check (origin in ('configuration', 'hand')),
  added_at timestamptz not null default clock_timestamp(),
  added_by text not null,
  primary key (organization_id, integration_id, address),
  foreign key (organization_id, integration_id) references integration (organization_id, id) on delete cascade
);
