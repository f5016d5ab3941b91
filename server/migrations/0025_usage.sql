-- Usage of data products: spans that clients send by OTLP, kept for 30 days, and their counts by day, kept for 13
-- months. Every span has a row of its day, whose organization is checked, so a span has no foreign key of its own.

create table usage_span (
  organization_id uuid not null,
  span_id text not null collate "C",
  data_product_id text not null collate "C",
  output_port text not null,
  user_name text not null,
  role text not null,
  access_id text not null,
  row_count bigint not null,
  started_at timestamptz not null,
  received_at timestamptz not null,
  data_contract_id text collate "C",
  scope_name text,
  resource text not null,
  scope text not null,
  span text not null,
  -- The counted values before the last update, so that the statement that updates a span can subtract them.
  replaced text[],
  primary key (organization_id, span_id)
);

create index usage_span_by_product on usage_span (organization_id, data_product_id, span_id);
create index usage_span_by_receipt on usage_span (received_at);

create table usage_day (
  organization_id uuid not null,
  data_product_id text not null collate "C",
  day date not null,
  output_port text not null,
  user_name text not null,
  role text not null,
  access_id text not null,
  -- Names may be too long for an index, so a digest identifies them.
  consumer_digest text not null generated always as (
    md5(
      length(output_port) || ':' || output_port || length(user_name) || ':' || user_name
      || length(role) || ':' || role || access_id
    )
  ) stored,
  -- The stored spans of the day.
  query_count bigint not null,
  row_count bigint not null,
  -- The spans of the day that were deleted because of their age.
  archived_query_count bigint not null default 0,
  archived_row_count bigint not null default 0,
  primary key (organization_id, data_product_id, day, consumer_digest),
  constraint usage_day_organization foreign key (organization_id) references organization (id)
);

create index usage_day_without_spans on usage_day (day) where query_count = 0;
