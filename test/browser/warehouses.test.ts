/**
 * Warehouses are connected in the browser: the errors that people make first are explained, and after the
 * fix a preview and a run show the tables.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { onPeer } from '../peers/server.ts'
import { BQEMULATOR, SNOWFLAKE, SNOWFLAKE_TOKEN, UNITY } from '../peers/servers.ts'
import { runOnFacade, setUpFacade } from '../warehouses/snowflake/facade-client.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newOrganization, signInQuickly } from './catalog.ts'
import { choose } from './choose.ts'
import { untilEnded } from './ingestion-steps.ts'
import { startJourney, type Step } from './journey.ts'

/** A wizard that a visitor has opened for a platform. */
interface OpenedWizard {
  step: Step
  page(): Page
}

/** Opens the wizard for a platform before the steps of a journey. */
function openWizard(browser: () => Browser, platform: RegExp): OpenedWizard {
  let visitor: Visitor
  before(async () => {
    const catalog = await newOrganization()
    visitor = await newVisitor(browser(), catalog.url)
    await signInQuickly(visitor, catalog.owner)
    await visitor.page.goto('/integrations')
    await visitor.page.getByRole('link', { name: 'Connect a source' }).first().click()
    await visitor.page.getByRole('button', { name: platform }).click()
  })
  after(async () => await visitor.close())
  return { step: startJourney(() => visitor), page: () => visitor.page }
}

async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    const field = page.getByLabel(label, { exact: true })
    await field.or(page.getByLabel(`${label} optional`, { exact: true })).fill(text)
  }
}

/** Tests the connection and returns the first error with its hint. */
async function readError(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Test and continue' }).click()
  await page.getByText('Connection failed').waitFor()
  return await page.getByRole('listitem').filter({ hasText: 'Error:' }).first().innerText()
}

/** Continues from a successful test to the end of the first run, and opens a table of the source. */
async function runAndOpen(page: Page, table: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Create and run' }).click()
  await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
  await untilEnded(page, 'Succeeded')
  await page.goto(`/search?query=${table}&resourceType=ASSET`)
  await page.getByRole('link', { name: table, exact: true }).first().click()
  await page.getByRole('heading', { level: 1, name: table }).waitFor()
}

onPeer(SNOWFLAKE, (peer) => {
  inBrowser('connecting Snowflake', (browser) => {
    const { step, page } = openWizard(browser, /^Snowflake/)
    before(async () => {
      for (const sql of [
        'create database JOURNEY',
        'create schema JOURNEY.SALES',
        `create table JOURNEY.SALES.ORDERS (ID number primary key) comment = 'Sold bicycles'`,
      ]) {
        await runOnFacade(peer().url, sql)
      }
    })

    step('explains a wrong account, an expired token and a missing warehouse', async () => {
      await fill(page(), { 'Account identifier': 'myorg-account1' })
      await choose(page().getByLabel('Authentication'), 'Programmatic access token')
      await fill(page(), { 'Programmatic access token': 'canary-expired' })
      await page().getByText('More settings').click()
      await fill(page(), { 'Account URL': 'http://127.0.0.1:1' })
      assert.match(await readError(page()), /127\.0\.0\.1:1/)

      await fill(page(), { 'Account URL': peer().url })
      const expired = await readError(page())
      assert.match(expired, /Snowflake does not accept the programmatic access token/)
      assert.match(expired, /Check that the token has not expired/)

      await fill(page(), { 'Programmatic access token': SNOWFLAKE_TOKEN })
      await setUpFacade(peer().url, { warehouse: null })
      const missing = await readError(page())
      await setUpFacade(peer().url, { warehouse: 'PORTBOOK_WH' })
      assert.match(missing, /No warehouse is active/)
      assert.match(missing, /GRANT USAGE ON WAREHOUSE/)
    })

    step('previews the schemas, runs, and shows the tables', async () => {
      await page().getByRole('button', { name: 'Test and continue' }).click()
      await page().getByLabel('JOURNEY.SALES, schema').waitFor()
      await runAndOpen(page(), 'ORDERS')
      await page().getByText('Sold bicycles').first().waitFor()
    })
  })
})

onPeer(UNITY, (peer) => {
  inBrowser('connecting Databricks', (browser) => {
    const { step, page } = openWizard(browser, /^Databricks/)
    before(async () => {
      const base = `${peer().url}/api/2.1/unity-catalog`
      const [catalog_name, schema_name] = ['journey', 'rides']
      const role = { role_arn: 'arn:aws:iam::123456789012:role/journey' }
      await post(`${base}/credentials`, { name: 'journey', purpose: 'STORAGE', aws_iam_role: role })
      const location = { name: 'journey', url: 's3://journey', credential_name: 'journey' }
      await post(`${base}/external-locations`, location)
      await post(`${base}/catalogs`, { name: catalog_name, storage_root: 's3://journey/own' })
      await post(`${base}/schemas`, { name: schema_name, catalog_name })
      await post(`${base}/tables`, {
        catalog_name,
        schema_name,
        name: 'bookings',
        comment: 'Booked rides',
        table_type: 'EXTERNAL',
        data_source_format: 'PARQUET',
        storage_location: 's3://journey/bookings',
        columns: [],
      })
    })

    step('explains an address where nothing answers', async () => {
      await fill(page(), { 'Workspace URL': 'http://127.0.0.1:1' })
      await choose(page().getByLabel('Authentication'), 'None (open-source server)')
      assert.match(await readError(page()), /Nothing listens at 127\.0\.0\.1:1/)
    })

    step('previews the schemas, runs, and shows the tables', async () => {
      await fill(page(), { 'Workspace URL': peer().url })
      await page().getByRole('button', { name: 'Test and continue' }).click()
      await page().getByLabel('journey.rides, schema').waitFor()
      await runAndOpen(page(), 'bookings')
      await page().getByText('Booked rides').first().waitFor()
    })
  })
})

onPeer(BQEMULATOR, (peer) => {
  inBrowser('connecting BigQuery', (browser) => {
    const { step, page } = openWizard(browser, /^BigQuery/)
    before(async () => {
      const base = `${peer().url}/bigquery/v2/projects/test/datasets`
      await post(base, { datasetReference: { projectId: 'test', datasetId: 'journey' } })
      await post(`${base}/journey/tables`, {
        tableReference: { projectId: 'test', datasetId: 'journey', tableId: 'trips' },
        description: 'Rented bicycles',
        schema: { fields: [{ name: 'id', type: 'INTEGER', mode: 'REQUIRED' }] },
      })
    })

    step('explains a key that is not a service account key', async () => {
      await fill(page(), { Projects: 'test', 'Service account key (JSON)': '{"type":"x"}' })
      assert.match(await readError(page()), /service account key/i)
    })

    step('previews the datasets, runs, and shows the tables', async () => {
      await choose(page().getByLabel('Authentication'), 'None (emulator)')
      await choose(page().getByLabel('Read with'), 'REST API only (no queries)')
      await page().getByText('More settings').click()
      await fill(page(), { Endpoint: peer().url })
      await page().getByRole('button', { name: 'Test and continue' }).click()
      await page().getByLabel('test.journey, schema').waitFor()
      await runAndOpen(page(), 'trips')
      await page().getByText('Rented bicycles').first().waitFor()
    })
  })
})

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`)
}
