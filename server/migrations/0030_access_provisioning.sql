-- What connectors report about granting and revoking access on their platforms: the latest state with the agreement, and
-- each report in a timeline. A report does not change the agreement, so it has a counter of its own.

alter table access_agreement
  add column provisioning text,
  add column provisioning_status text,
  add column provisioning_version integer not null default 0;

create table access_provisioning_report (
  organization_id uuid not null,
  agreement_id text collate "C" not null,
  -- The version of the provisioning that it made.
  number integer not null,
  status text not null,
  -- The provisioning after the report, as JSON.
  provisioning text not null,
  reported_at timestamptz not null,
  reported_by text not null,
  primary key (organization_id, agreement_id, number),
  constraint access_provisioning_report_agreement foreign key (organization_id, agreement_id)
    references access_agreement (organization_id, external_id) on delete cascade
);
