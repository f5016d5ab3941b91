import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { onMariadb } from '../../../test/mariadb.ts'
import { newSetup, readSource, type SourceReading } from '../../../test/source-reading.ts'
import type { Finding, SourceAsset } from '../connector.ts'
import { mariadb, mysql } from './connector.ts'

const SHOP = `shop_${randomBytes(4).toString('hex')}`

onMariadb((server) => {
  before(async () => {
    await server().execute(`
      create database ${SHOP}; use ${SHOP};
      create table customer (id int auto_increment primary key, name varchar(10) comment 'Whose');
      create table orders (
        id int unique,
        customer_id int default 3,
        payload json,
        doubled int generated always as (id * 2) virtual,
        constraint who foreign key (customer_id) references customer (id)
      ) comment 'All';
      create view open_orders as select id, customer_id from orders;
      create table gone (id int);
      create view broken as select id from gone;
      drop table gone`)
  })

  const newUser = async (...grants: string[]): Promise<string> => {
    const user = `u_${randomBytes(4).toString('hex')}`
    const granting = grants.map((grant) => `grant ${grant} to ${user}@'127.0.0.1'`)
    const creating = `create user ${user}@'127.0.0.1' identified by 'secret'`
    await server().execute([creating, ...granting].join(';'))
    return user
  }
  const createSetup = (user: string): ReturnType<typeof newSetup> => {
    const { host, port } = server()
    return newSetup({
      configuration: { host, port, user, ssl: 'off' },
      secrets: { password: user === server().user ? server().password : 'secret' },
      filters: { include: { database: [SHOP] }, exclude: {} },
    })
  }
  const checkAs = async (user: string): Promise<{ findings: Finding[]; statements: number }> => {
    const setup = createSetup(user)
    const findings = await mariadb.check(setup)
    return { findings, statements: setup.statements.length }
  }
  const readAs = (user: string): Promise<SourceReading> => readSource(mariadb, createSetup(user))

  test('read › REFERENCES shows everything except view definitions and data', async () => {
    const user = await newUser('references on *.*')
    const all = await readAs(server().user)
    const result = await readAs(user)
    assert.deepEqual(result.outcomes, [{ path: [SHOP] }])
    assert.deepEqual(result.assets, all.assets.map(withoutText))
    assert.equal(result.table(SHOP, 'orders').columns?.[2]?.type, 'json')
    const { host, port } = server()
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection({ host, port, user, password: 'secret' })
    await assert.rejects(connection.query(`select * from ${SHOP}.customer`), { errno: 1142 })
    connection.destroy()
  })

  test('read › SELECT and SHOW VIEW on the database show everything', async () => {
    const all = await readAs(server().user)
    const result = await readAs(await newUser(`select, show view on ${SHOP}.*`))
    assert.deepEqual(result.outcomes, [{ path: [SHOP] }])
    assert.deepEqual(result.assets, all.assets)
  })

  test('read › uses the privileges of an active role', async () => {
    const role = `r_${randomBytes(4).toString('hex')}`
    await server().execute(`create role ${role}; grant references on ${SHOP}.* to ${role}`)
    const user = await newUser(role)
    await server().execute(`set default role ${role} for ${user}@'127.0.0.1'`)
    assert.deepEqual((await readAs(user)).outcomes, [{ path: [SHOP] }])
  })

  test('read › a database without privileges on its tables is incomplete, even if empty', async () => {
    for (const grant of ['show databases on *.*', `execute on ${SHOP}.*`]) {
      const result = await readAs(await newUser(grant))
      assert.deepEqual(listNames(result), [SHOP])
      assert.equal(result.outcomes[0]?.failure?.kind, 'permission')
    }
  })

  test('read › returns individually granted tables without proving absence', async () => {
    const result = await readAs(
      await newUser(`select on ${SHOP}.customer`, `select (id) on ${SHOP}.orders`),
    )
    assert.deepEqual(listNames(result), [SHOP, `${SHOP}.customer`, `${SHOP}.orders`])
    assert.equal(result.outcomes[0]?.failure?.kind, 'permission')
    assert.match(result.outcomes[0]?.failure?.message ?? '', /Grant the user REFERENCES/)
    // A column of `orders` is hidden.
    assert.deepEqual(result.outcomes[0]?.whole, [[SHOP, 'customer']])
  })

  test('read › reports no table as whole with a grant on a column or through a role', async () => {
    const role = `r_${randomBytes(4).toString('hex')}`
    await server().execute(`create role ${role}; grant select on ${SHOP}.customer to ${role}`)
    const user = await newUser(role, `select (id) on ${SHOP}.orders`)
    await server().execute(`set default role ${role} for ${user}@'127.0.0.1'`)
    const result = await readAs(user)
    assert.deepEqual(listNames(result), [SHOP, `${SHOP}.customer`, `${SHOP}.orders`])
    assert.deepEqual(result.outcomes[0]?.whole, [])
  })

  test('read › tables with hidden columns count as seen and stay unchanged', async () => {
    const result = await readAs(await newUser(`delete on ${SHOP}.*`))
    assert.deepEqual(
      result.unreadable.map(({ path }) => path),
      [
        [SHOP, 'customer'],
        [SHOP, 'open_orders'],
        [SHOP, 'orders'],
      ],
    )
    assert.ok(!listNames(result).includes(`${SHOP}.customer`))
    assert.deepEqual(result.outcomes, [{ path: [SHOP] }])
  })

  test('read › a privilege lost between or during runs proves no absence', async () => {
    const user = await newUser(`select on ${SHOP}.*`, 'show databases on *.*')
    assert.deepEqual((await readAs(user)).outcomes, [{ path: [SHOP] }])
    const session = await mariadb.open(createSetup(user))
    await server().execute(`revoke select on ${SHOP}.* from ${user}@'127.0.0.1'`)
    const scope = { path: [SHOP], kind: 'database', reading: SHOP, decision: 'included' } as const
    const outcomes = []
    for await (const batch of session.read([scope])) outcomes.push(...(batch.outcomes ?? []))
    assert.equal(outcomes[0]?.failure?.kind, 'permission')
    await session.close()
    assert.equal((await readAs(user)).outcomes[0]?.failure?.kind, 'permission')
  })

  test('scopes › omits a database that the user cannot see', async () => {
    const { scopes } = await readAs(await newUser())
    assert.ok(scopes.every(({ path }) => path[0] !== SHOP))
  })

  test('read › reports a database that is dropped during the reading as incomplete', async () => {
    const name = `going_${randomBytes(4).toString('hex')}`
    await server().execute(`create database ${name}; create table ${name}.t (a int)`)
    const session = await mariadb.open(createSetup(server().user))
    await server().execute(`drop database ${name}`)
    const scope = { path: [name], kind: 'database', reading: name, decision: 'included' } as const
    const assets = []
    const outcomes = []
    for await (const batch of session.read([scope])) {
      assets.push(...batch.assets)
      outcomes.push(...(batch.outcomes ?? []))
    }
    await session.close()
    assert.deepEqual(assets, [])
    assert.equal(outcomes[0]?.failure?.kind, 'permission')
  })

  test('check › warns of hidden objects, with the grant that shows them', async () => {
    const all = await checkAs(await newUser('select, show view on *.*'))
    assert.deepEqual(warnings(all.findings), ['The connection is not encrypted'])
    assert.match(all.findings[1]?.what ?? '', /^Server: MariaDB \d+\.\d+\.\d+$/)
    assert.ok(all.statements <= 10)
    const shown = await checkAs(await newUser(`references on ${SHOP}.*`))
    assert.deepEqual(warnings(shown.findings), [
      'The connection is not encrypted',
      `Some definitions of views are hidden in \`${SHOP}\``,
    ])
    assert.match(
      hints((await checkAs(await newUser(`select on ${SHOP}.customer`))).findings).join(),
      /GRANT REFERENCES ON/,
    )
    assert.match(hints((await checkAs(await newUser())).findings).join(), /the user sees none/)
    const [refused] = (await checkAs('unknown')).findings
    assert.equal(refused?.state, 'error')
  })

  test('check › sends at most ten statements for any number of databases', async () => {
    const names = Array.from({ length: 12 }, () => `many_${randomBytes(4).toString('hex')}`)
    await server().execute(names.map((name) => `create database ${name}`).join(';'))
    const setup = { ...createSetup(server().user), filters: { include: {}, exclude: {} } }
    const findings = await mysql.check(setup)
    assert.ok(findings.every(({ state }) => state !== 'error'))
    assert.ok(setup.statements.length <= 10, setup.statements.join('\n'))
    assert.match(findings[1]?.hint ?? '', /Choose the platform that the server runs/)
  })
})

function listNames({ assets }: SourceReading): string[] {
  return assets.map(({ path }) => path.join('.'))
}

function withoutText(asset: SourceAsset): SourceAsset {
  const { viewDefinition, ...rest } = asset
  return viewDefinition === undefined ? asset : rest
}

function warnings(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ state, what }) => (state === 'warning' ? [what] : []))
}

function hints(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ state, hint }) => (state === 'ok' ? [] : [hint ?? '']))
}
