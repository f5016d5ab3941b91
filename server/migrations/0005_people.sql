-- People come by invitation, sign in, and are known to each other as members of an organization.

-- When a person was last there, noted at most once a minute. It is kept for each membership: what
-- somebody does in one organization is none of another's business.
alter table organization_member add column last_seen_at timestamptz;

create index organization_member_by_user on organization_member (user_id, created_at, organization_id);

-- Who may become a member, by a link that works once. Only the hash of its secret is here.
create table invitation (
  organization_id uuid not null,
  id uuid not null,
  email text not null,
  -- As in user_account: the address as it is compared.
  email_key text not null,
  role text not null,
  token_hash bytea not null unique,
  invited_by uuid not null,
  created_at timestamptz not null,
  primary key (organization_id, id),
  -- One for each address: a new one takes the place of the one before.
  constraint invitation_email unique (organization_id, email_key),
  -- Who is no longer a member has invited nobody.
  constraint invitation_inviter foreign key (organization_id, invited_by)
    references organization_member (organization_id, user_id) on delete cascade,
  constraint invitation_role check (role in ('Owner', 'Member'))
);

create index invitation_by_inviter on invitation (organization_id, invited_by);

-- How often a password was guessed wrong in a row: for an account, for a client's address, for an
-- account from an address where its person signed in before. They stand here because neither a
-- restart nor a second process may give guessers a new start.
create table password_guess (
  -- The SHA-256 of what is counted for.
  subject bytea primary key,
  guess_count integer not null,
  guessed_at timestamptz not null,
  -- When a guess was right the last time.
  succeeded_at timestamptz
);

create index password_guess_by_time on password_guess (guessed_at);
