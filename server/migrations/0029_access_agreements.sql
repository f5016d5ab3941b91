-- Access agreements: who may read the data of an output port, for what purpose and how long. The document is kept as it
-- was sent; the columns hold what decisions and time have made of it. Products, teams and people are named by their
-- external ids without foreign keys: an agreement that has ended is a record of the past and may outlive them.

create table access_agreement (
  organization_id uuid not null,
  external_id text collate "C" not null,
  document text not null,
  media_type text not null,
  document_json text,
  version integer not null,
  -- SHA-256 of the canonical form, with the dates and roles that are in effect.
  digest text not null,
  provider_product text collate "C" not null,
  -- The id of the port, also if the document names it by its name.
  output_port text collate "C" not null,
  -- The team that owns the data product. It follows the product while the product exists.
  provider_team text collate "C" not null,
  consumer_type text not null,
  -- The consuming team, or the team that owns the consuming product.
  consumer_team text collate "C",
  consumer_user uuid,
  consumer_product text collate "C",
  purpose text not null,
  roles text[] not null,
  -- Active from the first day to the day before the last one; null = from the decision, and without an end.
  start_on date,
  end_on date,
  reassess_on date,
  status text not null,
  state text not null,
  requested_at timestamptz not null,
  requested_by text not null,
  -- The person behind the request; null = a key of a team or of the organization.
  requested_by_user uuid,
  decided_at timestamptz,
  decided_by text,
  decision_reason text,
  -- The contract of the port when the agreement was requested, and from its approval on, the approved one.
  contract_id text collate "C",
  contract_version text,
  -- When the contract was changed since the approval, and the highest level of these changes.
  contract_changed_at timestamptz,
  contract_changed_level text,
  -- The next instant at which time changes the state or a reminder is due.
  next_due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  -- Products in agreements that are active or begin later. They cannot be deleted, whichever process approves at the
  -- same time.
  held_product text collate "C" generated always as (
    case when state in ('upcoming', 'active') then provider_product end
  ) stored,
  held_consumer_product text collate "C" generated always as (
    case when state in ('upcoming', 'active') then consumer_product end
  ) stored,
  primary key (organization_id, external_id),
  constraint access_agreement_held_product foreign key (organization_id, held_product)
    references data_product (organization_id, external_id),
  constraint access_agreement_held_consumer_product foreign key (organization_id, held_consumer_product)
    references data_product (organization_id, external_id),
  constraint access_agreement_consumer check (
    case consumer_type
      when 'team' then consumer_team is not null and consumer_user is null and consumer_product is null
      when 'user' then consumer_user is not null and consumer_team is null and consumer_product is null
      when 'dataproduct' then consumer_product is not null and consumer_user is null
      else false
    end
  ),
  constraint access_agreement_state check (
    case status
      when 'requested' then state in ('requested', 'canceled')
      when 'approved' then state in ('upcoming', 'active', 'expired', 'canceled')
      when 'rejected' then state = 'rejected'
      else false
    end
  )
);

create index access_agreement_by_creation on access_agreement (organization_id, created_at, external_id);
create index access_agreement_by_provider on access_agreement (organization_id, provider_product, created_at, external_id);
create index access_agreement_by_consumer_product
  on access_agreement (organization_id, consumer_product, created_at, external_id)
  where consumer_product is not null;

-- The inbox of a team, of an organization owner, and those of consumers: a state, newest request first.
create index access_agreement_by_provider_team
  on access_agreement (organization_id, provider_team, state, requested_at desc, external_id desc);
create index access_agreement_by_state
  on access_agreement (organization_id, state, requested_at desc, external_id desc);
create index access_agreement_by_consumer_team
  on access_agreement (organization_id, consumer_team, state, requested_at desc, external_id desc)
  where consumer_team is not null;
create index access_agreement_by_consumer_user
  on access_agreement (organization_id, consumer_user, state, requested_at desc, external_id desc)
  where consumer_user is not null;
-- Those that end soon, the next one first.
create index access_agreement_by_end
  on access_agreement (organization_id, end_on, external_id)
  where state = 'active' and end_on is not null;
create index access_agreement_by_team_end
  on access_agreement (organization_id, provider_team, end_on, external_id)
  where state = 'active' and end_on is not null;

-- The agreements that hold a data product or a port of it.
create index access_agreement_by_held_product
  on access_agreement (organization_id, held_product, output_port)
  where held_product is not null;
create index access_agreement_by_held_consumer_product
  on access_agreement (organization_id, held_consumer_product)
  where held_consumer_product is not null;
create index access_agreement_by_due on access_agreement (next_due_at) where next_due_at is not null;
