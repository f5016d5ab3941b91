-- The form in which a test result was sent: that of the catalog's clients, or observability results of Bitol. A check
-- that every existing row passes by its default is not validated, so that the table is not read.
alter table test_result add column format text not null default 'test-result';
alter table test_result add constraint test_result_format check (format in ('test-result', 'oors')) not valid;
