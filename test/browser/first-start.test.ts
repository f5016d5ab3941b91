/**
 * The first minutes of an operator: from the setup link to a team, a data product, a key and the first
 * run of a real source, with every click and field counted.
 */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { SourceDatabase } from '../postgres-source.ts'
import { startProduct, type ProductProcess } from '../process.ts'
import { newLocalPlace, type StorePlace } from '../stores.ts'
import { findViolations } from './axe.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { CountedHands, startJourney } from './journey.ts'
import { readClipboard, PASSWORD } from './people.ts'

const ORGANIZATION = 'Harbour & Rail <b>Works</b>'
const COPY_MS_MAX = 5000
const WORD = 'springtide'
const CLICKS_MAX = 15
const FIELDS_MAX = 14
const RUN_MS_MAX = 60_000

const TABLES = `
  create schema harbour;
  create table harbour.tide (station text, at timestamptz, height_m numeric, primary key (station, at));
  create table harbour.berth (berth_id int primary key, length_m numeric);
`

const run = promisify(execFile)

inBrowser('the first start', (browser) => {
  let place: StorePlace
  let product: ProductProcess
  let link: string
  let visitor: Visitor
  let source: SourceDatabase
  const hands = new CountedHands()
  const step = startJourney(() => visitor)
  before(async () => {
    const server = process.env.PORTBOOK_TEST_POSTGRES
    if (server === undefined) throw new Error('run it by `npm test -- <file>`')
    source = await SourceDatabase.create(server, TABLES)
    await source.execute(`
      grant usage on schema harbour to ${source.user};
      grant select on all tables in schema harbour to ${source.user}`)
    place = newLocalPlace()
    product = await startProduct(place.environment)
    const line = await product.logged((one) => 'setupLink' in one)
    link = String(line['setupLink'])
    visitor = await newVisitor(browser(), product.url)
  })
  after(async () => {
    await visitor.close()
    await product.stop()
    await place.remove()
    await source.drop()
  })

  step('the pages before setup › show where to find the link', async () => {
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { name: 'Set up Portbook first' }).waitFor()
    await page.getByText('one-time link that the server printed when it started').waitFor()
  })

  step('the setup › reports missing and invalid fields', async () => {
    const { page } = visitor
    await page.goto(link)
    await page.getByRole('heading', { name: 'Set up Portbook' }).waitFor()
    assert.equal(page.url(), `${product.url}/set-up`, 'the secret is removed from the address')
    const organization = page.getByLabel('Organization')
    await organization.and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Create organization' }).click()
    for (const name of ['Organization', 'Your name', 'E-mail address', 'Password']) {
      await page.getByText(`${name} is required.`).waitFor()
    }
    await organization.and(page.locator(':focus')).waitFor()
    assert.deepEqual(await findViolations(page), [])
    await page.getByLabel('E-mail address').fill('juno')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByText('Enter an e-mail address, like name@example.com.').waitFor()
    await page.getByText('Use at least 12 characters; this has 5.').waitFor()
    assert.equal(await page.getByText('Password is required.').count(), 0)
    assert.equal(page.url(), `${product.url}/set-up`)
  })

  step('the setup › creates the organization and its owner', async () => {
    const { page } = visitor
    await hands.fill(page.getByLabel('Organization'), ORGANIZATION)
    await hands.fill(page.getByLabel('Your name'), 'Juno Linden')
    await hands.fill(page.getByLabel('E-mail address'), 'juno@harbour.example')
    await hands.fill(page.getByLabel('Password', { exact: true }), PASSWORD)
    await hands.click(page.getByRole('button', { name: 'Create organization' }))
    await page.getByRole('button', { name: 'Account of Juno Linden' }).waitFor()
    assert.equal(page.url(), `${product.url}/`)
    await page.getByRole('button', { name: ORGANIZATION }).waitFor()
    await page.getByText('0 of 4 done').waitFor()
    const steps = page.locator('section', { hasText: 'First steps' }).last()
    assert.match(
      await steps.innerText(),
      /Create a team[^]*Register a data product[^]*Create an API key[^]*Connect a source/,
    )
  })

  step(
    'the first data product › is registered with a new team, without leaving the form',
    async () => {
      const { page } = visitor
      await hands.click(page.getByRole('link', { name: 'Register data product' }).first())
      await hands.click(page.getByRole('button', { name: 'New team' }))
      const dialog = page.getByRole('dialog', { name: 'New team' })
      await hands.fill(dialog.getByLabel('Team name'), 'Quay planning')
      await dialog.getByText('Id: quay-planning').waitFor()
      assert.deepEqual(await findViolations(page), [])
      await hands.click(dialog.getByRole('button', { name: 'Create team' }))
      const owner = page.getByRole('combobox', { name: 'Owner' })
      const isOwned = async () => (await owner.inputValue()) === 'Quay planning'
      await eventually(COPY_MS_MAX, isOwned, 'the new team is the owner')
      const name = page.getByLabel('Name', { exact: true })
      const id = page.getByLabel('Id', { exact: true })
      assert.equal(await page.locator('[aria-invalid=true], .cm-lint-marker').count(), 0)
      await name.click()
      await id.click()
      await page.getByText('This field is blank; give the data product a name.').first().waitFor()
      assert.equal(
        await page.locator('[aria-invalid=true]').count(),
        1,
        'only after leaving the field',
      )
      await page.getByRole('button', { name: 'Review and save' }).click()
      await page.getByText('This field is blank; give the data product a name.').first().waitFor()
      await name.fill('Tide tables')
      await page.locator('input[value="tide-tables"]').waitFor()
      await id.fill('Bad Id/with slash')
      await page.getByRole('main').getByText('The id has a slash').first().waitFor()
      await hands.fill(id, 'tide-tables')
      await hands.fill(name, `Tide tables ${WORD}`)
      await page.getByText('No problems').waitFor()
      assert.equal(await id.inputValue(), 'tide-tables', 'a manually edited id is kept')
      await hands.click(page.getByRole('button', { name: 'Add output port' }))
      const port = page.getByLabel('Name', { exact: true }).nth(1)
      await hands.fill(port, 'tides')
      await hands.click(page.getByRole('button', { name: 'Review and save' }))
      const save = page.getByRole('button', { name: 'Save data product' })
      await hands.click(page.locator('button:not([aria-disabled])').and(save))
      await page.getByRole('heading', { level: 1, name: `Tide tables ${WORD}` }).waitFor()
      assert.equal(page.url(), `${product.url}/data-products/tide-tables`)
      await page.getByRole('link', { name: 'Quay planning' }).first().waitFor()
      const people = page.getByRole('heading', { name: 'People' })
      assert.equal(await people.count(), 0, 'a team without members has no panel')
    },
  )

  step(
    'the first key › is the next step; its command keeps the secret out of the shell history',
    async () => {
      const { page } = visitor
      const next = page.getByRole('region', { name: "What's next" })
      await next.getByText('2 of 4 first steps done').waitFor()
      assert.deepEqual(await findViolations(page), [])
      await hands.click(next.getByRole('link', { name: 'Create API key' }))
      const dialog = page.getByRole('dialog', { name: 'Create API key' })
      await hands.fill(dialog.getByLabel('Name'), 'A first look around')
      await hands.click(dialog.getByRole('button', { name: 'Create API key' }))
      await page.getByRole('button', { name: 'Copy: Secret of the new key' }).click()
      const isCopied = async () => (await readClipboard(visitor)).startsWith('pbk_')
      await eventually(COPY_MS_MAX, isCopied, 'the secret is copied')
      const secret = await readClipboard(visitor)
      await page.getByRole('button', { name: 'Copy: Command that tests the key' }).click()
      const isCommand = async () => (await readClipboard(visitor)).startsWith('read -rs')
      await eventually(COPY_MS_MAX, isCommand, 'the command is copied')
      const command = await readClipboard(visitor)
      assert.ok(!command.includes('pbk_'))
      const child = run('bash', ['-c', command])
      child.child.stdin?.end(`${secret}\n`)
      const { results } = JSON.parse((await child).stdout) as { results: { id: string }[] }
      assert.deepEqual(
        results.map(({ id }) => id),
        ['tide-tables'],
      )
    },
  )

  step('the first source › is the next step, and its first run imports its tables', async () => {
    const { page } = visitor
    const next = page.getByRole('region', { name: "What's next" })
    await hands.click(next.getByRole('link', { name: 'Connect source' }))
    await hands.click(page.getByRole('button', { name: /^PostgreSQL/ }))
    await hands.fill(page.getByLabel('Host', { exact: true }), source.url.hostname)
    await hands.fill(page.getByLabel('Port', { exact: true }), source.url.port)
    await hands.fill(page.getByLabel('User', { exact: true }), source.user)
    await hands.choose(page.getByLabel('Encryption'), 'Off')
    await hands.fill(page.getByLabel(/^Password/), source.password)
    await hands.click(page.getByRole('button', { name: 'Test and continue' }))
    await hands.click(page.getByRole('button', { name: 'Continue', exact: true }))
    await hands.click(page.getByRole('button', { name: 'Create and run' }))
    await page.getByText('Succeeded', { exact: true }).waitFor({ timeout: RUN_MS_MAX })
    await next.getByText("You're set up").waitFor()
    assert.deepEqual(await findViolations(page), [])
  })

  step('the whole journey › takes at most 15 clicks and 14 fields', () => {
    assert.ok(hands.clicks.length <= CLICKS_MAX, hands.clicks.join('\n'))
    assert.ok(hands.fields.length <= FIELDS_MAX, hands.fields.join('\n'))
  })

  step('the end › links to the assets, and shows no further step', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Browse assets' }).click()
    await page.getByRole('heading', { level: 1, name: 'Assets' }).waitFor()
    await page.goto('/data-products/tide-tables')
    await page.getByRole('heading', { level: 1, name: `Tide tables ${WORD}` }).waitFor()
    await page.waitForLoadState('networkidle')
    assert.equal(await page.getByRole('region', { name: "What's next" }).count(), 0)
    await page.goto(`/search?query=${WORD}`)
    const productLink = page
      .getByRole('main')
      .getByRole('link', { name: `Tide tables ${WORD}`, exact: true })
    await productLink.waitFor()
  })

  step('the setup link › works once', async () => {
    const secondVisitor = await newVisitor(browser(), product.url)
    const { page } = secondVisitor
    await page.goto(link)
    await page.getByLabel('Organization').fill('Another')
    await page.getByLabel('Your name').fill('Late Comer')
    await page.getByLabel('E-mail address').fill('late@harbour.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('heading', { name: 'Portbook is already set up' }).waitFor()
    await page.getByText('The setup link works once, and it has been used.').waitFor()
    assert.deepEqual([...secondVisitor.problems, ...visitor.problems], [])
    await secondVisitor.close()
  })
})
