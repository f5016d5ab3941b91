/** Grants of real servers, whose own functions state what every role may do. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { postgres } from '../server/connectors/postgres/connector.ts'
import {
  assertForeseen,
  type AccessState,
  type Reader,
  type Rights,
  type TeamAgreement,
} from './access-oracle.ts'
import { addAccess } from './access-rows.ts'
import { newGrantWorld, type GrantWorld } from './grant-world.ts'
import { onEveryPostgres, SourceDatabase } from './postgres-source.ts'
import { newRandom } from './random.ts'
import { onStore } from './stores.ts'
import { uniqueId } from './world.ts'

const SCHEMAS = 3
const TABLES = 12
const ROLES = 24
const ROUNDS = 3

const table = (at: number): string => `s${at % SCHEMAS}.t${at}`

describe('grants of PostgreSQL and its own functions', () => {
  onStore((store) => {
    onEveryPostgres((url) => {
      const prefix = `o_${uniqueId()}`
      const random = newRandom(20_261)
      const pick = (count: number): number => Math.floor(random() * count)
      const role = (at: number): string => `${prefix}_${at}`
      const nothing = `${prefix}_nothing`
      const names = Array.from({ length: ROLES }, (_, at) => role(at))
      const tables = Array.from({ length: TABLES }, (_, at) => at)
      const ports = [...tables.map((at) => (at % 4 === 0 ? [at, at + 1] : [at])), [2]]
      const teams = ['a', 'b', 'c', 'd', 'e']
      let database: SourceDatabase
      let grants: GrantWorld
      let product: string
      let state: AccessState
      let hasOptions: boolean

      const grantSome = (count: number): string[] =>
        Array.from({ length: count }, () => {
          const to = random() < 0.04 ? 'public' : role(pick(ROLES))
          const kind = random()
          const option = to === 'public' || random() < 0.8 ? '' : ' with grant option'
          if (kind < 0.08) return `grant select on all tables in schema s${pick(SCHEMAS)} to ${to}`
          if (kind < 0.2) return `grant select (name) on ${table(pick(TABLES))} to ${to}${option}`
          if (kind < 0.32 && to !== 'public') {
            const what = ['insert', 'update', 'delete', 'truncate', 'update (name)'][pick(5)]
            return `grant ${what} on ${table(pick(TABLES))} to ${to}${option}`
          }
          if (kind < 0.4) return `grant references, trigger on ${table(pick(TABLES))} to ${to}`
          if (kind < 0.55) return `grant usage on schema s${pick(SCHEMAS)} to ${to}`
          return `grant select on ${table(pick(TABLES))} to ${to}${option}`
        })
      const joinSome = (count: number): string[] =>
        Array.from({ length: count }, () => {
          // A role is only a member of a later one, and never in a circle.
          const at = pick(ROLES - 1)
          const above = at + 1 + pick(ROLES - 1 - at)
          const options = [
            '',
            ' with inherit false',
            ' with set false',
            ' with inherit false, set false',
          ]
          const option = options[pick(4)]
          return `grant ${role(above)} to ${role(at)}${hasOptions ? option : ''}`
        })

      before(async () => {
        database = await SourceDatabase.create(url(), 'select 1')
        const [version] = await database.execute(
          `select current_setting('server_version_num')::int as number`,
        )
        hasOptions = Number(version?.['number']) >= 160_000
        const inherits = hasOptions ? '' : ' noinherit'
        await database.execute(`
          create role ${nothing};
          ${names.map((name, at) => `create role ${name} ${at % 3 === 0 ? 'nologin' : 'login'}${at % 5 === 0 ? inherits : ''}`).join(';')};
          ${Array.from({ length: SCHEMAS }, (_, at) => `create schema s${at}`).join(';')};
          ${tables.map((at) => `create table ${table(at)} (id int, name text)`).join(';')};
          grant usage on schema s0 to public;
          alter table ${table(3)} owner to ${role(7)};
          grant pg_read_all_data to ${role(20)};
          grant pg_write_all_data to ${role(21)};
          alter role ${role(22)} superuser;
          revoke connect on database "${database.name}" from public;
          grant connect on database "${database.name}" to ${database.user}, ${names.filter((_, at) => at % 6 !== 5).join(', ')}`)
        const { configuration, secrets } = database.setup()
        grants = await newGrantWorld(store(), { connector: postgres, configuration, secrets })
        await grants.ingestion.run()
        product = await grants.addPorts(
          ports.map((some) => some.map((at) => `${database.name}.${table(at)}`)),
        )
        for (const id of teams) {
          await grants.world.as('O', 'PUT', `/api/teams/${id}`, { body: { id, name: id } })
        }
        const readers: Reader[] = names.flatMap((name, at) =>
          at % 8 === 7
            ? []
            : [{ name, subject: { kind: 'team', id: teams[pick(teams.length)] ?? 'b' } }],
        )
        for (const { name, subject } of readers) await grants.map(name, subject)
        const agreements = Array.from({ length: 24 }, (_, at) => newAgreement(at))
        for (const agreement of agreements) await addAccess(grants.world, agreement)
        state = { readers, ports, agreements }
      })
      after(async () => {
        await database.drop()
      })

      function newAgreement(at: number): TeamAgreement {
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

      // Every role that a role can be, by the functions of the server.
      async function readRights(): Promise<Map<string, Rights>> {
        const settable = hasOptions ? 'SET' : 'MEMBER'
        const rows = await database.execute(`
          with acting as (
            select named.rolname as name, other.oid as role
            from pg_roles named
            join pg_roles other on pg_has_role(named.oid, other.oid, '${settable}')
            where starts_with(named.rolname, '${prefix}') and not named.rolsuper
            union
            select rolname, oid from pg_roles where starts_with(rolname, '${prefix}')
          ),
          used as (
            select acting.name, acting.role, relation.oid as relation, relation.relname as relation_name
            from acting
            join pg_class relation on relation.relkind = 'r'
            join pg_namespace space on space.oid = relation.relnamespace and space.nspname ~ '^s[0-9]$'
            where has_database_privilege(acting.role, current_database(), 'CONNECT')
              and has_schema_privilege(acting.role, space.oid, 'USAGE')
          )
          select name, relation_name as table,
            bool_or(has_any_column_privilege(role, relation, 'SELECT')) as reads,
            bool_or(
              has_table_privilege(role, relation, 'INSERT, UPDATE, DELETE, TRUNCATE')
              or has_any_column_privilege(role, relation, 'INSERT, UPDATE')
              or has_any_column_privilege(role, relation, 'SELECT WITH GRANT OPTION')
            ) as wide
          from used
          group by name, relation_name`)
        const everyone = new Map(
          rows
            .filter(({ name }) => name === nothing)
            .map(({ table, reads }) => [String(table), reads === true]),
        )
        const administrators = await database.execute(`
          select named.rolname as name
          from pg_roles named
          where starts_with(named.rolname, '${prefix}')
            and exists (
              select from pg_roles other
              where pg_has_role(named.oid, other.oid, '${settable}')
                and (other.rolsuper or pg_has_role(other.oid, 'pg_read_all_data', 'USAGE'))
            )`)
        const isAdministrator = new Set(administrators.map(({ name }) => String(name)))
        const rights = new Map<string, Rights>()
        for (const at of tables) {
          rights.set(`null t${at}`, { reads: everyone.get(`t${at}`) === true, isWide: false })
        }
        for (const { name, table, reads, wide } of rows) {
          rights.set(`${String(name)} ${String(table)}`, {
            reads: reads === true,
            isWide: wide === true,
          })
        }
        for (const name of isAdministrator) {
          for (const at of tables) {
            rights.set(`${name} t${at}`, { reads: true, isWide: false, isAdministrator: true })
          }
        }
        return rights
      }

      test('agree on every role, table and agreement, after each change', async () => {
        let total = 0
        const kinds = new Set<string>()
        for (let round = 0; round < ROUNDS; round += 1) {
          const revoked = tables
            .filter(() => random() < 0.2)
            .map((at) => `revoke all on ${table(at)} from ${names.join(', ')}`)
          await database.execute(
            [
              ...(round === 0 ? [] : revoked),
              ...grantSome(round === 0 ? 90 : 20),
              ...joinSome(round === 0 ? 18 : 3),
            ].join(';'),
          )
          const run = await grants.ingestion.run()
          assert.equal(run.status, 'SUCCESS', run.message ?? '')
          const rights = await readRights()
          const none = { reads: false, isWide: false }
          const result = assertForeseen(
            await grants.listOpen(),
            state,
            (name, at) => rights.get(`${name} t${at}`) ?? none,
            `round ${round}`,
          )
          for (const kind of result.kinds) kinds.add(kind)
          total += result.combinations
        }
        assert.ok(total >= 500, `${total} combinations`)
        assert.equal(kinds.size, 4)
      })
    })
  })
})
