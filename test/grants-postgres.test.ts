import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  SourceFailure,
  type Connector,
  type SourceSession,
} from '../server/connectors/connector.ts'
import { postgres } from '../server/connectors/postgres/connector.ts'
import { newGrantWorld, type GrantWorld } from './grant-world.ts'
import { onEveryPostgres, SourceDatabase } from './postgres-source.ts'
import { onStore } from './stores.ts'
import { uniqueId } from './world.ts'

describe('grants of PostgreSQL', () => {
  onStore((store) => {
    onEveryPostgres((url) => {
      const prefix = `g_${uniqueId()}`
      const role = (name: string): string => `${prefix}_${name}`
      let database: SourceDatabase
      let grants: GrantWorld
      let product: string
      let isDenied = false
      // Grants that the account may no longer read.
      const openUnlessDenied: Connector['open'] = async (setup) => {
        const session = await postgres.open(setup)
        if (!isDenied) return session
        return Object.assign(Object.create(session) as SourceSession, {
          grants: () => {
            throw new SourceFailure('permission', 'The user lacks a privilege.')
          },
        })
      }
      before(async () => {
        database = await SourceDatabase.create(
          url(),
          `
          create role ${role('direct')} login;
          create role ${role('nested')} login;
          create role ${role('middle')};
          create role ${role('top')};
          create role ${role('noinherit')} login noinherit;
          create role ${role('outside')} login;
          create role ${role('closed')} login;
          create role ${role('columns')} login;
          create role ${role('root')} login superuser;
          create role ${role('writer')} login;
          grant ${role('top')} to ${role('middle')};
          grant ${role('middle')} to ${role('nested')};
          grant ${role('top')} to ${role('noinherit')};
          create schema sales; grant usage on schema sales to ${role('direct')}, ${role('top')}, ${role('columns')}, ${role('writer')};
          create schema shut;
          create table sales.a (id int, name text);
          create table sales.b (id int);
          create table sales.c (id int);
          create table sales.open (id int);
          create table shut.d (id int);
          grant select on sales.a to ${role('direct')};
          grant select on sales.b to ${role('top')};
          grant select (name) on sales.a to ${role('columns')};
          grant select on shut.d to ${role('closed')};
          grant select, insert on sales.c to ${role('writer')} with grant option;
          grant usage on schema sales to public;
          grant select on sales.open to public`,
        )
        const { configuration, secrets } = database.setup()
        const connector = { ...postgres, open: openUnlessDenied }
        grants = await newGrantWorld(store(), { connector, configuration, secrets })
        await grants.ingestion.run()
        product = await grants.addPorts(
          ['sales.a', 'sales.b', 'sales.c', 'sales.open', 'shut.d'].map(
            (table) => `${database.name}.${table}`,
          ),
        )
        const names = [
          'direct',
          'nested',
          'noinherit',
          'outside',
          'closed',
          'columns',
          'root',
          'writer',
        ]
        for (const name of names) await grants.map(role(name), { kind: 'team', id: 'b' })
      })
      after(async () => {
        await database.drop()
      })

      test('finds direct and nested grants, SET ROLE, columns and PUBLIC, and nothing without USAGE', async () => {
        const run = await grants.ingestion.run()
        assert.equal(run.status, 'SUCCESS', run.message ?? '')
        const open = await grants.listOpen()
        assert.deepEqual(
          open.map(({ kind, port, grantee }) => [kind, port, grantee.replace(`${prefix}_`, '')]),
          [
            ['granted_without_agreement', 'port_0', 'columns'],
            ['granted_without_agreement', 'port_0', 'direct'],
            ['granted_without_agreement', 'port_1', 'nested'],
            ['granted_without_agreement', 'port_1', 'noinherit'],
            ['granted_without_agreement', 'port_2', 'writer'],
            ['granted_without_agreement', 'port_3', ''],
          ],
        )
        assert.ok(open.every((one) => one.product === product && one.isRead))
      })

      test('losing the right to read grants changes no finding, and a revoked one is resolved afterwards', async () => {
        const before = await grants.listOpen()
        await database.execute(`revoke select on sales.a from ${role('direct')}`)
        isDenied = true
        assert.equal((await grants.ingestion.run()).status, 'SUCCESS')
        isDenied = false
        const during = await grants.listOpen()
        assert.deepEqual(
          during,
          before.map((finding) => ({ ...finding, isRead: false })),
        )
        await grants.ingestion.run()
        const after = await grants.listOpen()
        assert.deepEqual(
          after,
          before.filter(({ grantee }) => grantee !== role('direct')),
        )
      })
    })
  })
})
