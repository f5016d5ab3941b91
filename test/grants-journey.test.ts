/** A person who was removed still has a grant: it is found, the owner is notified, and it is resolved after it was revoked. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { postgres } from '../server/connectors/postgres/connector.ts'
import type { AccessFinding } from '../server/reality/grants/access-finding.ts'
import type { Incident } from '../server/reality/incidents/read.ts'
import { addAccess } from './access-rows.ts'
import { readJson } from './answers.ts'
import { newGrantWorld, type GrantWorld } from './grant-world.ts'
import { notifyAll } from './notifications.ts'
import { onEveryPostgres, SourceDatabase } from './postgres-source.ts'
import { onStore } from './stores.ts'
import { expectOk, odcs, odps, putOne, uniqueId } from './world.ts'

describe('a removed person still has a grant', () => {
  onStore((store) => {
    onEveryPostgres((url) => {
      const contractId = uniqueId()
      const productId = uniqueId()
      let grants: GrantWorld
      let database: SourceDatabase
      let email: string
      before(async () => {
        database = await SourceDatabase.create(
          url(),
          'create schema sales; create table sales.orders (id int)',
        )
        const { configuration, secrets } = database.setup()
        grants = await newGrantWorld(
          store(),
          { connector: postgres, configuration, secrets },
          { pattern: '{email}' },
        )
        const { world } = grants
        const members = await readJson<{ userId: string; email: string }[]>(
          world.asPerson('Uo', 'GET', '/ui/members'),
        )
        email = members.find(({ userId }) => userId === world.userIds.Um)?.email ?? ''
        await database.execute(
          `create role "${email}" login; grant usage on schema sales to "${email}";
           grant select on sales.orders to "${email}"`,
        )
        await putOne(world, 'teams', {
          id: 'b',
          name: 'Team B',
          members: [{ emailAddress: email, role: 'Reader' }],
        })
        await grants.ingestion.run()
        const { hostname, port } = database.url
        const server = {
          server: 'production',
          type: 'postgres',
          environment: 'prod',
          host: hostname,
          port: Number(port),
          database: database.name,
          schema: 'sales',
        }
        const schema = [{ name: 'orders', logicalType: 'object', properties: [] }]
        await putOne(world, 'datacontracts', odcs(contractId, { servers: [server], schema }))
        const outputPorts = [{ name: 'orders', version: '1', contractId }]
        await putOne(world, 'dataproducts', odps(productId, { outputPorts }))
        const now = Temporal.Now.instant().toString()
        await addAccess(world, { product: productId, port: 'orders', now })
      })
      after(async () => {
        await database.execute(`drop owned by "${email}"; drop role "${email}"`)
        await database.drop()
      })

      const listFindings = async (caller: 'O' | 'Ur', status = 'open'): Promise<AccessFinding[]> =>
        await readJson(
          grants.world.as(
            caller,
            'GET',
            `/api/access-findings?dataProductId=${productId}&status=${status}`,
          ),
        )
      const readIncident = async (): Promise<Incident | undefined> => {
        const path = `/api/incidents?dataContractId=${contractId}&kind=access`
        const [incident] = await readJson<Incident[]>(grants.world.as('Ur', 'GET', path))
        return incident
      }

      test('while the person is in a team with an agreement, access is as agreed', async () => {
        await grants.ingestion.run()
        assert.deepEqual(await listFindings('O'), [])
      })

      test('after the person was removed, the next run finds the grant', async () => {
        const { world } = grants
        await expectOk(world.asPerson('Uo', 'DELETE', `/ui/members/${world.userIds.Um}`))
        await grants.ingestion.run()
        const [finding, ...others] = await listFindings('O')
        assert.deepEqual(others, [])
        assert.deepEqual(
          [finding?.kind, finding?.outputPortId, finding?.grantee?.name, finding?.consumer?.id],
          ['granted_without_agreement', 'orders', email, world.userIds.Um],
        )
        const [hidden] = await listFindings('Ur')
        assert.deepEqual([hidden?.grantee, hidden?.consumer, hidden?.isHidden], [null, null, true])
      })

      test('the owner of the contract is notified', async () => {
        await notifyAll(grants.world)
        const incident = await readIncident()
        assert.deepEqual([incident?.kind, incident?.status], ['access', 'open'])
        const [opened] = incident?.notified ?? []
        assert.deepEqual([opened?.occasion, opened?.teams], ['opened', ['a']])
        assert.ok((opened?.people['owner'] ?? 0) > 0)
        assert.ok(!JSON.stringify(incident).includes(email))
      })

      test('after it was revoked, the next run resolves the finding and the incident', async () => {
        await database.execute(`revoke select on sales.orders from "${email}"`)
        await grants.ingestion.run()
        assert.deepEqual(await listFindings('O'), [])
        const [resolved] = await listFindings('O', 'resolved')
        assert.equal(resolved?.resolvedBecause, 'run')
        assert.equal((await readIncident())?.status, 'resolved')
      })
    })
  })
})
