-- Other names of documents and of their parts, a line each, which explain why search finds something. The index is built
-- again at the next start.
alter table search_document add column synonyms text not null default '';
