-- Search filters and counts data products by their custom fields, each as `name=value`. They are no part of
-- `facets_key`: often every product has a value of its own, and the combinations of facet values must stay few.
-- The index is built again at the next start.
alter table search_document add column custom text[] not null default '{}';
