import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { escapeIdentifier } from 'pg'
import { readJson } from '../../../test/answers.ts'
import { newIngestionWorld } from '../../../test/ingestion.ts'
import { HOSTILE } from '../../../test/measure-cases.ts'
import { onEveryPostgres, SourceDatabase } from '../../../test/postgres-source.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type CallerName, type World } from '../../../test/world.ts'
import { postgres } from '../../connectors/postgres/connector.ts'

interface Result {
  id: string
  server: string
  result: string
  checks: { name: string; result: string; reason?: string; qualityId?: string }[]
}

interface Offer {
  isOffered: boolean
  product: string
}

const expectCode = async (sent: Promise<Response>, status: number, code: string, detail = /./) => {
  const response = await sent
  const problem = (await response.json()) as { code: string; detail: string }
  assert.deepEqual([response.status, problem.code], [status, code], problem.detail)
  assert.match(problem.detail, detail)
  return problem
}

onStore((store) => {
  onEveryPostgres((url) => {
    describe('POST /api/datacontracts/{id}/test', () => {
      let database: SourceDatabase
      let world: World
      let integration: string
      const tester = `tester_${uniqueId().replaceAll('-', '')}`
      before(async () => {
        database = await SourceDatabase.create(
          url(),
          `
          create table orders (id int, state text, ${escapeIdentifier(HOSTILE)} text, updated_at timestamptz);
          insert into orders values (1, 'open', 'x', now()), (2, 'lost', null, now() - interval '1 day'), (2, null, 'y', null);
          create role ${tester} login password 'secret';
          grant usage on schema public to ${tester};
          grant select, insert, update, delete on orders to ${tester}`,
        )
        world = await newWorld(newProduct(store()))
        const { organizationId } = world
        const { configuration, secrets } = database.setup()
        const real = { connector: postgres, configuration, secrets }
        const ingestion = await newIngestionWorld(store(), { real, organizationId })
        await ingestion.run()
        const { rows } = await sql<{ id: string }>`
          select external_id as id from integration where organization_id = ${organizationId}
        `.execute(store().db)
        integration = rows[0]?.id ?? ''
      })
      after(async () => {
        await database.execute(`drop owned by ${tester}; drop role ${tester}`)
        await database.drop()
      })

      const account = { userName: tester, password: 'secret', enabled: true, isForAllTeams: true }
      const setAccount = async (body: object, caller: CallerName = 'O') =>
        await world.as(caller, 'PUT', `/api/integrations/${integration}/test-account`, { body })
      const addContract = async (more: object = {}): Promise<string> => {
        const id = uniqueId()
        const { hostname: host, port } = database.url
        const body = {
          apiVersion: 'v3.1.0',
          kind: 'DataContract',
          id,
          version: '1.0.0',
          status: 'active',
          team: { name: 'a' },
          servers: [
            {
              server: 'production',
              type: 'postgres',
              environment: 'prod',
              host,
              port: Number(port),
              database: database.name,
              schema: 'public',
            },
          ],
          slaProperties: [
            { property: 'freshness', value: 1, unit: 'h', element: 'orders.updated_at' },
          ],
          schema: [
            {
              name: 'orders',
              quality: [
                { metric: 'rowCount', mustBe: 3 },
                { type: 'sql', query: 'select 1', mustBe: 1 },
              ],
              properties: [
                {
                  name: 'id',
                  logicalType: 'integer',
                  quality: [{ metric: 'duplicateValues', mustBe: 0 }],
                },
                {
                  name: 'state',
                  logicalType: 'string',
                  quality: [
                    {
                      id: 'states',
                      metric: 'invalidValues',
                      arguments: { validValues: ['open', "closed'; --"] },
                      mustBeLessThan: 1e308,
                    },
                  ],
                },
                {
                  name: HOSTILE,
                  logicalType: 'string',
                  quality: [{ metric: 'nullValues', mustBe: 0, severity: 'warning' }],
                },
                { name: 'updated_at', logicalType: 'timestamp' },
              ],
            },
          ],
          ...more,
        }
        const response = await world.as('O', 'PUT', `/api/datacontracts/${id}`, { body })
        assert.equal(response.status, 200, await response.text())
        return id
      }
      const run = async (id: string, caller: CallerName = 'O', query = '') =>
        await world.as(caller, 'POST', `/api/datacontracts/${id}/test${query}`)

      const hold = (until: string) =>
        sql`
          update test_account set test_id = gen_random_uuid(), test_until = now() + ${until}::interval
          where organization_id = ${world.organizationId}
        `.execute(store().db)

      test('422 without an account, and 200 with a stored result when there is one', async () => {
        const id = await addContract()
        await expectCode(run(id), 422, 'invalid_state', /has no account for tests/)
        assert.equal((await setAccount(account)).status, 200)
        const result = await readJson<Result>(run(id))
        assert.deepEqual(
          result.checks.map((check) => check.result),
          ['passed', 'skipped', 'failed', 'passed', 'warning', 'passed'],
        )
        assert.deepEqual([result.result, result.server], ['failed', 'production'])
        assert.deepEqual(
          result.checks.flatMap(({ reason }) => reason ?? []),
          [
            'Not tested: SQL of a contract is never run.',
            'id: 1, expected 0.',
            `${HOSTILE}: 1, expected 0.`,
          ],
        )
        const stored = world.as('O', 'GET', `/api/test-results/${result.id}`)
        assert.deepEqual(await readJson(stored), result)
        assert.deepEqual(await database.execute('select count(*)::int from orders'), [{ count: 3 }])
      })

      test('its checks have the rules of the contract, and its newest time is evidence of freshness', async () => {
        const id = await addContract()
        await run(id)
        const checks = world.as('O', 'GET', `/api/datacontracts/${id}/checks`)
        const list = await readJson<{ rulePointer: string | null }[]>(checks)
        assert.deepEqual(
          new Set(list.map(({ rulePointer }) => rulePointer)),
          new Set([
            '/schema/0/properties/0/quality/0',
            '/schema/0/properties/1/quality/0',
            '/schema/0/properties/2/quality/0',
            '/schema/0/quality/0',
            '/schema/0/quality/1',
            null,
          ]),
        )
        const { rows } = await sql`
          select from freshness_check
          where organization_id = ${world.organizationId} and contract_id = ${id} and model = 'orders'
        `.execute(store().db)
        assert.equal(rows.length, 1)
      })

      test('422 names the state of the link if nothing is linked, and the servers there are', async () => {
        const id = await addContract({
          servers: [
            { server: 'elsewhere', type: 'postgres', host: 'x', database: 'x', schema: 'x' },
          ],
        })
        const problem = await expectCode(run(id), 422, 'not_linked', /"elsewhere"/)
        assert.deepEqual(Reflect.get(problem, 'links'), [{ model: 'orders', state: 'no_source' }])
        await expectCode(run(id, 'O', '?server=gone'), 422, 'invalid_state', /"elsewhere"/)
      })

      test('422 if no rule can be tested by counting', async () => {
        const id = await addContract({
          slaProperties: [],
          schema: [{ name: 'orders', quality: [{ type: 'sql', query: 'select 1', mustBe: 1 }] }],
        })
        await expectCode(run(id), 422, 'invalid_state', /SQL of a contract is never run/)
      })

      test('409 while another test reads the source, until its time has passed', async () => {
        const id = await addContract()
        const [one, other] = await Promise.all([run(id), run(id)])
        const statuses = [one.status, other.status].toSorted((a, b) => a - b)
        assert.ok(['200,200', '200,409'].includes(statuses.join()), statuses.join())
        await hold('1 minute')
        await expectCode(run(id), 409, 'test_running')
        await hold('-1 second')
        assert.equal((await run(id)).status, 200)
      })

      test('422 for a contract of another team, unless the account is for all teams', async () => {
        const { organizationId } = world
        const id = await addContract({ team: { name: 'b' } })
        const own = await addContract()
        await sql`
          update integration set owner_team_id = (
            select id from team where organization_id = ${organizationId} and external_id = 'a'
          )
          where organization_id = ${organizationId}
        `.execute(store().db)
        const { password: _, ...kept } = account
        assert.equal((await setAccount({ ...kept, isForAllTeams: false })).status, 200)
        await expectCode(run(id), 422, 'invalid_state', /only contracts of the team/)
        assert.equal((await run(own)).status, 200)
        await setAccount({ ...kept, enabled: false })
        await expectCode(run(own), 422, 'invalid_state', /has no account for tests/)
        assert.equal((await setAccount(kept)).status, 200)
      })

      test('a password stays with its user and destination, and is never shown', async () => {
        const { password: _, ...kept } = account
        await expectCode(setAccount({ ...kept, userName: 'other' }), 422, 'validation_failed')
        await expectCode(
          setAccount({ ...account, userName: database.user }),
          422,
          'validation_failed',
        )
        const shown = await world.as('O', 'GET', `/api/integrations/${integration}/test-account`)
        assert.doesNotMatch(await shown.text(), /secret/)
        const id = await addContract()
        const change = (from: string, to: string) =>
          sql`
          update integration set configuration = jsonb_set(configuration, '{host}', to_jsonb(${to}::text))
          where organization_id = ${world.organizationId} and configuration ->> 'host' = ${from}
        `.execute(store().db)
        const host = database.url.hostname
        await change(host, 'elsewhere.example')
        await expectCode(run(id), 422, 'invalid_state', /another connection/)
        await expectCode(setAccount(kept), 422, 'validation_failed', /./)
        await change('elsewhere.example', host)
        await setAccount({ ...account, password: 'wrong' })
        const failed = await expectCode(run(id), 422, 'invalid_state', /could not log in/)
        assert.doesNotMatch(failed.detail, /wrong/)
        await setAccount(account)
      })

      test('422 that names the product if its tables cannot be counted, and its account can be deleted', async () => {
        const id = await addContract()
        const { organizationId } = world
        const rename = (from: string, to: string) =>
          sql`
          update asset set type = ${to} || substr(type, ${from.length + 1})
          where organization_id = ${organizationId} and type like ${`${from}%`}
        `.execute(store().db)
        const at = (verb: 'GET' | 'DELETE') =>
          world.as('O', verb, `/api/integrations/${integration}/test-account`)
        const grants = `/api/integrations/${integration}/grants`
        await rename('postgres_', 'redshift_')
        const { isOffered, product } = await readJson<Offer>(at('GET'))
        assert.deepEqual([isOffered, product], [false, 'Amazon Redshift'])
        const detail =
          /tables of Amazon Redshift, only in those of PostgreSQL, MySQL and MariaDB\.$/
        await expectCode(run(id), 422, 'invalid_state', detail)
        await expectCode(setAccount(account), 422, 'invalid_state', detail)
        assert.equal((await readJson<Offer>(world.as('O', 'GET', grants))).isOffered, true)
        assert.equal((await at('DELETE')).status, 200)
        await rename('redshift_', 'cockroachdb_')
        const body = { enabled: true, pattern: null }
        const refused = world.as('O', 'PUT', grants, { body })
        await expectCode(refused, 422, 'invalid_state', /grants of CockroachDB, only those of/)
        const off = await world.as('O', 'PUT', grants, { body: { ...body, enabled: false } })
        assert.equal(off.status, 200)
        await rename('cockroachdb_', 'postgres_')
        assert.equal((await readJson<Offer>(at('GET'))).isOffered, true)
      })

      test('404 for an unknown contract, 403 for who may not publish results', async () => {
        assert.equal((await run(uniqueId())).status, 404)
        const id = await addContract()
        assert.equal((await run(id, 'Um')).status, 403)
      })
    })
  })
})
