import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newDatabase, newTable, startMssqlSource } from '../../../test/warehouses/mssql/source.ts'

test('check › reports what works, with at most ten statements', async (t) => {
  const source = await startMssqlSource(t)
  for (const name of ['a', 'b', 'c']) source.model.databases[name] = newDatabase([])
  const findings = await source.check()
  const { host, port } = source.server
  assert.deepEqual(
    findings.map(({ state, what }) => `${state} ${what}`),
    [
      `ok Connect to ${host}:${port} as reader`,
      'ok Server: SQL Server 16.0.4085.2',
      'warning The connection is not encrypted',
      'ok 4 databases to read: [shop], [a], [b], …',
      'ok All tables of [shop] are visible',
      'ok All tables of [a] are visible',
      'ok All tables of [b] are visible',
    ],
  )
  const setup = source.setup()
  await source.check(setup)
  assert.equal(setup.statements.length, 10)
})

test('check › names the missing permission and the statement that grants it', async (t) => {
  const source = await startMssqlSource(t)
  const { model } = source
  const user = `[rea]]der]`
  source.server.behaviour.users.set('rea]der', 'canary-secret')
  const configuration = { user: 'rea]der' }
  model.databases['shop'] = newDatabase([newTable('x', { isGranted: true })], {
    schemas: { dbo: { id: 1, isHidden: true } },
  })
  model.databases['hr'] = newDatabase([], { isGranted: false })
  model.databases['archive'] = newDatabase([], { state: 'OFFLINE' })
  const findings = await source.check({ configuration })
  assert.deepEqual(
    findings.slice(4).map(({ state, what, hint }) => [state, what, hint]),
    [
      [
        'warning',
        'rea]der may not open the database hr.',
        `It will be absent. Run USE [hr]; CREATE USER ${user} FOR LOGIN ${user}; GRANT CONNECT TO ${user}; Or for all databases: GRANT CONNECT ANY DATABASE TO ${user};`,
      ],
      [
        'warning',
        'The database archive is not online but OFFLINE.',
        'It will be read when it is online. Its assets stay unchanged until then.',
      ],
      [
        'warning',
        'Not all tables of [shop] are visible',
        `Only tables with a permission are read, and the catalog does not delete them when they are gone. Run USE [shop]; GRANT VIEW DEFINITION TO ${user}; Or for all databases: GRANT VIEW ANY DEFINITION TO ${user};`,
      ],
    ],
  )
  model.edition = 5
  delete model.databases['archive']
  const azure = await source.check({ configuration: { ...configuration, database: 'shop' } })
  assert.equal(
    azure.at(-1)?.hint,
    `Only tables with a permission are read, and the catalog does not delete them when they are gone. Run in [shop]: GRANT VIEW DEFINITION TO ${user};`,
  )
})

test('check › reports failures as findings with a hint', async (t) => {
  const source = await startMssqlSource(t)
  const wrong = await source.check({ secrets: { password: 'canary-wrong' } })
  assert.deepEqual(wrong, [
    {
      state: 'error',
      what: 'The server rejects the log-in of reader: check name, secret and database.',
      hint: 'Check user and password. On Azure SQL, also set the first database to one that the user may open.',
    },
  ])
  const [plain] = await source.check({ configuration: { encryption: 'verify' } })
  assert.deepEqual(plain?.fix, { title: 'Turn encryption off', field: 'encryption', value: 'off' })
  const [empty] = (
    await source.check({ filters: { include: { database: ['none'] }, exclude: {} } })
  ).slice(-1)
  assert.deepEqual([empty?.state, empty?.what], ['error', 'No database to read'])
  await source.server.close()
  const [closed] = await source.check()
  assert.equal(closed?.state, 'error')
  assert.match(closed?.what ?? '', /^Nothing listens at/)
})
