import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newServiceAccount, reject } from '../../../test/warehouses/bigquery/server.ts'
import {
  newTable,
  startBigQuerySource,
  type Given,
} from '../../../test/warehouses/bigquery/source.ts'

const GRANT =
  'gcloud projects add-iam-policy-binding shop --member=serviceAccount:portbook@shop.iam.gserviceaccount.com --role=roles/bigquery.metadataViewer'

test('bigquery › check › reports what works, and the grants that are missing', async (t) => {
  const source = await startBigQuerySource(t)
  const { model, proxy } = source
  const account = newServiceAccount()
  Object.assign(model, { account, tokens: new Set() })
  const given = {
    configuration: { authentication: 'serviceAccount' },
    secrets: { serviceAccountKey: account.json },
  }
  const summarize = async (more: Given = {}) =>
    (await source.check({ ...given, ...more })).map(({ state, what, hint }) =>
      [state, what, hint ?? ''].join(' | '),
    )
  const clearText =
    'warning | The credentials are sent without encryption | Use https unless the network to the endpoint is private'
  assert.deepEqual(await summarize(), [
    clearText,
    'ok | BigQuery shows 1 dataset of shop, 1 of them included | ',
    'ok | The tables of shop.sales can be read | ',
  ])
  model.details['shop.sales'] = { location: 'EU' }
  const denied =
    'warning | The account may not run queries in admin. Grant it roles/bigquery.jobUser. | Runs use the REST API instead, with one request per table. Grant the role: gcloud projects add-iam-policy-binding admin --member=serviceAccount:portbook@shop.iam.gserviceaccount.com --role=roles/bigquery.jobUser'
  const queried = { ...given.configuration, billingProject: 'admin' }
  assert.equal((await summarize({ configuration: queried })).at(-1), denied)
  model.billingProject = 'admin'
  const canQuery = 'ok | The metadata of shop in EU can be queried | '
  assert.equal((await summarize({ configuration: queried })).at(-1), canQuery)
  assert.deepEqual(
    model.queries.map(({ dryRun }) => dryRun),
    [true],
  )
  model.rejectedViews = { TABLES: reject(403, 'accessDenied') }
  assert.match(
    (await summarize({ configuration: queried })).at(-1) ?? '',
    /does not show TABLES of shop in EU.*binding shop .*metadataViewer/,
  )
  model.details = {}
  model.denied = new Set(['shop.sales.orders'])
  assert.match(
    String(await summarize()),
    /warning \| BigQuery does not show the columns of shop\.sales\.orders/,
  )
  model.denied = new Set(['shop.sales'])
  assert.ok(String(await summarize()).endsWith(`It will be absent. Grant the role: ${GRANT}`))
  model.denied = new Set(['shop'])
  assert.deepEqual((await summarize()).slice(1), [
    `error | BigQuery does not show the datasets of shop. Grant the account roles/bigquery.metadataViewer. | Grant the role: ${GRANT}`,
  ])
  model.denied.clear()
  model.projects = { shop: { _hidden: [newTable('x')] } }
  assert.match(
    String(await summarize()),
    /error \| BigQuery shows 1 dataset of shop, 0 of them included \| Check project id and filters/,
  )
  const filters = { include: {}, exclude: { catalog: ['*'] } }
  assert.match(String(await summarize({ filters })), /error \| The filters exclude all projects/)
  const wrong = await summarize({ secrets: { serviceAccountKey: '{}' } })
  assert.match(String(wrong), /enter the whole JSON file.*gcloud iam service-accounts keys create/)
  const other = await summarize({ secrets: { serviceAccountKey: newServiceAccount().json } })
  assert.match(String(other), /does not accept the service account key.*has not been deleted/)
  assert.ok(!String(other).includes('canary'))
  proxy.fail('/datasets', { status: 429, retryAfter: 100 })
  assert.match(String(await summarize()), /asks for fewer requests.*Try again later/)
})

test('bigquery › check › sends at most ten requests', async (t) => {
  const source = await startBigQuerySource(t)
  const { model, proxy } = source
  const account = newServiceAccount()
  Object.assign(model, { account, tokens: new Set(), billingProject: 'aa' })
  for (const name of ['aa', 'bb', 'cc']) {
    model.projects[name] = { a: [], b: [newTable('x')], c: [] }
    model.details[`${name}.a`] = { location: 'EU' }
  }
  const configuration = { projects: 'aa,bb,cc', authentication: 'serviceAccount' }
  await source.check({ configuration, secrets: { serviceAccountKey: account.json } })
  assert.equal(proxy.requests.length, 10)
})
