/** A grant without an agreement in the browser: a run finds it, the page of the data product shows it, and revoking resolves it. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { odps, uniqueId } from '../world.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'

const ENDED_MS_MAX = 120_000
const INTEGRATION = 'granted-source'

inBrowser('a grant that no agreement covers', (browser) => {
  const step = startJourney(() => visitor)
  const productId = uniqueId()
  const reader = `reader_${uniqueId()}`
  let catalog: Catalog
  let source: SourceDatabase
  let visitor: Visitor
  let page: Page
  before(async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES
    if (server === undefined) throw new Error('run it by `npm test -- <file>`')
    source = await SourceDatabase.create(
      server,
      'create schema sales; create table sales.orders (id int)',
    )
    await source.execute(`
      create role ${reader} login;
      grant usage on schema sales to ${source.user}, ${reader};
      grant select on sales.orders to ${source.user}, ${reader}`)
    catalog = await newOrganization()
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
    for (const id of ['providers', 'readers']) {
      await catalog.call('PUT', `/api/teams/${id}`, { id, name: `Team ${id}` })
    }
  })
  after(async () => {
    await visitor.close()
    await source.execute(`drop owned by ${reader}; drop role ${reader}`)
    await source.drop()
  })

  async function send(method: string, path: string, body?: object): Promise<unknown> {
    return await page.evaluate(
      async ([method, path, body]) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(path, { method, headers, ...(body === '' ? {} : { body }) })
        const text = await answer.text()
        if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
        return text === '' ? null : (JSON.parse(text) as unknown)
      },
      [method, path, body === undefined ? '' : JSON.stringify(body)] as const,
    )
  }

  async function readLatest(): Promise<{ ingestionRunId?: string; completedAt?: string | null }> {
    const path = `/api/integrations/ingest/${INTEGRATION}/runs/latest`
    return await catalog.call('GET', path).then(
      async (answer) => (await answer.json()) as { ingestionRunId: string },
      () => ({}),
    )
  }

  async function run(): Promise<void> {
    const before = await readLatest()
    await send('POST', `/ui/integrations/${INTEGRATION}/run`, {})
    await eventually(
      ENDED_MS_MAX,
      async () => {
        const { ingestionRunId, completedAt } = await readLatest()
        return ingestionRunId !== before.ingestionRunId && completedAt != null
      },
      'the run ends',
    )
  }

  step('the grants of a source are read, and a name means a team', async () => {
    await page.goto('/integrations')
    await page.getByRole('link', { name: 'Connect a source' }).first().waitFor()
    const { hostname: host, port } = source.url
    await send('POST', '/ui/integrations', {
      externalId: INTEGRATION,
      name: 'Granted source',
      source: 'postgres',
      owningTeamExternalId: 'providers',
      configuration: {
        host,
        port: Number(port),
        database: [source.name],
        user: source.user,
        sslMode: 'disable',
      },
      secrets: { password: source.password },
    })
    await send('PUT', `/api/integrations/${INTEGRATION}/grants`, { enabled: true })
    await run()
    const assets = (await (await catalog.call('GET', '/api/assets')).json()) as {
      id: string
      info: { name: string }
    }[]
    const value = assets.filter(({ info }) => info.name === 'orders').map(({ id }) => id)
    assert.equal(value.length, 1)
    const outputPorts = [
      { name: 'orders', version: '1', customProperties: [{ property: 'assets', value }] },
    ]
    const product = odps(productId, { team: { name: 'providers' }, outputPorts })
    await catalog.call('PUT', `/api/dataproducts/${productId}`, product)
    await send('PUT', `/api/integrations/${INTEGRATION}/grants/names`, {
      granteeKind: 'role',
      granteeName: reader,
      subject: { kind: 'team', id: 'readers' },
    })
    await run()
  })

  step('the data product shows who reads it without an agreement', async () => {
    await page.goto(`/data-products/${productId}?view=access`)
    const list = page.getByRole('list', { name: 'Deviations of grants from agreements' })
    await list.getByText('Granted without an agreement').waitFor()
    await list.getByText(reader).waitFor()
  })

  step('after it was revoked, the next run resolves it', async () => {
    await source.execute(`revoke select on sales.orders from ${reader}`)
    await run()
    await page.reload()
    await page.getByText('No deviations in the grants that were read.').waitFor()
  })
})
