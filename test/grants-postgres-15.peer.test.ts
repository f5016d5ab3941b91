/** The tests of grants that read a server, on PostgreSQL 15: before version 16, memberships have no options. */

import { onPostgres15 } from './postgres-15.ts'
import { useOtherServer } from './postgres-source.ts'

useOtherServer((define) => onPostgres15((server) => define(() => server().url)))
await import('./grants-postgres.test.ts')
await import('./grants-postgres-oracle.test.ts')
