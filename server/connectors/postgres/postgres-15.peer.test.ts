/** The tests of this folder that read a server, on PostgreSQL 15. */

import { onPostgres15 } from '../../../test/postgres-15.ts'
import { useOtherServer } from '../../../test/postgres-source.ts'

useOtherServer((define) => onPostgres15((server) => define(() => server().url)))
await import('./access.test.ts')
await import('./connector.test.ts')
await import('./facts.test.ts')
await import('./failures.test.ts')
await import('./many.test.ts')
await import('./timescale.test.ts')
