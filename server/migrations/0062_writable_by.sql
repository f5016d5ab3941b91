-- The first version whose processes may go on writing after a migration, of its first line; null = only versions that
-- have the migration. New databases have the column from the start.
alter table schema_migration add column if not exists writable_by text;
