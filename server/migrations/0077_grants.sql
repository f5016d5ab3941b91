-- Grants of source platforms, compared with access agreements.

-- How the grants of an integration are read; without a row they are not.
create table grant_reading (
  organization_id uuid not null,
  integration_id uuid not null,
  enabled boolean not null,
  -- The pattern of the names of grantees, such as dp_{product}_reader; null = none.
  pattern text,
  -- The begin of the last reading that succeeded, at least for a part of the source, and its run.
  read_at timestamptz,
  run_id uuid,
  -- The end of the last run that tried to read grants. Objects and memberships that it did not read were read before.
  attempted_at timestamptz,
  members_read_at timestamptz,
  -- Why the last reading was not complete; null = it was.
  incomplete_because text,
  -- Why memberships are not complete; null = they are.
  members_because text,
  -- The lengths of paths at which reading a table also needs a privilege of use, and the time after which the platform
  -- shows a grant.
  gates integer[] not null default '{}',
  delay_hours integer not null default 0,
  -- The last comparison with agreements, and whether another integration has tables of the same output ports.
  compared_at timestamptz,
  shares_ports boolean not null default false,
  -- [{productId, portId, count}]: the findings beyond the maximum of a port, which are not stored.
  omitted jsonb not null default '[]',
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  primary key (organization_id, integration_id),
  foreign key (organization_id, integration_id) references integration (organization_id, id) on delete cascade
);

-- The grants of the last reading only.
create table asset_grant (
  organization_id uuid not null,
  integration_id uuid not null,
  id uuid not null,
  -- The object as a JSON list, like the path of an asset; a schema or database has a shorter one, everything an empty one.
  path text collate "C" not null,
  grantee_kind text not null,
  grantee_name text collate "C" not null,
  privilege text not null,
  effect text not null check (effect in ('read', 'write', 'use', 'deny', 'deny_write')),
  -- Null = all columns.
  columns text[],
  with_grant boolean not null,
  -- The object from which the grant comes; null = the object itself.
  inherited_from text collate "C",
  primary key (organization_id, integration_id, id),
  foreign key (organization_id, integration_id) references grant_reading (organization_id, integration_id) on delete cascade
);
create index asset_grant_by_path on asset_grant (organization_id, integration_id, path);
create index asset_grant_by_grantee on asset_grant (organization_id, integration_id, grantee_name);

-- The objects whose grants were read, with what they contain.
create table grant_scope (
  organization_id uuid not null,
  integration_id uuid not null,
  path text collate "C" not null,
  -- The last time at which all its recorded grants were read.
  read_at timestamptz,
  -- Why others may have access nevertheless; null = the grants are complete.
  incomplete_because text,
  primary key (organization_id, integration_id, path),
  foreign key (organization_id, integration_id) references grant_reading (organization_id, integration_id) on delete cascade
);

-- Roles and their members, of the last reading.
create table grantee_member (
  organization_id uuid not null,
  integration_id uuid not null,
  role_kind text not null,
  role text collate "C" not null,
  member_kind text not null,
  member text collate "C" not null,
  -- Whether the member has the privileges of the role without any action.
  is_inherited boolean not null,
  -- Whether the member can act as the role.
  is_settable boolean not null,
  primary key (organization_id, integration_id, member_kind, member, role_kind, role),
  foreign key (organization_id, integration_id) references grant_reading (organization_id, integration_id) on delete cascade
);

-- Those who may read everything by their position, such as superusers.
create table grantee_administrator (
  organization_id uuid not null,
  integration_id uuid not null,
  grantee_kind text not null,
  grantee_name text collate "C" not null,
  primary key (organization_id, integration_id, grantee_kind, grantee_name),
  foreign key (organization_id, integration_id) references grant_reading (organization_id, integration_id) on delete cascade
);

-- What a run has read of them, until it is published.
create table staged_grant (
  organization_id uuid not null,
  run_id uuid not null,
  fence bigint not null,
  kind text not null check (kind in ('grant', 'member', 'administrator', 'scope')),
  id uuid not null,
  content jsonb not null,
  primary key (organization_id, run_id, fence, kind, id)
);

-- The consumer behind a name on the platform.
create table grantee_identity (
  organization_id uuid not null,
  integration_id uuid not null,
  grantee_kind text not null,
  grantee_name text collate "C" not null,
  -- platform = administrators and service accounts of the platform, which need no agreement.
  subject_kind text not null check (subject_kind in ('team', 'data-product', 'user', 'agreement', 'platform')),
  -- Null for the platform.
  subject_id text collate "C",
  origin text not null check (origin in ('report', 'rule', 'hand')),
  mapped_at timestamptz not null default clock_timestamp(),
  mapped_by text not null,
  primary key (organization_id, integration_id, grantee_kind, grantee_name),
  foreign key (organization_id, integration_id) references grant_reading (organization_id, integration_id) on delete cascade
);

create table grant_finding (
  organization_id uuid not null references organization (id),
  id uuid not null,
  kind text not null check (kind in ('granted_without_agreement', 'agreement_without_grant', 'still_granted', 'wider_than_agreed')),
  data_product_id text collate "C" not null,
  output_port text collate "C" not null,
  integration_id uuid not null,
  -- Empty for all grantees of a consumer, or PUBLIC.
  grantee_kind text not null,
  grantee_name text collate "C" not null,
  consumer_kind text,
  consumer_id text collate "C",
  agreement_id text collate "C",
  facts jsonb not null,
  first_run_id uuid,
  first_seen_at timestamptz not null,
  changed_at timestamptz not null,
  -- The first run that could not read again what it is about; null = the last run read it.
  not_read_since timestamptz,
  resolved_at timestamptz,
  resolved_because text check (resolved_because in ('run', 'agreement', 'link', 'identity', 'disabled')),
  accepted_until timestamptz,
  accepted_reason text,
  accepted_by text,
  accepted_at timestamptz,
  primary key (organization_id, id)
);
-- Names of ports have no maximum length.
create unique index grant_finding_open on grant_finding (
  organization_id, kind, data_product_id, md5(output_port), integration_id, grantee_kind, md5(grantee_name),
  coalesce(agreement_id, '')
) where resolved_at is null;
create index grant_finding_by_integration on grant_finding (organization_id, integration_id) where resolved_at is null;
create index grant_finding_by_product on grant_finding (organization_id, data_product_id, first_seen_at desc, id);
create index grant_finding_by_time on grant_finding (organization_id, first_seen_at desc, id);
create index grant_finding_by_resolution on grant_finding (resolved_at) where resolved_at is not null;

-- The second account of an integration, which may read counts of tables for tests.
create table test_account (
  organization_id uuid not null,
  integration_id uuid not null,
  enabled boolean not null,
  -- Whether contracts of other teams than that of the integration are tested, too.
  is_for_all_teams boolean not null,
  user_name text not null,
  -- The destination for which the password was entered: it is never sent to another one.
  destination jsonb not null,
  -- The test that is under way, until its end or this time.
  test_id uuid,
  test_until timestamptz,
  sealed bytea not null,
  key_id text not null,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  primary key (organization_id, integration_id),
  foreign key (organization_id, integration_id) references integration (organization_id, id) on delete cascade
);
