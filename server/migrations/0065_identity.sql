-- Sign-in with an OpenID provider of an organization, and provisioning by its directory (SCIM).

-- An OpenID Connect provider of an organization.
create table identity_provider (
  organization_id uuid not null references organization (id),
  id uuid not null,
  name text not null,
  -- As the provider writes it; compared byte for byte.
  issuer text collate "C" not null,
  client_id text not null,
  client_authentication text not null check (client_authentication in ('basic', 'post', 'none')),
  -- The claim that identifies a person: Entra ID has another sub for each application.
  subject_claim text not null default 'sub' check (subject_claim in ('sub', 'oid')),
  -- claim = an address counts if email_verified is true; provider = also without it, for the listed domains.
  email_trust text not null default 'claim' check (email_trust in ('claim', 'provider')),
  -- The domains of the addresses that it may sign in, in lower case.
  domains text[] not null default '{}',
  join_rule text not null default 'invited' check (join_rule in ('invited', 'groups', 'everyone')),
  -- The claim with the groups, or the path to it; null = groups are not read.
  groups_claim text,
  session_hours integer not null default 12 check (session_hours between 1 and 168),
  -- Whether signing out of Portbook signs out of the provider too.
  signs_out boolean not null default false,
  -- Certificates in PEM that are trusted for this provider only.
  authority text,
  -- environment = from the settings of the operator; read-only on pages.
  origin text not null default 'page' check (origin in ('page', 'environment')),
  enabled boolean not null default true,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  primary key (organization_id, id),
  -- Addresses of pages and requests have only the id.
  constraint identity_provider_id unique (id)
);

create table identity_provider_secret (
  organization_id uuid not null,
  provider_id uuid not null,
  sealed bytea not null,
  key_id text not null,
  set_at timestamptz not null default clock_timestamp(),
  primary key (organization_id, provider_id),
  foreign key (organization_id, provider_id) references identity_provider (organization_id, id) on delete cascade
);

-- The person of a provider who is a member.
create table provider_identity (
  organization_id uuid not null,
  provider_id uuid not null,
  subject text collate "C" not null,
  user_id uuid not null,
  email text,
  -- The groups of the last sign-in, and the same in lower case for comparisons.
  groups text[] not null default '{}',
  group_keys text[] collate "C" not null default '{}',
  -- False = the provider did not send them (for example too many); the stored ones stay.
  groups_known boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  last_sign_in_at timestamptz,
  primary key (organization_id, provider_id, subject),
  constraint provider_identity_person unique (organization_id, provider_id, user_id),
  foreign key (organization_id, provider_id) references identity_provider (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references organization_member (organization_id, user_id) on delete cascade
);
create index provider_identity_by_user on provider_identity (organization_id, user_id);

-- The last failed sign-ins of a provider, for its page.
create table provider_failure (
  organization_id uuid not null,
  provider_id uuid not null,
  id uuid not null,
  failed_at timestamptz not null default clock_timestamp(),
  code text not null,
  sentence text not null,
  request_id text not null,
  primary key (organization_id, provider_id, id),
  foreign key (organization_id, provider_id) references identity_provider (organization_id, id) on delete cascade
);

-- The mail domains of an organization. Only one organization can have a verified one.
create table organization_domain (
  organization_id uuid not null references organization (id),
  -- In lower case and ASCII, without a dot at its end.
  domain text collate "C" not null,
  -- The value of its TXT record.
  challenge text not null,
  verified_at timestamptz,
  -- dns = its TXT record; operator = a command or a setting; only-organization = it was the only organization of the
  -- installation, which proves nothing: another organization with a proof takes the domain.
  proof text check (proof in ('dns', 'operator', 'only-organization')),
  created_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  primary key (organization_id, domain),
  constraint organization_domain_proof check ((verified_at is null) = (proof is null))
);
create unique index organization_domain_verified on organization_domain (domain) where verified_at is not null;

-- How people may sign in to an organization; without a row any way is allowed.
create table organization_sign_in (
  organization_id uuid primary key references organization (id),
  rule text not null default 'any' check (rule in ('any', 'provider')),
  second_factor text not null default 'optional' check (second_factor in ('optional', 'required')),
  version integer not null default 1,
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null
);

-- The owners who may sign in with their password in any case.
create table break_glass (
  organization_id uuid not null,
  user_id uuid not null,
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references organization_member (organization_id, user_id)
);

-- What a browser needs to finish a sign-in that it began: state, nonce and verifier are sealed. Ten minutes.
create table sign_in_transaction (
  id uuid primary key,
  secret_hash bytea not null unique,
  kind text not null,
  organization_id uuid not null,
  provider_id uuid not null,
  user_id uuid references user_account (id) on delete cascade,
  sealed bytea not null,
  key_id text not null,
  created_at timestamptz not null,
  foreign key (organization_id, provider_id) references identity_provider (organization_id, id) on delete cascade
);
create index sign_in_transaction_by_age on sign_in_transaction (created_at);

-- Tokens that count once (or a few times): the hash of each, until it has expired.
create table used_token (
  organization_id uuid not null references organization (id),
  -- The provider (later the rule) at which it was used.
  used_at_id uuid not null,
  token_hash bytea not null,
  count integer not null default 1,
  expires_at timestamptz not null,
  primary key (organization_id, used_at_id, token_hash)
);
create index used_token_by_expiry on used_token (expires_at);

alter table session
  add column id uuid not null default gen_random_uuid(),
  -- A session of a provider acts only in its organization; null = in any organization of the person.
  add column organization_id uuid,
  add column provider_id uuid,
  add column subject text,
  -- The session of the provider, which it names when it ends it.
  add column sid text,
  -- How it began: password, provider, invitation, reset, set-up. Null = before this was recorded.
  add column method text,
  -- Ends then in any case; null = after the usual time.
  add column expires_at timestamptz,
  add column user_agent text,
  -- The address of the client at sign-in.
  add column client text,
  add constraint session_id unique (id),
  add constraint session_of_provider check ((provider_id is null) = (organization_id is null)),
  add constraint session_provider foreign key (organization_id, provider_id)
    references identity_provider (organization_id, id) on delete cascade;
create index session_by_provider on session (organization_id, provider_id, subject) where provider_id is not null;

-- The ID tokens of sessions whose end is reported to the provider.
create table session_id_token (
  session_id uuid primary key references session (id) on delete cascade,
  organization_id uuid not null references organization (id),
  sealed bytea not null,
  key_id text not null
);

-- The organization whose provider or directory manages an account; null = the person does.
alter table user_account add column managed_by uuid references organization (id);

alter table organization_member
  -- Suspended by the directory: no session, key, role or notice in this organization.
  add column suspended_at timestamptz,
  add column origin text not null default 'invitation'
    constraint organization_member_origin check (origin in ('invitation', 'provider', 'directory'));
create index organization_member_suspended on organization_member (suspended_at) where suspended_at is not null;

-- The permissions to which a key is limited; null = those of its scope.
alter table api_key
  add column permissions text[],
  add constraint api_key_read_only
    check (cardinality(permissions) = 0 or scope in ('user', 'team', 'organization'));

-- The keys with which a directory provisions people (SCIM). They open nothing else.
create table directory_key (
  organization_id uuid not null references organization (id),
  id uuid not null,
  secret_hash bytea not null unique,
  secret_prefix text not null,
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  last_used_at timestamptz,
  primary key (organization_id, id)
);

-- What the directory says of a member. Its id is that of the person.
create table directory_user (
  organization_id uuid not null,
  user_id uuid not null,
  user_name text not null,
  user_name_key text collate "C" not null,
  external_id text collate "C",
  given_name text,
  family_name text,
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  primary key (organization_id, user_id),
  constraint directory_user_name unique (organization_id, user_name_key),
  constraint directory_user_external_id unique (organization_id, external_id),
  foreign key (organization_id, user_id) references organization_member (organization_id, user_id) on delete cascade
);

create table directory_group (
  organization_id uuid not null references organization (id),
  id uuid not null,
  display_name text not null,
  display_name_key text collate "C" not null,
  external_id text collate "C",
  version integer not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  updated_by text not null,
  primary key (organization_id, id),
  constraint directory_group_name unique (organization_id, display_name_key),
  constraint directory_group_external_id unique (organization_id, external_id)
);

create table directory_group_member (
  organization_id uuid not null,
  group_id uuid not null,
  user_id uuid not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references directory_group (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references organization_member (organization_id, user_id) on delete cascade
);
create index directory_group_member_by_user on directory_group_member (organization_id, user_id);

-- The rows of the document that maps groups to roles. A group is named by its name in any letter case (group_key), by its
-- external id, or by a value of a claim; team is an external id, also of a team that does not exist yet.
create table directory_mapping (
  organization_id uuid not null references organization (id),
  position integer not null,
  group_name text collate "C" not null,
  group_key text collate "C" not null,
  kind text not null check (kind in ('organizationOwner', 'teamMemberRole', 'teamMember')),
  team text collate "C",
  role text,
  primary key (organization_id, position),
  constraint directory_mapping_team check ((kind = 'organizationOwner') = (team is null)),
  constraint directory_mapping_role check ((team is null) = (role is null))
);
create index directory_mapping_by_group on directory_mapping (organization_id, group_key);
create index directory_mapping_by_name on directory_mapping (organization_id, group_name);
create index directory_mapping_by_team on directory_mapping (organization_id, team);

-- The last request of a directory.
create table directory_state (
  organization_id uuid primary key references organization (id),
  last_request_at timestamptz not null
);

-- The last requests of a directory that were refused, as sentences.
create table directory_refusal (
  organization_id uuid not null references organization (id),
  id uuid not null,
  refused_at timestamptz not null default clock_timestamp(),
  method text not null,
  path text not null,
  status integer not null,
  sentence text not null,
  request_id text not null,
  primary key (organization_id, id)
);
