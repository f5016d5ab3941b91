-- Which assets a data product names, so that none is deleted under it; and lists of assets that stay
-- fast when there are hundreds of thousands.

alter table data_product add column assets text[] not null default '{}';

-- What products name already. A document that the store's own JSON cannot read is passed over: it is
-- seen again when somebody registers it anew.
do $$
declare
  product record;
begin
  for product in
    select organization_id, external_id, coalesce(document_json, document) as document
    from data_product
    where coalesce(document_json, document) like '%assets%'
  loop
    begin
      update data_product
      set assets = array(
        select distinct named #>> '{}'
        from (
          select owner
          from (values (product.document::jsonb)) as whole (owner)
          union all
          select jsonb_path_query(product.document::jsonb, '$.outputPorts[*]')
          union all
          select jsonb_path_query(product.document::jsonb, '$.inputPorts[*]')
        ) as owners
        cross join lateral (
          select jsonb_path_query(owner, '$.assets[*]')
          union all
          select jsonb_path_query(owner, '$.custom.assets[*]')
          union all
          select jsonb_path_query(owner, '$.customProperties[*] ? (@.property == "assets").value[*]')
        ) as listed (named)
        where jsonb_typeof(named) = 'string'
      )
      where organization_id = product.organization_id
        and external_id = product.external_id;
    exception
      when others then null;
    end;
  end loop;
end
$$;

alter table data_product alter column assets drop default;

create index data_product_by_asset on data_product using gin (assets);

-- A team that an asset names as its owner stays.
alter table asset add constraint asset_owner
  foreign key (organization_id, owner) references team (organization_id, external_id);

-- The order of lists, over what they show.
drop index asset_by_creation;
create index asset_by_creation on asset (organization_id, created_at, external_id)
  where deleted_at is null;
