-- Stars: the data products that a person marked. A star ends with the product, and with the person's membership.

create table data_product_star (
  organization_id uuid not null,
  data_product_id text not null collate "C",
  user_id uuid not null,
  starred_at timestamptz not null,
  primary key (organization_id, data_product_id, user_id),
  constraint data_product_star_product foreign key (organization_id, data_product_id)
    references data_product (organization_id, external_id) on delete cascade,
  constraint data_product_star_member foreign key (organization_id, user_id)
    references organization_member (organization_id, user_id) on delete cascade
);

create index data_product_star_by_user on data_product_star (organization_id, user_id, starred_at);
