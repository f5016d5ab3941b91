/**
 * The first minutes of an operator: from the link in the log to a data product that people find on the
 * pages and programs find with a key.
 */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import { startProduct, type ProductProcess } from '../process.ts'
import { newLocalPlace, type StorePlace } from '../stores.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { newJourney } from './journey.ts'
import { clipboardOf, PASSWORD } from './people.ts'

const ORGANIZATION = 'Harbour & Rail <b>Works</b>'
const COPY_MS_MAX = 5000
const WORD = 'springtide'

const run = promisify(execFile)

inBrowser('the first start', (browser) => {
  let place: StorePlace
  let product: ProductProcess
  let link: string
  let visitor: Visitor
  const step = newJourney(() => visitor)
  before(async () => {
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
  })

  step('whoever opens the pages before is told where the link is', async () => {
    const { page } = visitor
    await page.goto('/')
    await page.getByRole('heading', { name: 'Set up Portbook first' }).waitFor()
    await page.getByText('one-time link that the server wrote to its log').waitFor()
  })

  step(
    'the link of the log › a password that is too short is refused, then the organization is made',
    async () => {
      const { page } = visitor
      await page.goto(link)
      await page.getByRole('heading', { name: 'Set up Portbook' }).waitFor()
      assert.equal(page.url(), `${product.url}/set-up`, 'the secret leaves the address')
      await page.getByLabel('Organization').fill(ORGANIZATION)
      await page.getByLabel('Your name').fill('Juno Linden')
      await page.getByLabel('E-mail address').fill('juno@harbour.example')
      const password = page.getByLabel('Password', { exact: true })
      await password.fill('short')
      await page.getByRole('button', { name: 'Create organization' }).click()
      assert.equal(page.url(), `${product.url}/set-up`)
      await password.fill(PASSWORD)
      await page.getByRole('button', { name: 'Create organization' }).click()
      await page.getByRole('button', { name: 'Account of Juno Linden' }).waitFor()
      assert.equal(page.url(), `${product.url}/`)
      await page.getByRole('button', { name: ORGANIZATION }).waitFor()
    },
  )

  step('home › begins with four steps, none of them done', async () => {
    const { page } = visitor
    const steps = page
      .getByRole('region', { name: 'First steps' })
      .or(page.locator('section', { hasText: 'First steps' }))
      .last()
    await page.getByText('0 of 4 done').waitFor()
    assert.match(
      await steps.innerText(),
      /Create a team[^]*Register a data product[^]*Create an API key[^]*Connect a source/,
    )
  })

  step('the first team › is made on the page, and ticks its step off', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Create team' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Quay planning')
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.getByRole('heading', { level: 1, name: 'Quay planning' }).waitFor()
    assert.equal(page.url(), `${product.url}/teams/quay-planning`)
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('1 of 4 done').waitFor()
  })

  step('the first data product › is registered on the page by its form', async () => {
    const { page } = visitor
    await page.getByRole('link', { name: 'Register data product' }).first().click()
    await page.getByLabel('Id', { exact: true }).fill('tide-tables')
    await page.getByLabel('Name', { exact: true }).fill(`Tide tables ${WORD}`)
    await page.getByLabel('Owner').fill('quay-planning')
    await page.getByLabel('Purpose').fill('When ships can pass the bar.')
    await page.getByText('The team Quay planning.').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const save = page.getByRole('button', { name: 'Save data product' })
    await page.locator('button:not([aria-disabled])').and(save).click()
    await page.getByRole('heading', { level: 1, name: `Tide tables ${WORD}` }).waitFor()
    assert.equal(page.url(), `${product.url}/data-products/tide-tables`)
  })

  step('it is found › by the search of the pages', async () => {
    const { page } = visitor
    await page
      .getByRole('navigation', { name: 'Catalog' })
      .getByRole('link', { name: 'Search' })
      .click()
    await page.getByRole('main').getByRole('textbox').first().fill(WORD)
    await page
      .getByRole('main')
      .getByRole('link', { name: `Tide tables ${WORD}` })
      .click()
    await page.getByRole('heading', { level: 1, name: `Tide tables ${WORD}` }).waitFor()
  })

  step(
    'it is found › by curl, with a key that was made on the page and the command that it shows',
    async () => {
      const { page } = visitor
      await page.goto('/')
      await page.getByText('2 of 4 done').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Create key' }).click()
      await page.getByRole('button', { name: 'Create key' }).first().click()
      await page.getByRole('dialog').getByLabel('Name').fill('A first look around')
      await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('button', { name: 'Copy: Command that tries the key' }).click()
      await page.getByRole('button', { name: 'Copied' }).waitFor()
      const { stdout: who } = await run('sh', ['-c', `${await clipboardOf(visitor)} --silent`])
      assert.equal((JSON.parse(who) as { name: string }).name, ORGANIZATION)
      await page.getByRole('button', { name: 'Copy: Secret of the new key' }).click()
      const isCopied = async () => (await clipboardOf(visitor)).startsWith('pbk_')
      await eventually(COPY_MS_MAX, isCopied, 'the secret is copied')
      const header = `x-api-key: ${await clipboardOf(visitor)}`
      const { stdout } = await run('curl', [
        '-sS',
        '-H',
        header,
        `${product.url}/api/search?query=${WORD}`,
      ])
      const { results } = JSON.parse(stdout) as { results: { id: string }[] }
      assert.deepEqual(
        results.map(({ id }) => id),
        ['tide-tables'],
      )
      await page.getByRole('button', { name: 'I have saved it' }).click()
    },
  )

  step('the link of the log › works once, and says so to who comes late', async () => {
    const late = await newVisitor(browser(), product.url)
    const { page } = late
    await page.goto(link)
    await page.getByLabel('Organization').fill('Another')
    await page.getByLabel('Your name').fill('Late Comer')
    await page.getByLabel('E-mail address').fill('late@harbour.example')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('heading', { name: 'Portbook is set up already' }).waitFor()
    await page.getByText('The set-up link works once, and it has been used.').waitFor()
    assert.deepEqual([...late.problems, ...visitor.problems], [])
    await late.close()
  })
})
