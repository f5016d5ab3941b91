import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startUnitySource, type UnitySetup } from '../../../test/warehouses/unity/source.ts'

const TOKEN = { authentication: 'token' }

test('databricks › check › reports what works, and the grants that are missing', async (t) => {
  const source = await startUnitySource(t)
  const summarize = async (given?: UnitySetup) =>
    (await source.check(given)).map(({ state, what, hint }) =>
      [state, what, hint ?? ''].join(' | '),
    )
  source.model.tokens = new Set(['canary-good'])
  const given = { configuration: TOKEN, secrets: { token: 'canary-good' } }
  assert.deepEqual(await summarize(given), [
    'warning | The credentials are sent without encryption | Use https unless the network to the server is private',
    'ok | Unity Catalog shows 1 catalog, 1 of them included | ',
    'ok | The tables of main.sales can be read | ',
    'warning | Keys and tags are not read | Enter the id of a SQL warehouse to read primary keys, foreign keys and tags',
  ])
  source.model.denied = new Set(['main.sales'])
  assert.match(
    String(await summarize(given)),
    /GRANT USE CATALOG, USE SCHEMA, BROWSE ON CATALOG `main`/,
  )
  source.model.denied = new Set(['main'])
  assert.match(String(await summarize(given)), /does not show the schemas of main/)
  source.model.catalogs = {}
  source.model.denied.clear()
  assert.match(String(await summarize(given)), /error \| Unity Catalog shows 0 catalogs/)
  const wrong = await summarize({ ...given, secrets: { token: 'canary-old' } })
  assert.match(String(wrong), /Check that the token has not expired/)
  const withWarehouse = { ...given, configuration: { ...TOKEN, warehouseId: 'abc1' } }
  assert.match(String(await summarize(withWarehouse)), /The SQL warehouse abc1 answers/)
  source.proxy.fail('/sql/statements', { status: 403 })
  assert.match(
    String(await summarize(withWarehouse)),
    /Permissions of the warehouse abc1 › Can use/,
  )
})
