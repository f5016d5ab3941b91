-- Organizations, people, keys, teams, data products, history and events.
-- Ids are compared and sorted by their bytes (collate "C"), whatever the locale of the server.
-- Every primary key and every foreign key of a tenant's table begins with organization_id, so that
-- a reference from one tenant to another cannot be written.

create table organization (
  id uuid primary key,
  name text not null,
  created_at timestamptz not null default clock_timestamp(),
  -- Kept by the statements that add and remove keys: the row's lock makes the limit hold when
  -- several are created at the same instant.
  api_key_count integer not null default 0,
  constraint organization_api_key_limit check (api_key_count between 0 and 100)
);

-- A person may belong to several organizations, so accounts stand outside of them.
create table user_account (
  id uuid primary key,
  email text not null,
  -- The address as it is compared, folded by us: a store's lower() follows its locale.
  email_key text not null unique,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null default clock_timestamp()
);

create table organization_member (
  organization_id uuid not null references organization (id),
  user_id uuid not null references user_account (id),
  role text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, user_id),
  constraint organization_member_role check (role in ('Owner', 'Member'))
);

-- One-time links to set up an empty store: only hashes.
create table setup_link (
  token_hash bytea primary key,
  created_at timestamptz not null default clock_timestamp()
);

-- A value sealed with the encryption key in use: it tells a wrong key at start.
create table encryption_key (
  id text primary key,
  sealed bytea not null,
  created_at timestamptz not null default clock_timestamp()
);

create table team (
  organization_id uuid not null references organization (id),
  id uuid not null,
  external_id text collate "C" not null,
  name text not null,
  type text not null,
  parent_id uuid,
  -- The members named in the document, two lists side by side: addresses in lower case, and roles.
  -- An address need not belong to a known user.
  member_emails text[] not null,
  member_roles text[] not null,
  document text not null,
  digest text not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, id),
  constraint team_external_id unique (organization_id, external_id),
  -- Deferred by an import alone, which may meet a child before its parent.
  constraint team_parent foreign key (organization_id, parent_id)
    references team (organization_id, id) deferrable initially immediate
);

create index team_by_parent on team (organization_id, parent_id);
create index team_by_member on team using gin (member_emails);
create index team_by_creation on team (organization_id, created_at, external_id);

create table api_key (
  organization_id uuid not null references organization (id),
  id uuid not null,
  scope text not null,
  team_id uuid,
  user_id uuid,
  display_name text not null,
  secret_hash bytea not null unique,
  expires_on date,
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  last_used_at timestamptz,
  primary key (organization_id, id),
  constraint api_key_team foreign key (organization_id, team_id) references team (organization_id, id),
  -- No cascade: whoever removes a member removes the keys first, and counts them out.
  constraint api_key_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id),
  constraint api_key_scope check (
    case scope
      when 'user' then user_id is not null and team_id is null
      when 'user_read' then user_id is not null and team_id is null
      when 'team' then team_id is not null and user_id is null
      when 'team_read' then team_id is not null and user_id is null
      when 'organization' then team_id is null and user_id is null
      when 'organization_read' then team_id is null and user_id is null
      else false
    end
  )
);

create index api_key_by_team on api_key (organization_id, team_id);

create table data_product (
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
  archetype text,
  maturity text,
  domain text,
  tags text[] not null,
  -- The contracts that its ports name, which need not exist.
  input_contracts text[] not null,
  output_contracts text[] not null,
  -- The words of id, name and description. They are parted and folded before they come here,
  -- because a parser of the store follows its locale, and two stores may differ in that.
  search tsvector not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, external_id),
  constraint data_product_owner foreign key (organization_id, owner_team_id)
    references team (organization_id, id)
);

create index data_product_by_owner on data_product (organization_id, owner_team_id);
create index data_product_by_creation on data_product (organization_id, created_at, external_id);
create index data_product_search on data_product using gin (search);

-- One row for each version of any document. A row is written once; only a deletion marks the last.
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
  -- What lists filter and sort by: name, ownerId, status, archetype, domain, tags, words.
  facts jsonb not null,
  created_at timestamptz not null,
  valid_from timestamptz not null,
  principal text not null,
  request_id text not null,
  deleted_at timestamptz,
  deleted_by text,
  primary key (organization_id, kind, external_id, version)
);

-- The feed. Its order is (transaction, position): a position alone is given before its commit, so a
-- later transaction can hold an earlier one.
create table event (
  organization_id uuid not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  position bigint not null generated always as identity,
  id uuid not null,
  type text not null,
  kind text not null,
  subject text collate "C" not null,
  -- The version that the change made; of a removal, the version that it deleted.
  version integer not null,
  removal boolean not null,
  output_port_id text,
  principal text not null,
  time timestamptz not null,
  primary key (organization_id, transaction_id, position),
  constraint event_id unique (organization_id, id)
);
