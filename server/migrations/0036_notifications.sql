-- Notifications: what happened, and the people and channels that are notified of it.

-- One row for each occasion. The row is also its entry in the queue: it is written by the follower of the event feed, or
-- by a periodic job, and its recipients are found afterwards, so that no write waits for them.
create table notification (
  organization_id uuid not null references organization (id),
  -- UUID version 7.
  id uuid not null,
  kind text not null,
  -- Identifies the change: it notifies once, however many events it has and however often a job finds it.
  occasion text not null collate "C",
  subject_kind text not null,
  subject_id text not null collate "C",
  subject_name text,
  -- Who did it; null = nobody, so that everybody is notified.
  principal text,
  -- Members for its sentence.
  data jsonb not null,
  -- Whom it is for: a list of teams, followers and people.
  audience jsonb not null,
  -- External ids of the teams whose members may see it; null = every member of the organization.
  visible_to text[],
  occurred_at timestamptz not null,
  created_at timestamptz not null,
  -- When its recipients were found; null = not yet.
  distributed_at timestamptz,
  primary key (organization_id, id),
  constraint notification_occasion unique (organization_id, occasion, kind)
);

create index notification_pending on notification (organization_id, id) where distributed_at is null;
create index notification_by_creation on notification (created_at);

-- The people who are notified, with the channels that they chose by then.
create table notification_recipient (
  organization_id uuid not null,
  notification_id uuid not null,
  user_id uuid not null,
  -- Why: 'following', 'owner', 'consumer', …
  reason text not null,
  on_page boolean not null,
  email text not null,
  read_at timestamptz,
  -- When the e-mail, or the digest with it, was handed over; null = not yet, or never.
  emailed_at timestamptz,
  primary key (organization_id, notification_id, user_id),
  constraint notification_recipient_email check (email in ('off', 'immediate', 'digest')),
  constraint notification_recipient_notification foreign key (organization_id, notification_id)
    references notification (organization_id, id) on delete cascade,
  constraint notification_recipient_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade
);

create index notification_recipient_by_user on notification_recipient (organization_id, user_id, notification_id);
create index notification_recipient_unread on notification_recipient (organization_id, user_id)
  where read_at is null and on_page;
create index notification_recipient_to_mail on notification_recipient (organization_id, user_id)
  where emailed_at is null and email = 'digest';

-- The channels of teams that are notified.
create table notification_channel_recipient (
  organization_id uuid not null,
  notification_id uuid not null,
  -- External id of the team, and the id of the channel.
  team text not null collate "C",
  channel text not null collate "C",
  primary key (organization_id, notification_id, team, channel),
  constraint notification_channel_recipient_notification foreign key (organization_id, notification_id)
    references notification (organization_id, id) on delete cascade
);

-- What a person has chosen for a kind of notifications; without a row, the default of the kind.
create table notification_setting (
  organization_id uuid not null,
  user_id uuid not null,
  kind text not null,
  on_page boolean not null,
  email text not null,
  primary key (organization_id, user_id, kind),
  constraint notification_setting_email check (email in ('off', 'immediate', 'digest')),
  constraint notification_setting_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade
);

-- What a team has chosen for a kind of notifications in one of its channels; without a row, the default of the kind.
create table notification_channel_setting (
  organization_id uuid not null,
  record_kind text not null default 'notification-channel',
  team text not null collate "C",
  channel text not null collate "C",
  kind text not null,
  is_enabled boolean not null,
  primary key (organization_id, team, channel, kind),
  constraint notification_channel_setting_kind check (record_kind = 'notification-channel'),
  constraint notification_channel_setting_channel foreign key (organization_id, record_kind, team, channel)
    references plain_record (organization_id, kind, scope, external_id) on delete cascade
);

-- Runs that failed or hold deletes are found by time, soon after they end.
create index ingestion_run_failed on ingestion_run (completed_at) where status = 'FAILED';
create index ingestion_run_held_by_time on ingestion_run (completed_at) where held_state = 'pending';

-- Keys that expire soon are found by their day.
create index api_key_by_expiry on api_key (expires_on) where expires_on is not null;
