-- Data contracts, kept as data products are, and the way from a contract to the ports that name it.

create table data_contract (
  organization_id uuid not null,
  external_id text collate "C" not null,
  -- The text that was sent, and the JSON form of one that was sent as YAML.
  document text not null,
  media_type text not null,
  document_json text,
  format text not null,
  version integer not null,
  -- SHA-256 of the canonical form: equal digests mean equal documents.
  digest text not null,
  name text not null,
  description text,
  owner_team_id uuid not null,
  status text,
  domain text,
  tags text[] not null,
  -- The version that the contract itself states: 2.1.0.
  contract_version text,
  -- The words of id, name and description, parted and folded.
  search tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, external_id),
  constraint data_contract_owner foreign key (organization_id, owner_team_id)
    references team (organization_id, id)
);

create index data_contract_by_owner on data_contract (organization_id, owner_team_id);
create index data_contract_by_creation on data_contract (organization_id, created_at, external_id);
create index data_contract_search on data_contract using gin (search);

-- Who provides data under a contract, and who consumes it.
create index data_product_by_input_contract on data_product using gin (input_contracts);
create index data_product_by_output_contract on data_product using gin (output_contracts);
