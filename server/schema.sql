-- The schema that the migrations make together. Written by `npm run schema`; never by hand.

create table api_key (
  organization_id uuid not null,
  id uuid not null,
  scope text not null,
  team_id uuid,
  user_id uuid,
  display_name text not null,
  secret_hash bytea not null,
  expires_on date,
  created_at timestamp with time zone not null default clock_timestamp(),
  created_by text not null,
  last_used_at timestamp with time zone,
  constraint api_key_secret_hash_key UNIQUE (secret_hash),
  constraint api_key_pkey PRIMARY KEY (organization_id, id),
  constraint api_key_member FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id),
  constraint api_key_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint api_key_team FOREIGN KEY (organization_id, team_id) REFERENCES team(organization_id, id),
  constraint api_key_scope CHECK (
CASE scope
    WHEN 'user'::text THEN ((user_id IS NOT NULL) AND (team_id IS NULL))
    WHEN 'user_read'::text THEN ((user_id IS NOT NULL) AND (team_id IS NULL))
    WHEN 'team'::text THEN ((team_id IS NOT NULL) AND (user_id IS NULL))
    WHEN 'team_read'::text THEN ((team_id IS NOT NULL) AND (user_id IS NULL))
    WHEN 'organization'::text THEN ((team_id IS NULL) AND (user_id IS NULL))
    WHEN 'organization_read'::text THEN ((team_id IS NULL) AND (user_id IS NULL))
    ELSE false
END)
);

CREATE INDEX api_key_by_team ON public.api_key USING btree (organization_id, team_id);

create table data_contract (
  organization_id uuid not null,
  external_id text collate "C" not null,
  document text not null,
  media_type text not null,
  document_json text,
  format text not null,
  version integer not null,
  digest text not null,
  name text not null,
  description text,
  owner_team_id uuid not null,
  status text,
  domain text,
  tags text[] not null,
  contract_version text,
  search tsvector not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint data_contract_pkey PRIMARY KEY (organization_id, external_id),
  constraint data_contract_owner FOREIGN KEY (organization_id, owner_team_id) REFERENCES team(organization_id, id)
);

CREATE INDEX data_contract_by_creation ON public.data_contract USING btree (organization_id, created_at, external_id);
CREATE INDEX data_contract_by_owner ON public.data_contract USING btree (organization_id, owner_team_id);
CREATE INDEX data_contract_search ON public.data_contract USING gin (search);

create table data_product (
  organization_id uuid not null,
  external_id text collate "C" not null,
  document text not null,
  media_type text not null,
  document_json text,
  format text not null,
  version integer not null,
  digest text not null,
  name text not null,
  description text,
  owner_team_id uuid not null,
  status text,
  archetype text,
  maturity text,
  domain text,
  tags text[] not null,
  input_contracts text[] not null,
  output_contracts text[] not null,
  search tsvector not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint data_product_pkey PRIMARY KEY (organization_id, external_id),
  constraint data_product_owner FOREIGN KEY (organization_id, owner_team_id) REFERENCES team(organization_id, id)
);

CREATE INDEX data_product_by_creation ON public.data_product USING btree (organization_id, created_at, external_id);
CREATE INDEX data_product_by_input_contract ON public.data_product USING gin (input_contracts);
CREATE INDEX data_product_by_output_contract ON public.data_product USING gin (output_contracts);
CREATE INDEX data_product_by_owner ON public.data_product USING btree (organization_id, owner_team_id);
CREATE INDEX data_product_search ON public.data_product USING gin (search);

create table encryption_key (
  id text not null,
  sealed bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint encryption_key_pkey PRIMARY KEY (id)
);

create table event (
  organization_id uuid not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity,
  id uuid not null,
  type text not null,
  kind text not null,
  subject text collate "C" not null,
  version integer not null,
  removal boolean not null,
  output_port_id text,
  principal text not null,
  time timestamp with time zone not null,
  constraint event_id UNIQUE (organization_id, id),
  constraint event_pkey PRIMARY KEY (organization_id, transaction_id, "position")
);

create table organization (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  api_key_count integer not null default 0,
  constraint organization_pkey PRIMARY KEY (id),
  constraint organization_api_key_limit CHECK (((api_key_count >= 0) AND (api_key_count <= 100)))
);

create table organization_member (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint organization_member_pkey PRIMARY KEY (organization_id, user_id),
  constraint organization_member_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint organization_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  constraint organization_member_role CHECK ((role = ANY (ARRAY['Owner'::text, 'Member'::text])))
);

create table revision (
  organization_id uuid not null,
  kind text not null,
  external_id text collate "C" not null,
  version integer not null,
  document text not null,
  media_type text not null,
  format text not null,
  digest text not null,
  level text not null,
  facts jsonb not null,
  created_at timestamp with time zone not null,
  valid_from timestamp with time zone not null,
  principal text not null,
  request_id text not null,
  deleted_at timestamp with time zone,
  deleted_by text,
  constraint revision_pkey PRIMARY KEY (organization_id, kind, external_id, version)
);

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table setup_link (
  token_hash bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint setup_link_pkey PRIMARY KEY (token_hash)
);

create table team (
  organization_id uuid not null,
  id uuid not null,
  external_id text collate "C" not null,
  name text not null,
  type text not null,
  parent_id uuid,
  member_emails text[] not null,
  member_roles text[] not null,
  document text not null,
  digest text not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint team_external_id UNIQUE (organization_id, external_id),
  constraint team_pkey PRIMARY KEY (organization_id, id),
  constraint team_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint team_parent FOREIGN KEY (organization_id, parent_id) REFERENCES team(organization_id, id) DEFERRABLE
);

CREATE INDEX team_by_creation ON public.team USING btree (organization_id, created_at, external_id);
CREATE INDEX team_by_member ON public.team USING gin (member_emails);
CREATE INDEX team_by_parent ON public.team USING btree (organization_id, parent_id);

create table user_account (
  id uuid not null,
  email text not null,
  email_key text not null,
  name text not null,
  password_hash text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint user_account_email_key_key UNIQUE (email_key),
  constraint user_account_pkey PRIMARY KEY (id)
);
