-- Lists find documents by the search index, as search does, so the words that each table kept for its
-- lists are not needed any more.

drop index data_product_search;
drop index data_contract_search;
drop index asset_search;

alter table data_product drop column search;
alter table data_contract drop column search;
alter table asset drop column search;
alter table staged_asset drop column words;
