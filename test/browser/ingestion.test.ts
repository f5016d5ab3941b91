/**
 * The life of a source in the browser: a real PostgreSQL is connected, read, stopped, emptied, repaired
 * and deleted, and the pages show the correct state at each step.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { openSourceGate, type SourceGate } from '../source-gate.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, newOrganization, type Catalog } from './catalog.ts'
import { choose } from './choose.ts'
import {
  ALL_ASSETS,
  ANNOTATION,
  DAYS,
  NAME,
  SECOND_MS,
  TABLES,
  assertAllVisible,
  assertAnnotated,
  findRow,
  openInTree,
  openIntegration,
  readCounts,
  untilEnded,
} from './ingestion-steps.ts'
import { startJourney } from './journey.ts'

inBrowser('a source, from its connection to its deletion', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let source: SourceDatabase
  let gate: SourceGate
  let visitor: Visitor
  let page: Page
  before(async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES
    if (server === undefined) throw new Error('run it by `npm test -- <file>`')
    source = await SourceDatabase.create(server, TABLES, 'yard_journey')
    await source.execute(`
      grant usage on schema freight, forecast to ${source.user};
      grant select on all tables in schema freight, forecast to ${source.user}`)
    gate = await openSourceGate(source.url.hostname, Number(source.url.port))
    catalog = await newOrganization()
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    await signInQuickly(visitor, catalog.owner)
  })
  after(async () => {
    await visitor.close()
    await gate.close()
    await source.drop()
  })

  step(
    'connecting › reports how to fix a wrong password and missing TLS, and connects after the fix',
    async () => {
      await page.goto('/integrations')
      await page.getByRole('link', { name: 'Connect a source' }).first().click()
      await page.getByRole('button', { name: /^PostgreSQL/ }).click()
      await page.getByLabel('Host', { exact: true }).fill('127.0.0.1')
      await page.getByLabel('Port', { exact: true }).fill(String(gate.port))
      await page.getByLabel('User', { exact: true }).fill(source.user)
      await page.getByLabel('Databases').fill(source.name)
      await page.getByLabel('Password').fill('not-the-password')
      await page.getByRole('button', { name: 'Test and continue' }).click()
      await page.getByText('Connection failed').waitFor()
      const wrong = page.getByRole('listitem').filter({ hasText: 'Error:' }).first()
      assert.match(await wrong.innerText(), /does not support TLS/)
      await wrong.getByRole('button', { name: 'Turn encryption off' }).click()
      await wrong.getByText(/password/).waitFor()
      const encryption = page.getByLabel('Encryption')
      assert.equal(await encryption.inputValue(), 'Off', 'the form contains the fix')
      await encryption.click()
      assert.deepEqual(await page.getByRole('option').allInnerTexts(), [
        'Off',
        'Require (no certificate check)',
        'Require (verify-ca)',
        'Require (verify-full)',
      ])
      await page.keyboard.press('Escape')

      await page.getByLabel('Password').fill(source.password)
      await page.getByText('Settings changed since this test').waitFor()
      await page.getByRole('button', { name: 'Test and continue' }).click()
      await page.getByText('Connected, with 1 warning').waitFor()
      const warning = page.getByRole('listitem').filter({ hasText: 'Warning:' })
      assert.match(await warning.innerText(), /not encrypted[^]*"Require \(verify-full\)"/)
      await page
        .getByRole('navigation', { name: 'Steps' })
        .getByText('Connection: done')
        .waitFor({ state: 'attached' })
    },
  )

  step(
    'connecting › selects or excludes scopes of the source, and has defaults for everything else',
    async () => {
      await page.getByText('3 of 3 schemas selected').waitFor()
      const forecast = page.getByLabel(`${source.name}.forecast, schema`)
      await forecast.uncheck()
      await page.getByText('2 of 3 schemas selected').waitFor()
      await page.getByText('Settings changed since this preview.').waitFor()
      await page.getByRole('button', { name: 'Refresh preview' }).click()
      await page.getByText('Lists the databases and schemas of the source.').waitFor()
      assert.equal(await forecast.isChecked(), false)
      await page.getByText('Advanced: patterns').click()
      const excluded = page.getByLabel('Exclude schemas')
      assert.equal(await excluded.inputValue(), 'forecast')
      await excluded.fill('fore*')
      await page.getByText('2 of 3 schemas selected').waitFor()
      await excluded.fill('')
      await page.getByText('3 of 3 schemas selected').waitFor()
      await page.getByRole('button', { name: 'Continue' }).click()

      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      assert.equal(await name.inputValue(), `PostgreSQL ${source.name}`)
      await name.fill(NAME)
      assert.equal(await page.getByLabel('Frequency').inputValue(), 'Manually')
      await choose(page.getByLabel('Frequency'), 'Every day')
      await page.getByLabel('At', { exact: true }).fill('05:30')
      await choose(page.getByLabel('Time zone'), 'Asia/Tokyo')
      await page.getByText('Next runs (Asia/Tokyo):').waitFor()
      await page.getByRole('listitem').filter({ hasText: '05:30' }).first().waitFor()
    },
  )

  step(
    'the first run › shows its phases and then its counts, and lists in its log what was read',
    async () => {
      gate.hold()
      await page.getByRole('button', { name: 'Create and run' }).click()
      await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
      await page.getByText('Running', { exact: true }).waitFor()
      await page
        .getByRole('listitem')
        .filter({ hasText: 'Checking the source: in progress' })
        .waitFor()
      gate.release()
      await untilEnded(page, 'Succeeded')
      assert.deepEqual(await readCounts(page), {
        read: 31,
        created: 31,
        updated: 0,
        deleted: 0,
        held: 0,
      })
      await page.getByText(/^Started by (?!its schedule)./).waitFor()
      await page.getByRole('link', { name: 'Log', exact: true }).click()
      const log = page.getByRole('region', { name: 'Log lines' })
      await log.getByText('Attempt 1 began.').waitFor()
      await log.getByText(/^Published: 31 created/).waitFor()
      await page.getByRole('link', { name: 'Scopes', exact: true }).click()
      await page.getByText('forecast').first().waitFor()
      await page.getByText('26 objects').waitFor()

      await page.getByRole('link', { name: NAME }).click()
      await page.getByText('Every day at 05:30').waitFor()
      await page.getByText('(Asia/Tokyo)', { exact: true }).waitFor()
      await page.getByText('Schedule on').waitFor()
    },
  )

  step(
    'assets › the tree and the page of a table show data of the source and annotations',
    async () => {
      await openInTree(page, source.name, 'forecast')
      await assertAllVisible(page)
      await openInTree(page, source.name, 'freight')
      await page.getByRole('link', { name: 'consignment' }).click()
      await page.getByRole('heading', { level: 1, name: 'consignment' }).waitFor()
      await page
        .getByRole('region', { name: 'From the source' })
        .getByText('What a customer sends in one wagon.')
        .waitFor()
      const columns = page.getByRole('treegrid', { name: 'Columns' })
      await columns.getByText('consignment_id').waitFor()

      await openInTree(page, source.name, 'forecast')
      await page.getByRole('link', { name: 'day_07' }).click()
      await page.getByRole('button', { name: 'Edit description' }).click()
      await page.getByRole('dialog').getByLabel('Description').fill(ANNOTATION)
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await assertAnnotated(page)
    },
  )

  step('a run that stalls › ends after Cancel, and changes nothing', async () => {
    await source.execute('create table freight.seal (seal_number text primary key)')
    await openIntegration(page)
    gate.hold()
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
    const connected = async (): Promise<boolean> => {
      await page.evaluate('new Promise(requestAnimationFrame)')
      return gate.openCount() > 0
    }
    await eventually(20 * SECOND_MS, connected, 'the worker queries the source')
    await page.getByRole('button', { name: 'Cancel run' }).click()
    await untilEnded(page, 'Cancelled')
    assert.deepEqual(await readCounts(page), {
      read: 0,
      created: 0,
      updated: 0,
      deleted: 0,
      held: 0,
    })
    gate.release()
    await source.execute('drop table freight.seal')
  })

  step('an ordinary run › updates what changed and keeps annotations', async () => {
    await source.execute(`
      alter table forecast.day_07 add column departures int;
      comment on table forecast.day_07 is 'Made by the night job.'`)
    await page.getByRole('button', { name: 'Run again' }).click()
    await untilEnded(page, 'Succeeded')
    assert.deepEqual(await readCounts(page), {
      read: 31,
      created: 0,
      updated: 1,
      deleted: 0,
      held: 0,
    })
    await page.getByRole('link', { name: 'Changes', exact: true }).click()
    await page.getByRole('region', { name: 'Changes of assets' }).getByRole('link').click()
    await assertAnnotated(page)
    await page
      .getByRole('region', { name: 'From the source' })
      .getByText('Made by the night job.')
      .waitFor()
    await page.getByRole('treegrid', { name: 'Columns' }).getByText('departures').waitFor()
  })

  step(
    'most tables are dropped › their deletes are held, applied when confirmed, and restored by undo',
    async () => {
      await source.execute(DAYS.map((day) => `drop table forecast.${day};`).join('\n'))
      await openIntegration(page)
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
      await untilEnded(page, 'Succeeded')
      await page.getByText('25 deletes need your decision').waitFor()
      assert.equal((await readCounts(page)).deleted, 0)
      const held = page.url()
      await openInTree(page, source.name, 'forecast')
      await assertAllVisible(page)

      await page.goto(held)
      await page.getByRole('button', { name: 'Delete assets' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete assets' }).click()
      await page.getByRole('heading', { level: 1, name: /^Confirmed deletes of/ }).waitFor()
      await untilEnded(page, 'Succeeded')
      assert.equal((await readCounts(page)).deleted, DAYS.length)
      const confirmed = page.url()
      await openInTree(page, source.name, 'freight')
      await page
        .getByRole('row')
        .filter({ hasText: `${ALL_ASSETS - DAYS.length} assets` })
        .waitFor()
      await findRow(page, 'consignment').waitFor()

      await page.goto(confirmed)
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Undo run' }).click()
      await page.getByRole('heading', { level: 1, name: /^Undo of/ }).waitFor()
      await untilEnded(page, 'Succeeded')
      await openInTree(page, source.name, 'forecast')
      await assertAllVisible(page)
      await page.getByRole('link', { name: 'day_07' }).click()
      await assertAnnotated(page)
    },
  )

  step(
    'an empty source › fails the run, and a forced run holds the deletes until they are rejected',
    async () => {
      await source.execute('drop table freight.consignment; drop table freight.wagon')
      await openIntegration(page)
      await page.getByRole('button', { name: 'Run now' }).click()
      await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
      await untilEnded(page, 'Failed')
      await page.getByText('The source now shows no tables').first().waitFor()

      await openIntegration(page)
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Run even if the source is empty' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Run anyway' }).click()
      await page.getByRole('heading', { level: 1, name: /^Run of/ }).waitFor()
      await untilEnded(page, 'Succeeded')
      await page.getByText('27 deletes need your decision').waitFor()
      await page.getByRole('button', { name: 'Keep assets' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Keep assets' }).click()
      await page.getByText('This run held 27 deletes').waitFor()
      await openInTree(page, source.name, 'freight')
      await findRow(page, 'consignment').waitFor()
    },
  )

  step('deleting the integration › keeps its assets and their annotations', async () => {
    await openIntegration(page)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete integration' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${ALL_ASSETS} assets`).waitFor()
    assert.ok(await dialog.getByRole('radio', { name: /^Keep the assets/ }).isChecked())
    await dialog.getByRole('button', { name: 'Delete integration' }).click()
    await page.getByText('No integrations yet').waitFor()
    const info = { name: 'arrivals', type: 'kafka_topic', source: 'kafka' }
    await catalog.call('PUT', '/api/assets/arrivals', { id: 'arrivals', info })
    await page.goto('/assets?clients=open')
    await page
      .getByRole('row')
      .filter({ hasText: `${ALL_ASSETS + 1} assets` })
      .waitFor()
    await page
      .getByRole('group', { name: 'Platform' })
      .getByRole('button', { name: /^Kafka/ })
      .click()
    await page.getByText('1 asset found').waitFor()
    await page.getByRole('link', { name: 'arrivals' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByLabel('Filter assets').fill('day_07')
    await page.getByRole('link', { name: 'day_07' }).click()
    await page.getByText('Without an integration').waitFor()
    await page.getByText(ANNOTATION).first().waitFor()
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
