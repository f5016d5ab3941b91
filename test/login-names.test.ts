/** Names of logins and roles of a source appear only to those who may see them, in any answer and any table. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { api } from '../server/api.ts'
import { ui } from '../server/ui.ts'
import {
  addAccess,
  addGrants,
  addIdentity,
  addMembers,
  addPorts,
  addReading,
  addTables,
  compare,
  newAccessWorld,
  toTable,
} from './access-rows.ts'
import { readJson } from './answers.ts'
import { notifyAll } from './notifications.ts'
import { onStore } from './stores.ts'
import { CALLERS, expectOk, odcs, putOne, type CallerName, type World } from './world.ts'

const CANARY = 'canary7f3a'
/** The tables in which these names belong. */
const OWN_TABLES = /^(asset_grant|grantee_.*|staged_grant|grant_finding)$/
/** Owners, and a key that approves access for the providing team. */
const SEE_ALL: readonly CallerName[] = ['Uo', 'T', 'O', 'Or']

describe('names of logins', () => {
  onStore((store) => {
    let world: World
    const ids = new Map<string, string>()
    before(async () => {
      world = await newAccessWorld(store())
      const key = await addReading(world)
      const paths = ['t0', 't1', 't2'].map((name) => toTable(name))
      const assets = await addTables(world, key, paths)
      await putOne(world, 'datacontracts', odcs('contract'))
      await addPorts(
        world,
        assets.map((id) => [id]),
        { id: 'product', contracts: ['contract', 'contract', 'contract'] },
      )
      const access = await addAccess(world, { product: 'product', port: 'port_1', ended: 30 })
      await addAccess(world, { product: 'product', port: 'port_2' })
      const login = (at: number): string => `${CANARY}_login${at}`
      const role = `${CANARY}_role`
      await addGrants(world, key, [
        { name: login(0), path: toTable('t0') },
        { name: role, path: toTable('t1') },
        { name: login(2), path: toTable('t2') },
        { name: login(2), path: toTable('t2'), effect: 'write' },
        { name: `${CANARY}_unknown`, path: toTable('t0') },
      ])
      await addMembers(world, key, [{ role, member: login(1) }])
      for (const at of [0, 1, 2]) {
        await addIdentity(world, key, login(at), { kind: 'team', id: 'b' })
      }
      await compare(world, key)
      const [finding] = await readJson<{ id: string }[]>(
        world.as('O', 'GET', '/api/access-findings?dataProductId=product'),
      )
      const path = `/api/access-findings/${finding?.id}/acceptance`
      await expectOk(world.as('O', 'PUT', path, { body: { reason: 'Known' } }))
      await expectOk(world.as('O', 'DELETE', path))
      await notifyAll(world)
      const [incident] = await readJson<{ id: string }[]>(world.as('O', 'GET', '/api/incidents'))
      const { rows } = await sql<{ id: string }>`
        select external_id as id
        from integration
        where organization_id = ${world.organizationId}
      `.execute(store().db)
      ids.set('/api/dataproducts/{id}', 'product')
      ids.set('/api/datacontracts/{id}', 'contract')
      ids.set('/api/access-findings/{id}', finding?.id ?? '')
      ids.set('/api/incidents/{id}', incident?.id ?? '')
      ids.set('/api/access/{id}', access)
      ids.set('/api/teams/{id}', 'a')
      ids.set('/api/assets/{id}', assets[0] ?? '')
      ids.set('/api/integrations/{externalId}', rows[0]?.id ?? '')
    })

    // Routes whose resource is not of this world are left out.
    const listPaths = (): string[] =>
      [...api, ...ui]
        .filter(({ method }) => method === 'GET')
        .flatMap(({ path }) => {
          const [start = '', base = '', resource = ''] =
            /^\/(?:api|ui)(\/[a-z]+(?:-[a-z]+)*\/(\{\w+\}))?/u.exec(path) ?? []
          const id = ids.get(`/api${base}`)
          const filled = id === undefined ? path : path.replace(start, start.replace(resource, id))
          const whole = filled.replace('{portId}', 'port_1')
          return whole.includes('{') || /stream|sign-in|health/u.test(whole) ? [] : [whole]
        })

    test('are in no answer for those who may not see them', async () => {
      const paths = listPaths()
      assert.ok(paths.includes('/api/dataproducts/product/outputports/port_1/grants'))
      assert.ok(paths.some((path) => path.startsWith('/api/incidents/')))
      assert.ok(paths.length > 60, `${paths.length} paths`)
      const listSeen = async (caller: CallerName): Promise<string[]> => {
        const seen: string[] = []
        for (const path of paths) {
          const answer = await world.as(caller, 'GET', path)
          const text = `${await answer.text()} ${JSON.stringify([...answer.headers])}`
          if (text.includes(CANARY)) seen.push(path)
        }
        return seen
      }
      for (const caller of CALLERS) {
        if (!SEE_ALL.includes(caller)) assert.deepEqual(await listSeen(caller), [], caller)
      }
      assert.ok((await listSeen('O')).includes('/api/access-findings'))
    })

    test('are in the findings and grants for those who approve access', async () => {
      for (const caller of SEE_ALL) {
        for (const path of ['access-findings', 'dataproducts/product/outputports/port_1/grants']) {
          const answer = await world.as(caller, 'GET', `/api/${path}`)
          assert.ok((await answer.text()).includes(CANARY), `${caller} ${path}`)
        }
      }
    })

    test('are in no table but their own: no event, entry, notification, mail or search entry', async () => {
      const { db } = store()
      const { rows } = await sql<{ name: string }>`
        select tablename as name
        from pg_tables
        where schemaname = current_schema()
        order by 1
      `.execute(db)
      const found: string[] = []
      for (const { name } of rows) {
        const { rows: hits } = await sql`
          select
          from ${sql.table(name)} as one
          where one::text like ${`%${CANARY}%`}
          limit 1
        `.execute(db)
        if (hits.length > 0) found.push(name)
      }
      assert.ok(found.includes('grant_finding'))
      assert.deepEqual(
        found.filter((name) => !OWN_TABLES.test(name)),
        [],
      )
    })
  })
})
