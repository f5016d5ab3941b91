-- Usage by month, which the page of a data product reads: 500 readers have 15,000 days in a month. A month counts the
-- stored spans of its days and those that were deleted because of their age.

create table usage_month (
  organization_id uuid not null,
  data_product_id text not null collate "C",
  -- The first day of the month.
  month date not null,
  consumer_digest text not null collate "C",
  output_port text not null,
  user_name text not null,
  role text not null,
  access_id text not null,
  query_count bigint not null,
  row_count bigint not null,
  primary key (organization_id, data_product_id, month, consumer_digest),
  constraint usage_month_organization foreign key (organization_id) references organization (id)
)
-- No index has a column that an update changes, and a part of each page is free for new versions of its rows, which
-- PostgreSQL then reclaims without a vacuum (HOT).
with (fillfactor = 70);

-- A statement writes months with their days, so it computes the digest of a consumer once. Digests are compared by bytes.
-- The organization of a day is checked when its month is inserted, which is rarer.
alter table usage_day alter column consumer_digest drop expression;
alter table usage_day alter column consumer_digest type text collate "C";
alter table usage_day drop constraint usage_day_organization;

insert into usage_month
select organization_id, data_product_id, date_trunc('month', day::timestamp)::date, consumer_digest,
  output_port, user_name, role, access_id, sum(query_count + archived_query_count),
  sum(row_count + archived_row_count)
from usage_day
where query_count + archived_query_count > 0
group by 1, 2, 3, 4, 5, 6, 7, 8;

-- An update of a day wrote this index and the primary key, because its condition has the count. Only the hourly deletion
-- of old days used it.
drop index usage_day_without_spans;
alter table usage_day set (fillfactor = 70);
