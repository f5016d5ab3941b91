/** A contract on a table of a real PostgreSQL, whose integration has a second account that tests it. */

import { sql } from 'kysely'
import { postgres } from '../server/connectors/postgres/connector.ts'
import type { Store } from '../server/store.ts'
import { newIngestionWorld } from './ingestion.ts'
import { SourceDatabase } from './postgres-source.ts'
import { expectOk, odcs, type World } from './world.ts'

/** The server of a source that tests run on. */
function getServerUrl(): string {
  const url = process.env.PORTBOOK_TEST_POSTGRES
  if (url === undefined) throw new Error('this test needs a database: run it with npm')
  return url
}

/** A contract that can be tested, and its source. */
export interface TestedContract {
  source: SourceDatabase
  /** The path of the account that tests it, and the account. */
  accountPath: string
  account: object
  /** Drops the source. */
  drop(): Promise<void>
}

/** Adds the contract `tested`, which keeps one of two rules. */
export async function addTestedContract(world: World, store: Store): Promise<TestedContract> {
  const source = await SourceDatabase.create(
    getServerUrl(),
    'create table orders (id int); insert into orders values (1), (2), (2)',
  )
  const tester = `tester_${source.user}`
  await source.execute(`
    create role ${tester} login password 'secret';
    grant usage on schema public to ${tester};
    grant select on orders to ${tester}`)
  const { configuration, secrets } = source.setup()
  const real = { connector: postgres, configuration, secrets }
  const { organizationId } = world
  const ingestion = await newIngestionWorld(store, { real, organizationId })
  await ingestion.run()
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from integration
    where organization_id = ${organizationId}
      and id = ${ingestion.integrationId}
  `.execute(store.db)
  const account = { userName: tester, password: 'secret', enabled: true, isForAllTeams: true }
  const accountPath = `/api/integrations/${rows[0]?.id}/test-account`
  await expectOk(world.as('O', 'PUT', accountPath, { body: account }))
  const { hostname: host, port } = source.url
  const place = { host, port: Number(port), database: source.name, schema: 'public' }
  const quality = [{ metric: 'duplicateValues', mustBe: 0 }]
  const body = odcs('tested', {
    servers: [{ server: 'production', type: 'postgres', environment: 'prod', ...place }],
    schema: [
      {
        name: 'orders',
        quality: [{ metric: 'rowCount', mustBe: 3 }],
        properties: [{ name: 'id', logicalType: 'integer', quality }],
      },
    ],
  })
  await expectOk(world.as('O', 'PUT', '/api/datacontracts/tested', { body }))
  return {
    source,
    accountPath,
    account,
    async drop() {
      await source.execute(`drop owned by ${tester}; drop role ${tester}`)
      await source.drop()
    },
  }
}
