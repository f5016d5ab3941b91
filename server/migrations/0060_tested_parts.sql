-- The output ports of a data product, whether they have a contract or not, with what test results and their standing need:
-- {"name": …, "names": [id, name, key], "contract": …, "status": …}. The index is built again at the next start.
alter table search_document rename column port_contracts to output_ports;
-- The servers of a data contract whose tests count: {"tested": […], "ignored": […], "validSeconds": …}.
alter table search_document add column tested_servers jsonb;
