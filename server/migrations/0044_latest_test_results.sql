-- For the newest test result of each server of a contract, and of each output port of a data product, however many
-- results are newer. Tests of a branch and dry runs do not count.

create index test_result_by_server on test_result (
  organization_id, contract_id, (coalesce(server, '')), tested_at desc, external_id desc
)
where branch is null and not dry_run;

create index test_result_by_port on test_result (
  organization_id, contract_id, (coalesce(product_id, '')), (coalesce(output_port, '')), tested_at desc, external_id desc
)
where branch is null and not dry_run;
