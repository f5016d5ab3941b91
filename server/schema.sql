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
  secret_prefix text,
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

create table asset (
  organization_id uuid not null,
  external_id text collate "C" not null,
  integration_id uuid,
  path text collate "C",
  scope text collate "C",
  kind text,
  source_id text collate "C",
  document text not null,
  media_type text not null,
  document_json text,
  version integer not null,
  digest text not null,
  name text not null,
  type text not null,
  source text,
  owner text collate "C",
  parent_id text collate "C",
  run_id uuid,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint asset_path UNIQUE (organization_id, integration_id, path) DEFERRABLE,
  constraint asset_pkey PRIMARY KEY (organization_id, external_id),
  constraint asset_integration FOREIGN KEY (organization_id, integration_id) REFERENCES integration(organization_id, id),
  constraint asset_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint asset_owner FOREIGN KEY (organization_id, owner) REFERENCES team(organization_id, external_id)
);

CREATE INDEX asset_at_top ON public.asset USING btree (organization_id, integration_id, "left"(name, 100) COLLATE "C", external_id) WHERE (parent_id IS NULL);
CREATE INDEX asset_by_creation ON public.asset USING btree (organization_id, created_at, external_id) WHERE (deleted_at IS NULL);
CREATE INDEX asset_by_owner ON public.asset USING btree (organization_id, owner) WHERE (owner IS NOT NULL);
CREATE INDEX asset_by_parent ON public.asset USING btree (organization_id, parent_id, "left"(name, 100) COLLATE "C", external_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX asset_by_source_id ON public.asset USING btree (organization_id, integration_id, source_id) WHERE (source_id IS NOT NULL);
CREATE INDEX asset_live ON public.asset USING btree (organization_id, integration_id) WHERE (deleted_at IS NULL);

create table asset_annotation (
  organization_id uuid not null,
  asset_id text collate "C" not null,
  description text,
  owner_team_id uuid,
  tags text[],
  version integer not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  lexemes text[] not null default '{}'::text[],
  constraint asset_annotation_pkey PRIMARY KEY (organization_id, asset_id),
  constraint asset_annotation_asset FOREIGN KEY (organization_id, asset_id) REFERENCES asset(organization_id, external_id) ON DELETE CASCADE,
  constraint asset_annotation_owner FOREIGN KEY (organization_id, owner_team_id) REFERENCES team(organization_id, id)
);

CREATE INDEX asset_annotation_by_owner ON public.asset_annotation USING btree (organization_id, owner_team_id);

create table asset_change (
  organization_id uuid not null,
  run_id uuid not null,
  asset_id text collate "C" not null,
  action text not null,
  held_because text,
  version_before integer,
  version_after integer,
  scope_before text collate "C",
  path_before text collate "C",
  path_after text collate "C",
  constraint asset_change_pkey PRIMARY KEY (organization_id, run_id, asset_id),
  constraint asset_change_run FOREIGN KEY (organization_id, run_id) REFERENCES ingestion_run(organization_id, id) ON DELETE CASCADE,
  constraint asset_change_action CHECK ((action = ANY (ARRAY['created'::text, 'updated'::text, 'deleted'::text, 'revived'::text])))
);

create table asset_statistic (
  organization_id uuid not null,
  asset_id text collate "C" not null,
  row_count bigint,
  size_bytes bigint,
  changed_at timestamp with time zone,
  measured_at timestamp with time zone not null,
  constraint asset_statistic_pkey PRIMARY KEY (organization_id, asset_id),
  constraint asset_statistic_asset FOREIGN KEY (organization_id, asset_id) REFERENCES asset(organization_id, external_id) ON DELETE CASCADE
);

create table credential (
  organization_id uuid not null,
  integration_id uuid not null,
  field text not null,
  sealed bytea not null,
  key_id text not null,
  set_at timestamp with time zone not null,
  constraint credential_pkey PRIMARY KEY (organization_id, integration_id, field),
  constraint credential_integration FOREIGN KEY (organization_id, integration_id) REFERENCES integration(organization_id, id) ON DELETE CASCADE
);

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
  owner_team_id uuid,
  status text,
  domain text,
  tags text[] not null,
  contract_version text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint data_contract_pkey PRIMARY KEY (organization_id, external_id),
  constraint data_contract_owner FOREIGN KEY (organization_id, owner_team_id) REFERENCES team(organization_id, id)
);

CREATE INDEX data_contract_by_creation ON public.data_contract USING btree (organization_id, created_at, external_id);
CREATE INDEX data_contract_by_owner ON public.data_contract USING btree (organization_id, owner_team_id);
CREATE INDEX data_contract_left_to_move ON public.data_contract USING btree (organization_id, owner_team_id) WHERE (format = 'dcs'::text);

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
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  assets text[] not null,
  constraint data_product_pkey PRIMARY KEY (organization_id, external_id),
  constraint data_product_owner FOREIGN KEY (organization_id, owner_team_id) REFERENCES team(organization_id, id)
);

CREATE INDEX data_product_by_asset ON public.data_product USING gin (assets);
CREATE INDEX data_product_by_creation ON public.data_product USING btree (organization_id, created_at, external_id);
CREATE INDEX data_product_by_input_contract ON public.data_product USING gin (input_contracts);
CREATE INDEX data_product_by_output_contract ON public.data_product USING gin (output_contracts);
CREATE INDEX data_product_by_owner ON public.data_product USING btree (organization_id, owner_team_id);
CREATE INDEX data_product_left_to_move ON public.data_product USING btree (organization_id, owner_team_id) WHERE (format = 'dps'::text);

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
  epoch integer not null default current_feed_epoch(),
  constraint event_id UNIQUE (organization_id, id),
  constraint event_pkey PRIMARY KEY (organization_id, epoch, transaction_id, "position")
);

create table feed_epoch (
  only_row boolean not null default true,
  epoch integer not null,
  system_identifier bigint,
  server_started_at timestamp with time zone not null,
  constraint feed_epoch_pkey PRIMARY KEY (only_row),
  constraint feed_epoch_only_row_check CHECK (only_row)
);

create table ingestion_log_line (
  organization_id uuid not null,
  run_id uuid not null,
  line integer not null generated always as identity,
  at timestamp with time zone not null,
  level text not null,
  text text not null,
  constraint ingestion_log_line_pkey PRIMARY KEY (organization_id, run_id, line),
  constraint ingestion_log_line_run FOREIGN KEY (organization_id, run_id) REFERENCES ingestion_run(organization_id, id) ON DELETE CASCADE
);

create table ingestion_run (
  organization_id uuid not null,
  id uuid not null,
  integration_id uuid not null,
  kind text not null,
  status text not null,
  phase text not null,
  message text,
  principal text not null,
  forced boolean not null,
  assets_processed integer not null default 0,
  assets_created integer not null default 0,
  assets_updated integer not null default 0,
  assets_deleted integer not null default 0,
  held_count integer not null default 0,
  held_state text,
  subject_run_id uuid,
  started_at timestamp with time zone not null,
  completed_at timestamp with time zone,
  attempt integer not null default 0,
  fence bigint not null default 0,
  lease_until timestamp with time zone,
  progressed_at timestamp with time zone not null,
  cancel_requested_at timestamp with time zone,
  not_before timestamp with time zone,
  source_failures integer not null default 0,
  constraint ingestion_run_pkey PRIMARY KEY (organization_id, id),
  constraint ingestion_run_integration FOREIGN KEY (organization_id, integration_id) REFERENCES integration(organization_id, id) ON DELETE CASCADE,
  constraint ingestion_run_end CHECK (((status = 'RUNNING'::text) = (completed_at IS NULL))),
  constraint ingestion_run_held CHECK ((held_state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'rejected'::text, 'superseded'::text]))),
  constraint ingestion_run_kind CHECK ((kind = ANY (ARRAY['ingest'::text, 'preview'::text, 'undo'::text, 'confirm'::text]))),
  constraint ingestion_run_phase CHECK ((phase = ANY (ARRAY['waiting'::text, 'checking'::text, 'listing'::text, 'publishing'::text]))),
  constraint ingestion_run_status CHECK ((status = ANY (ARRAY['RUNNING'::text, 'SUCCESS'::text, 'FAILED'::text, 'CANCELLED'::text])))
);

CREATE INDEX ingestion_run_by_change ON public.ingestion_run USING btree (organization_id, completed_at) WHERE ((status = 'SUCCESS'::text) AND (kind <> 'preview'::text) AND (((assets_created + assets_updated) + assets_deleted) > 0));
CREATE INDEX ingestion_run_by_start ON public.ingestion_run USING btree (organization_id, integration_id, started_at DESC, id DESC);
CREATE INDEX ingestion_run_held ON public.ingestion_run USING btree (organization_id, integration_id) WHERE (held_state = 'pending'::text);
CREATE UNIQUE INDEX ingestion_run_running ON public.ingestion_run USING btree (organization_id, integration_id) WHERE (status = 'RUNNING'::text);
CREATE INDEX ingestion_run_to_claim ON public.ingestion_run USING btree (lease_until NULLS FIRST, started_at) WHERE (status = 'RUNNING'::text);

create table ingestion_scope (
  organization_id uuid not null,
  run_id uuid not null,
  scope text collate "C" not null,
  kind text not null,
  state text not null,
  object_count integer not null default 0,
  message text,
  constraint ingestion_scope_pkey PRIMARY KEY (organization_id, run_id, scope),
  constraint ingestion_scope_run FOREIGN KEY (organization_id, run_id) REFERENCES ingestion_run(organization_id, id) ON DELETE CASCADE,
  constraint ingestion_scope_state CHECK ((state = ANY (ARRAY['pending'::text, 'complete'::text, 'denied'::text, 'failed'::text, 'skipped'::text, 'missing'::text])))
);

create table integration (
  organization_id uuid not null,
  id uuid not null,
  external_id text collate "C" not null,
  name text not null,
  source text not null,
  owner_team_id uuid,
  configuration jsonb not null,
  schedule_expression text,
  schedule_time_zone text not null,
  enabled boolean not null,
  next_due_at timestamp with time zone,
  authentication_failure_count integer not null default 0,
  paused_because text,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  updated_by text not null,
  constraint integration_external_id UNIQUE (organization_id, external_id),
  constraint integration_pkey PRIMARY KEY (organization_id, id),
  constraint integration_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint integration_owner FOREIGN KEY (organization_id, owner_team_id) REFERENCES team(organization_id, id)
);

CREATE INDEX integration_by_due ON public.integration USING btree (next_due_at) WHERE (next_due_at IS NOT NULL);
CREATE INDEX integration_by_owner ON public.integration USING btree (organization_id, owner_team_id);

create table invitation (
  organization_id uuid not null,
  id uuid not null,
  email text not null,
  email_key text not null,
  role text not null,
  token_hash bytea not null,
  invited_by uuid not null,
  created_at timestamp with time zone not null,
  constraint invitation_email UNIQUE (organization_id, email_key),
  constraint invitation_token_hash_key UNIQUE (token_hash),
  constraint invitation_pkey PRIMARY KEY (organization_id, id),
  constraint invitation_inviter FOREIGN KEY (organization_id, invited_by) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint invitation_role CHECK ((role = ANY (ARRAY['Owner'::text, 'Member'::text])))
);

CREATE INDEX invitation_by_inviter ON public.invitation USING btree (organization_id, invited_by);

create table missing_scope (
  organization_id uuid not null,
  integration_id uuid not null,
  scope text collate "C" not null,
  missing_since timestamp with time zone not null,
  constraint missing_scope_pkey PRIMARY KEY (organization_id, integration_id, scope),
  constraint missing_scope_integration FOREIGN KEY (organization_id, integration_id) REFERENCES integration(organization_id, id) ON DELETE CASCADE
);

create table organization (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  api_key_count integer not null default 0,
  search_synonyms jsonb not null default '[]'::jsonb,
  constraint organization_pkey PRIMARY KEY (id),
  constraint organization_api_key_limit CHECK (((api_key_count >= 0) AND (api_key_count <= 100)))
);

create table organization_member (
  organization_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  last_seen_at timestamp with time zone,
  constraint organization_member_pkey PRIMARY KEY (organization_id, user_id),
  constraint organization_member_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id),
  constraint organization_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  constraint organization_member_role CHECK ((role = ANY (ARRAY['Owner'::text, 'Member'::text])))
);

CREATE INDEX organization_member_by_user ON public.organization_member USING btree (user_id, created_at, organization_id);

create table password_guess (
  subject bytea not null,
  guess_count integer not null,
  guessed_at timestamp with time zone not null,
  succeeded_at timestamp with time zone,
  constraint password_guess_pkey PRIMARY KEY (subject)
);

CREATE INDEX password_guess_by_time ON public.password_guess USING btree (guessed_at);

create table password_reset (
  user_id uuid not null,
  token_hash bytea not null,
  organization_id uuid,
  created_by uuid,
  created_at timestamp with time zone not null,
  constraint password_reset_token_hash_key UNIQUE (token_hash),
  constraint password_reset_pkey PRIMARY KEY (user_id),
  constraint password_reset_creator FOREIGN KEY (organization_id, created_by) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint password_reset_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE,
  constraint password_reset_by_owner_or_operator CHECK (((organization_id IS NULL) = (created_by IS NULL)))
);

CREATE INDEX password_reset_by_creator ON public.password_reset USING btree (organization_id, created_by);

create table password_reset_agreement (
  organization_id uuid not null,
  user_id uuid not null,
  agreed_by uuid not null,
  created_at timestamp with time zone not null,
  constraint password_reset_agreement_pkey PRIMARY KEY (organization_id, user_id),
  constraint password_reset_agreement_member FOREIGN KEY (organization_id, user_id) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE,
  constraint password_reset_agreement_owner FOREIGN KEY (organization_id, agreed_by) REFERENCES organization_member(organization_id, user_id) ON DELETE CASCADE
);

CREATE INDEX password_reset_agreement_by_owner ON public.password_reset_agreement USING btree (organization_id, agreed_by);
CREATE INDEX password_reset_agreement_by_person ON public.password_reset_agreement USING btree (user_id);

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

CREATE INDEX revision_by_change ON public.revision USING btree (organization_id, valid_from, kind, level, principal) WHERE ((kind <> 'asset'::text) OR (format = 'asset'::text));
CREATE INDEX revision_by_deletion ON public.revision USING btree (organization_id, deleted_at, kind, deleted_by) WHERE ((deleted_at IS NOT NULL) AND ((kind <> 'asset'::text) OR (format = 'asset'::text)));

create table schema_migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint schema_migration_pkey PRIMARY KEY (name)
);

create table search_build (
  only_row boolean not null default true,
  rules integer not null,
  kind text,
  organization_id uuid,
  external_id text collate "C",
  constraint search_build_pkey PRIMARY KEY (only_row),
  constraint search_build_only_row_check CHECK (only_row)
);

create table search_document (
  organization_id uuid not null,
  kind text not null,
  external_id text collate "C" not null,
  name text not null,
  name_key text collate "C" not null,
  id_key text collate "C" not null,
  standing smallint not null,
  owner_team_id uuid,
  integration_id uuid,
  status text,
  domain text,
  tags text[] not null,
  source text,
  type text,
  description text,
  columns text not null,
  ports text not null,
  words tsvector not null,
  updated_at timestamp with time zone not null,
  classifications text[] not null default '{}'::text[],
  facets_key bigint not null generated always as (hashtextextended(kind, hashtextextended(COALESCE(status, ''::text), hashtextextended(COALESCE(domain, ''::text), hashtextextended(COALESCE(source, ''::text), hashtextextended(COALESCE(type, ''::text), uuid_hash_extended(COALESCE(owner_team_id, organization_id), uuid_hash_extended(COALESCE(integration_id, organization_id), hash_array_extended((array_append(tags, ''::text) || classifications), (0)::bigint))))))))) stored,
  constraint search_document_pkey PRIMARY KEY (organization_id, kind, external_id),
  constraint search_document_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id)
);

CREATE INDEX search_document_asset_words ON public.search_document USING gin (words) WITH (gin_pending_list_limit='256') WHERE (kind = 'asset'::text);
CREATE INDEX search_document_by_facets ON public.search_document USING btree (organization_id, facets_key);
CREATE INDEX search_document_by_standing ON public.search_document USING btree (organization_id, standing, name_key, external_id);
CREATE INDEX search_document_words ON public.search_document USING gin (words) WITH (gin_pending_list_limit='256') WHERE (kind <> 'asset'::text);

create table search_word (
  organization_id uuid not null,
  word text collate "C" not null,
  constraint search_word_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organization(id)
);

CREATE INDEX search_word_backward ON public.search_word USING btree (organization_id, reverse(word));
CREATE INDEX search_word_forward ON public.search_word USING btree (organization_id, word);

create table session (
  token_hash bytea not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  constraint session_pkey PRIMARY KEY (token_hash),
  constraint session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);

CREATE INDEX session_by_user ON public.session USING btree (user_id);

create table setup_link (
  token_hash bytea not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint setup_link_pkey PRIMARY KEY (token_hash)
);

create table staged_asset (
  organization_id uuid not null,
  run_id uuid not null,
  fence bigint not null,
  id text collate "C" not null,
  parent_id text collate "C",
  path text collate "C" not null,
  scope text collate "C" not null,
  kind text not null,
  source_id text collate "C",
  digest text not null,
  document text,
  name text not null,
  type text not null,
  row_count bigint,
  size_bytes bigint,
  changed_at timestamp with time zone,
  asset_id text collate "C",
  name_key text,
  lexemes text[],
  description text,
  tags text[],
  columns text,
  constraint staged_asset_pkey PRIMARY KEY (organization_id, run_id, fence, path)
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
  password_changed_at timestamp with time zone not null default clock_timestamp(),
  last_organization_id uuid,
  constraint user_account_pkey PRIMARY KEY (id)
);

CREATE INDEX user_account_by_email ON public.user_account USING btree (email_key);

CREATE OR REPLACE FUNCTION public.current_feed_epoch()
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  current_epoch integer;
begin
  select epoch
  into current_epoch
  from feed_epoch
  where server_started_at = pg_postmaster_start_time();
  if current_epoch is null then
    raise exception 'the PostgreSQL server was restarted or replaced, and the feed is not adjusted to it yet'
      using errcode = '40F01';
  end if;
  return current_epoch;
end $function$;
