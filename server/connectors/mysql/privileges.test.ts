import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import { onMariadb } from '../../../test/mariadb.ts'
import { newSetup, readSource, type Said } from '../../../test/source-reading.ts'
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
  const setupOf = (user: string): ReturnType<typeof newSetup> => {
    const { host, port } = server()
    return newSetup({
      configuration: { host, port, user, ssl: 'off' },
      secrets: { password: user === server().user ? server().password : 'secret' },
      filters: { include: { database: [SHOP] }, exclude: {} },
    })
  }
  const checkAs = async (user: string): Promise<{ findings: Finding[]; statements: number }> => {
    const setup = setupOf(user)
    const findings = await mariadb.check(setup)
    return { findings, statements: setup.statements.length }
  }
  const readAs = (user: string): Promise<Said> => readSource(mariadb, setupOf(user))

  test('read › REFERENCES shows all but the texts of views, and no data', async () => {
    const user = await newUser('references on *.*')
    const all = await readAs(server().user)
    const said = await readAs(user)
    assert.deepEqual(said.outcomes, [{ path: [SHOP] }])
    assert.deepEqual(said.assets, all.assets.map(withoutText))
    assert.equal(said.table(SHOP, 'orders').columns?.[2]?.type, 'json')
    const { host, port } = server()
    const { createConnection } = await import('mysql2/promise')
    const connection = await createConnection({ host, port, user, password: 'secret' })
    await assert.rejects(connection.query(`select * from ${SHOP}.customer`), { errno: 1142 })
    connection.destroy()
  })

  test('read › SELECT and SHOW VIEW on the database show all', async () => {
    const all = await readAs(server().user)
    const said = await readAs(await newUser(`select, show view on ${SHOP}.*`))
    assert.deepEqual(said.outcomes, [{ path: [SHOP] }])
    assert.deepEqual(said.assets, all.assets)
  })

  test('read › a role that is on counts', async () => {
    const role = `r_${randomBytes(4).toString('hex')}`
    await server().execute(`create role ${role}; grant references on ${SHOP}.* to ${role}`)
    const user = await newUser(role)
    await server().execute(`set default role ${role} for ${user}@'127.0.0.1'`)
    assert.deepEqual((await readAs(user)).outcomes, [{ path: [SHOP] }])
  })

  test('read › a database without a privilege on its tables is not complete, however empty', async () => {
    for (const grant of ['show databases on *.*', `execute on ${SHOP}.*`]) {
      const said = await readAs(await newUser(grant))
      assert.deepEqual(namesOf(said), [SHOP])
      assert.equal(said.outcomes[0]?.failure?.kind, 'permission')
    }
  })

  test('read › tables that are granted one by one come, and prove no absence', async () => {
    const said = await readAs(
      await newUser(`select on ${SHOP}.customer`, `select (id) on ${SHOP}.orders`),
    )
    assert.deepEqual(namesOf(said), [SHOP, `${SHOP}.customer`, `${SHOP}.orders`])
    assert.equal(said.outcomes[0]?.failure?.kind, 'permission')
    assert.match(said.outcomes[0]?.failure?.message ?? '', /Grant it REFERENCES/)
    // Of `orders` a column is hidden.
    assert.deepEqual(said.outcomes[0]?.whole, [[SHOP, 'customer']])
  })

  test('read › with a column alone, or through a role, no table is known to be whole', async () => {
    const role = `r_${randomBytes(4).toString('hex')}`
    await server().execute(`create role ${role}; grant select on ${SHOP}.customer to ${role}`)
    const user = await newUser(role, `select (id) on ${SHOP}.orders`)
    await server().execute(`set default role ${role} for ${user}@'127.0.0.1'`)
    const said = await readAs(user)
    assert.deepEqual(namesOf(said), [SHOP, `${SHOP}.customer`, `${SHOP}.orders`])
    assert.deepEqual(said.outcomes[0]?.whole, [])
  })

  test('read › tables that hide their columns count as seen and stay as they are', async () => {
    const said = await readAs(await newUser(`delete on ${SHOP}.*`))
    assert.deepEqual(
      said.unreadable.map(({ path }) => path),
      [
        [SHOP, 'customer'],
        [SHOP, 'open_orders'],
        [SHOP, 'orders'],
      ],
    )
    assert.ok(!namesOf(said).includes(`${SHOP}.customer`))
    assert.deepEqual(said.outcomes, [{ path: [SHOP] }])
  })

  test('read › a privilege that is lost between two runs, or within one, is no absence', async () => {
    const user = await newUser(`select on ${SHOP}.*`, 'show databases on *.*')
    assert.deepEqual((await readAs(user)).outcomes, [{ path: [SHOP] }])
    const session = await mariadb.open(setupOf(user))
    await server().execute(`revoke select on ${SHOP}.* from ${user}@'127.0.0.1'`)
    const scope = { path: [SHOP], kind: 'database', reading: SHOP, decision: 'included' } as const
    const outcomes = []
    for await (const batch of session.read([scope])) outcomes.push(...(batch.outcomes ?? []))
    assert.equal(outcomes[0]?.failure?.kind, 'permission')
    await session.close()
    assert.equal((await readAs(user)).outcomes[0]?.failure?.kind, 'permission')
  })

  test('scopes › a database of which the user may see nothing is not there', async () => {
    const { scopes } = await readAs(await newUser())
    assert.ok(scopes.every(({ path }) => path[0] !== SHOP))
  })

  test('read › a database that is dropped while it is read is not complete', async () => {
    const name = `going_${randomBytes(4).toString('hex')}`
    await server().execute(`create database ${name}; create table ${name}.t (a int)`)
    const session = await mariadb.open(setupOf(server().user))
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

  test('check › warns of what the user does not see, with the grant that shows it', async () => {
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
    const [refused] = (await checkAs('nobody')).findings
    assert.equal(refused?.state, 'error')
  })

  test('check › at most ten statements, however many databases there are', async () => {
    const names = Array.from({ length: 12 }, () => `many_${randomBytes(4).toString('hex')}`)
    await server().execute(names.map((name) => `create database ${name}`).join(';'))
    const setup = { ...setupOf(server().user), filters: { include: {}, exclude: {} } }
    const findings = await mysql.check(setup)
    assert.ok(findings.every(({ state }) => state !== 'error'))
    assert.ok(setup.statements.length <= 10, setup.statements.join('\n'))
    assert.match(findings[1]?.hint ?? '', /Choose the platform that the server runs/)
  })
})

function namesOf({ assets }: Said): string[] {
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
