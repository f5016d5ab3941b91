-- A data contract may have no owner: then only organization owners may change it.
alter table data_contract
  alter column owner_team_id drop not null;
