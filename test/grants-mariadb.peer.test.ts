import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createConnection, type Connection } from 'mysql2/promise'
import { mariadb } from '../server/connectors/mysql/connector.ts'
import {
  assertForeseen,
  type AccessState,
  type Rights,
  type TeamAgreement,
} from './access-oracle.ts'
import { addAccess } from './access-rows.ts'
import { newGrantWorld, type GrantWorld } from './grant-world.ts'
import { onMariadb } from './mariadb.ts'
import { newRandom } from './random.ts'
import { onStore } from './stores.ts'
import { uniqueId } from './world.ts'

const TABLES = 10
const USERS = 16
const ROLES = 6
const ROUNDS = 3

describe('grants of MariaDB', () => {
  onStore((store) => {
    onMariadb((server) => {
      const prefix = `g${uniqueId()}`
      const database = `${prefix}_shop`
      const other = `${prefix}xother`
      const random = newRandom(4711)
      const pick = (count: number): number => Math.floor(random() * count)
      const user = (at: number): string => `${prefix}u${at}`
      const role = (at: number): string => `${prefix}r${at}`
      const nothing = `${prefix}nothing`
      const users = Array.from({ length: USERS }, (_, at) => user(at))
      const roles = Array.from({ length: ROLES }, (_, at) => role(at))
      const tables = Array.from({ length: TABLES }, (_, at) => `t${at}`)
      const ports = [...tables.map((_, at) => (at % 4 === 0 ? [at, at + 1] : [at])), [2]]
      const teams = ['a', 'b', 'c', 'd', 'e']
      let grants: GrantWorld
      let state: AccessState
      before(async () => {
        const { host, port, password } = server()
        const account = `${prefix}_reader`
        await server().execute(`
          create database ${database}; create database ${other};
          ${tables.map((table) => `create table ${database}.${table} (id int, name text)`).join(';')};
          ${roles.map((name) => `create role ${name}`).join(';')};
          ${[...users, nothing].map((name) => `create user ${name} identified by 'secret'`).join(';')};
          create user ${account} identified by '${password}';
          grant select on *.* to ${account}`)
        const filters = { include: { database: [database] }, exclude: {} }
        const configuration = { host, port, user: account, ssl: 'off', filters }
        const real = { connector: mariadb, configuration, secrets: { password } }
        grants = await newGrantWorld(store(), real, { granteeKind: 'user' })
        await grants.ingestion.run()
        const product = await grants.addPorts(
          ports.map((some) => some.map((at) => `${database}.t${at}`)),
        )
        for (const id of teams) {
          await grants.world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } })
        }
        const readers = users.map((name) => ({
          name,
          subject: { kind: 'team', id: teams[pick(teams.length)] ?? 'b' },
        }))
        for (const { name, subject } of readers) await grants.map(name, subject)
        const agreements = Array.from({ length: 24 }, (_, at) => newAgreement(product, at))
        for (const agreement of agreements) await addAccess(grants.world, agreement)
        state = { readers, ports, agreements }
      })

      function newAgreement(product: string, at: number): TeamAgreement {
        const ended = random() < 0.4 ? { ended: [2, 60][pick(2)] ?? 2 } : {}
        return {
          id: `agreement${10 + at}`,
          product,
          port: `port_${pick(ports.length)}`,
          consumer: { team: teams[1 + pick(teams.length - 1)] ?? 'b' },
          began: [5, 60][pick(2)] ?? 5,
          now: Temporal.Now.instant().toString(),
          ...ended,
        }
      }

      const grantSome = (count: number): string[] =>
        Array.from({ length: count }, () => {
          const isPublic = random() < 0.04
          const to = isPublic ? 'public' : random() < 0.5 ? user(pick(USERS)) : role(pick(ROLES))
          const kinds = ['select', 'select', 'select (name)', 'insert', 'update (id)', 'delete']
          const what = [...kinds, 'references', 'create'][isPublic ? 0 : pick(8)]
          const option = !isPublic && random() < 0.15 ? ' with grant option' : ''
          return `grant ${what} on ${database}.t${pick(TABLES)} to ${to}${option}`
        })

      // The oracle logs in as each user, with each role that it can set, and reads each table.
      async function readRights(name: string): Promise<Rights[]> {
        const { host, port } = server()
        const connection = await createConnection({ host, port, user: name, password: 'secret' })
        const rights = tables.map(() => ({ reads: false, isWide: false }))
        try {
          for (const one of ['none', ...roles]) {
            if (!(await succeeds(connection, `set role ${one}`))) continue
            const [rows] = await connection.query('show grants')
            assert.ok(Array.isArray(rows))
            const lines = rows.flatMap((row) => Object.values(row).map(String))
            for (const [at, right] of rights.entries()) {
              const table = `${database}.t${at}`
              right.reads ||=
                (await succeeds(connection, `select id from ${table} limit 0`)) ||
                (await succeeds(connection, `select name from ${table} limit 0`))
              right.isWide ||= isWide(lines, `t${at}`)
            }
          }
          return rights
        } finally {
          connection.destroy()
        }
      }

      // The lines of SHOW GRANTS: GRANT SELECT, INSERT (`a`) ON `db`.`t` TO `name`@`%` WITH GRANT OPTION.
      function isWide(lines: readonly string[], table: string): boolean {
        const parsed = lines.flatMap((line) => {
          const match = /^GRANT (.+) ON `?([^`]+?)`?\.(?:`([^`]+)`|\*) TO (.*)$/u.exec(line)
          if (match === null || match[4]?.startsWith('PUBLIC') === true) return []
          const [, privileges = '', pattern = '', object, rest = ''] = match
          return [{ privileges, pattern, object, rest }]
        })
        const onTable = parsed.filter(({ object }) => object === table)
        // Of the patterns of an account the most specific one counts.
        const onDatabase = Map.groupBy(
          parsed.filter(
            ({ object, pattern }) => object === undefined && toPattern(pattern).test(database),
          ),
          ({ rest }) => rest.replace(' WITH GRANT OPTION', ''),
        )
        const chosen = [...onDatabase.values()].flatMap(
          (some) => some.toSorted((one, two) => toRank(two.pattern) - toRank(one.pattern))[0] ?? [],
        )
        const writes = [...onTable, ...chosen].some(({ privileges }) =>
          /INSERT|UPDATE|DELETE/u.test(privileges),
        )
        const passes = onTable.some(
          ({ privileges, rest }) => privileges.includes('SELECT') && rest.includes('GRANT OPTION'),
        )
        return writes || passes || chosen.some(({ privileges }) => privileges.includes('SELECT'))
      }

      test('finds what users can do who log in, over seeded grants and agreements', async () => {
        let total = 0
        const kinds = new Set<string>()
        const patterns = [
          `grant select on \`${prefix.replace('_', '\\_')}%\`.* to ${user(0)}`,
          `grant insert on \`${database.replaceAll('_', '\\_')}\`.* to ${user(0)}`,
          `grant select on \`${database}\`.* to ${user(1)}`,
          `grant select on ${other}.* to ${user(2)}`,
        ]
        const members = [
          ...Array.from({ length: 12 }, () => `grant ${role(pick(ROLES))} to ${user(pick(USERS))}`),
          ...roles.flatMap((name, at) =>
            at % 2 === 0 ? [`grant ${name} to ${role(at + 1)}`] : [],
          ),
        ]
        for (let round = 0; round < ROUNDS; round += 1) {
          const revoked = users
            .filter((_, at) => at > 2 && random() < 0.2)
            .map((name) => `revoke all privileges, grant option from ${name}`)
          const statements =
            round === 0
              ? [...patterns, ...members, ...grantSome(60)]
              : [...revoked, ...grantSome(10)]
          await server().execute(statements.join(';'))
          const run = await grants.ingestion.run()
          assert.equal(run.status, 'SUCCESS', run.message ?? '')
          const rights = new Map<string | null, Rights[]>()
          for (const name of users) rights.set(name, await readRights(name))
          rights.set(null, await readRights(nothing))
          const none = { reads: false, isWide: false }
          const result = assertForeseen(
            await grants.listOpen(),
            state,
            (name, at) => rights.get(name)?.[at] ?? none,
            `round ${round}`,
          )
          for (const kind of result.kinds) kinds.add(kind)
          total += result.combinations
        }
        assert.ok(total >= 500, `${total} combinations`)
        assert.equal(kinds.size, 4)
      })

      test('an account that may no longer read grants changes no finding', async () => {
        const before = await grants.listOpen()
        const account = `${prefix}_reader`
        await server().execute(
          `revoke select on *.* from ${account}; grant select on ${database}.* to ${account}`,
        )
        await server().execute(`revoke all privileges, grant option from ${user(1)}`)
        const run = await grants.ingestion.run()
        assert.equal(run.status, 'SUCCESS', run.message ?? '')
        assert.deepEqual(
          await grants.listOpen(),
          before.map((finding) => ({ ...finding, isRead: false })),
        )
      })
    })
  })
})

async function succeeds(connection: Connection, text: string): Promise<boolean> {
  return await connection.query(text).then(
    () => true,
    () => false,
  )
}

// A pattern of SHOW GRANTS: % and _ are wildcards, unless a backslash precedes them.
function toPattern(text: string): RegExp {
  const source = text.replaceAll(/\\?[%_]|[.*+?^${}()|[\]]/gu, (part) => {
    if (part === '%') return '.*'
    if (part === '_') return '.'
    return part.startsWith('\\') ? part.slice(1) : `\\${part}`
  })
  return new RegExp(`^${source}$`, 'u')
}

function toRank(pattern: string): number {
  const at = pattern.replaceAll(/\\[%_]/gu, 'xx').search(/[%_]/u)
  return at === -1 ? Number.POSITIVE_INFINITY : at
}
