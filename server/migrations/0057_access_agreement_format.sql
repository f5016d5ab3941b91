-- The form in which an agreement was sent: that of the catalog's clients, or an access agreement of Bitol, whose meaning
-- is then in document_json. A check that every existing row passes by its default is not validated, so that the table is
-- not read.
alter table access_agreement add column format text not null default 'access';
alter table access_agreement add constraint access_agreement_format check (format in ('access', 'oaas')) not valid;
