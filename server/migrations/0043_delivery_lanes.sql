-- A lane is inserted, claimed and deleted within a second, so the table is mostly dead rows. By default they are removed
-- when they are a fifth of the rows of a table that is nearly empty, and only once a minute.

alter table delivery_lane set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
