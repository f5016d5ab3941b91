import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createConnection } from 'mysql2/promise'
import { mariadb } from '../server/connectors/mysql/connector.ts'
import { newGrantWorld, type GrantWorld } from './grant-world.ts'
import { onMariadb } from './mariadb.ts'
import { newRandom } from './random.ts'
import { onStore } from './stores.ts'
import { uniqueId } from './world.ts'

const TABLES = 8
const USERS = 12
const ROLES = 6

describe('grants of MariaDB', () => {
  onStore((store) => {
    onMariadb((server) => {
      const prefix = `g${uniqueId()}`
      const database = `${prefix}_shop`
      const other = `${prefix}xother`
      const user = (at: number): string => `${prefix}u${at}`
      const role = (at: number): string => `${prefix}r${at}`
      const tables = Array.from({ length: TABLES }, (_, at) => `t${at}`)
      let grants: GrantWorld
      before(async () => {
        const { host, port, user: name, password } = server()
        await server().execute(`
          create database ${database}; create database ${other};
          ${tables.map((table) => `create table ${database}.${table} (id int, name text)`).join(';')};
          ${Array.from({ length: ROLES }, (_, at) => `create role ${role(at)}`).join(';')};
          ${Array.from({ length: USERS }, (_, at) => `create user ${user(at)} identified by 'secret'`).join(';')}`)
        const configuration = { host, port, user: name, ssl: 'off' }
        const real = { connector: mariadb, configuration, secrets: { password } }
        grants = await newGrantWorld(store(), real, { granteeKind: 'user' })
        await grants.ingestion.setFilters({ include: { database: [database] }, exclude: {} })
        await store()
          .db.updateTable('integration')
          .set({
            configuration: JSON.stringify({
              ...configuration,
              filters: { include: { database: [database] }, exclude: {} },
            }),
          })
          .where('id', '=', grants.key.integrationId)
          .execute()
        await grants.ingestion.run()
        await grants.addPorts(tables.map((table) => `${database}.${table}`))
        for (let at = 0; at < USERS; at += 1) await grants.map(user(at), { kind: 'team', id: 'b' })
      })

      // The oracle logs in as each user and reads each table, with each role that it can set.
      async function canRead(at: number, table: string): Promise<boolean> {
        const { host, port } = server()
        const connection = await createConnection({
          host,
          port,
          user: user(at),
          password: 'secret',
        })
        try {
          const [rows] = await connection.query('show grants')
          const roles = ['none', ...Array.from({ length: ROLES }, (_, at) => role(at))]
          assert.ok(Array.isArray(rows))
          for (const one of roles) {
            const isSet = await connection.query(`set role ${one}`).then(
              () => true,
              () => false,
            )
            if (!isSet) continue
            for (const columns of ['id', 'name']) {
              const text = `select ${columns} from ${database}.${table} limit 0`
              if (
                await connection.query(text).then(
                  () => true,
                  () => false,
                )
              )
                return true
            }
          }
          return false
        } finally {
          connection.destroy()
        }
      }

      test('finds exactly the users who can log in and read, over seeded grants', async () => {
        const random = newRandom(4711)
        const pick = (count: number): number => Math.floor(random() * count)
        const statements: string[] = []
        for (let at = 0; at < 40; at += 1) {
          const grantee = random() < 0.5 ? user(pick(USERS)) : role(pick(ROLES))
          const table = `${database}.${tables[pick(TABLES)]}`
          const what = ['select on', 'select (name) on', 'insert on', 'references on'][pick(4)]
          statements.push(`grant ${what} ${table} to ${grantee}`)
        }
        for (let at = 0; at < 10; at += 1) {
          statements.push(`grant ${role(pick(ROLES))} to ${user(pick(USERS))}`)
        }
        for (let at = 0; at + 1 < ROLES; at += 2)
          statements.push(`grant ${role(at)} to ${role(at + 1)}`)
        statements.push(`grant select on \`${prefix.replace('_', '\\_')}%\`.* to ${user(0)}`)
        statements.push(`grant insert on \`${database.replaceAll('_', '\\_')}\`.* to ${user(0)}`)
        statements.push(`grant select on \`${database.replaceAll('_', '_')}\`.* to ${user(1)}`)
        await server().execute(statements.join(';'))
        const run = await grants.ingestion.run()
        assert.equal(run.status, 'SUCCESS', run.message ?? '')
        const open = await grants.listOpen()
        const reported = open.map(({ port, grantee }) => `${grantee} ${port}`)
        const expected: string[] = []
        for (let at = 0; at < USERS; at += 1) {
          for (const [number, table] of tables.entries()) {
            if (await canRead(at, table)) expected.push(`${user(at)} port_${number}`)
          }
        }
        assert.deepEqual(reported.toSorted(), expected.toSorted())
        assert.ok(expected.length > 5)
      })
    })
  })
})
