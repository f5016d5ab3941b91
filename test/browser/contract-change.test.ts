/**
 * Edits a data contract on its page: form and source stay in sync, breaking changes are reported before
 * saving, and a concurrent change is not lost.
 */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { inBrowser, newVisitor, type Visitor } from './browser.ts'
import { signInQuickly, newOrganization, type Catalog } from './catalog.ts'
import {
  CONTRACT,
  MAKER,
  READER,
  READERS,
  TEAM,
  TEXT,
  product,
  readEditor,
} from './editor-steps.ts'
import { startJourney } from './journey.ts'

const STEP_MS_MAX = 20_000

inBrowser('editing a data contract', (browser) => {
  const step = startJourney(() => visitor)
  let catalog: Catalog
  let visitor: Visitor
  let page: Page
  let source: Locator
  let savedText = ''
  const path = `/data-contracts/${CONTRACT}`
  const api = `/api/datacontracts/${CONTRACT}`

  before(async () => {
    catalog = await newOrganization()
    for (const id of [TEAM, READERS]) {
      await catalog.call('PUT', `/api/teams/${id}`, { id, name: id, type: 'Domain Team' })
    }
    await put(TEXT)
    const port = { name: 'tests', version: '1.0.0', contractId: CONTRACT }
    const maker = product(MAKER, TEAM, { outputPorts: [port] })
    const reader = product(READER, READERS, { inputPorts: [port] })
    await catalog.call('PUT', `/api/dataproducts/${MAKER}`, maker)
    await catalog.call('PUT', `/api/dataproducts/${READER}`, reader)
    visitor = await newVisitor(browser(), catalog.url)
    page = visitor.page
    source = page.getByRole('textbox', { name: 'Source of the data contract' })
    await signInQuickly(visitor, catalog.owner)
  })
  after(() => visitor.close())

  async function put(text: string): Promise<void> {
    const response = await fetch(`${catalog.url}${api}`, {
      method: 'PUT',
      headers: { 'x-api-key': catalog.key, 'content-type': 'application/yaml' },
      body: text,
    })
    assert.ok(response.ok, await response.text())
  }

  async function storedText(): Promise<string> {
    return await catalog.storedYaml(api)
  }

  // By keyboard, as people do: the editor sets its own selection a moment after it gets the focus.
  async function write(text: string): Promise<void> {
    await source.press('Control+a')
    await page.keyboard.insertText(text)
  }

  async function assertSource(expected: string): Promise<void> {
    const isEqual = async (): Promise<boolean> => {
      await page.evaluate('new Promise(requestAnimationFrame)')
      return (await readEditor(source)) === expected
    }
    try {
      await eventually(STEP_MS_MAX, isEqual, 'the source')
    } catch {
      assert.equal(await readEditor(source), expected)
    }
  }

  step('the form › changes only its own field in the source and keeps comments', async () => {
    await page.goto(path)
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await assertSource(TEXT)
    await page.getByRole('textbox', { name: /^Name/ }).first().fill('Brake trials')
    await assertSource(TEXT.replace('Brake tests', 'Brake trials'))
    // The browser remembers it for every contract. By key, because a mark of the change moves the button.
    await page.getByRole('button', { name: 'Unfold all' }).press('Enter')
    await page.getByRole('button', { name: 'remark' }).click()
    await page.getByLabel('Field description').fill('What the inspector wrote: freely.')
    const expectedText = TEXT.replace('Brake tests', 'Brake trials').replace(
      '      - name: remark\n',
      "      - name: remark\n        description: 'What the inspector wrote: freely.'\n",
    )
    await eventually(
      STEP_MS_MAX,
      async () => (await readEditor(source)).split('\n').length === expectedText.split('\n').length,
      'the line appears',
    )
    const lines = (await readEditor(source)).split('\n')
    const before = TEXT.replace('Brake tests', 'Brake trials').split('\n')
    const added = lines.filter((line) => !before.includes(line))
    assert.equal(added.length, 1)
    assert.match(added[0] ?? '', /^ {8}description: .*What the inspector wrote: freely\./)
    assert.deepEqual(
      lines.filter((line) => line !== added[0]),
      before,
      'every other line is unchanged',
    )
  })

  step('the source › updates the form', async () => {
    const text = (await readEditor(source)).replace('Brake trials', 'Brake checks')
    await write(text)
    const name = page.getByRole('textbox', { name: /^Name/ }).first()
    const isFormUpdated = async (): Promise<boolean> => (await name.inputValue()) === 'Brake checks'
    await eventually(STEP_MS_MAX, isFormUpdated, 'the form is updated')
    await page.getByText('No problems').waitFor()
  })

  step('the source › completes values of the standard, and explains fields', async () => {
    const validText = await readEditor(source)
    await write(`${validText}tea`)
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: /^team/ }).waitFor()
    await write(`${validText}price:\n  `)
    await page.keyboard.press('Control+Space')
    await page.getByRole('option', { name: /^priceAmount/ }).click()
    await source.getByText('priceAmount').waitFor()
    await write(validText)
    await source.getByText('status').first().hover()
    await page.getByText('Current status of the dataset').waitFor()
    await page.keyboard.press('Escape')
  })

  step(
    'the source › when invalid, disables the form and links the problem to its line',
    async () => {
      const validText = await readEditor(source)
      await write(validText.replace('status: active', 'status: [active'))
      await page.getByText('The form needs a valid source').waitFor()
      await page.getByRole('button', { name: /^Error: .* line [78],/ }).waitFor()
      assert.ok(await page.getByLabel('Version').first().isDisabled())
      assert.equal(await readEditor(source), validText.replace('status: active', 'status: [active'))

      await write(validText.replace('kind: DataContract', 'kind: DataContrakt'))
      const problem = page.getByRole('button', { name: /^Warning: kind .* line 3,/ })
      await problem.click()
      // The editor sets its own selection a moment after it gets the focus.
      await page.locator('.cm-focused').waitFor()
      await page.evaluate('new Promise(requestAnimationFrame)')
      await page.keyboard.type('!')
      const marked = validText.replace('kind: DataContract', '!kind: DataContrakt')
      await assertSource(marked)
      await page.keyboard.press('Control+Home')
      await page.keyboard.press('Shift+End')
      await page.keyboard.type('# Agreed.')
      await assertSource(marked.replace(/^.*/, '# Agreed.'))
      await page.keyboard.press('Control+z')
      await assertSource(marked)
      await write(validText)
      await page.getByText('No problems').waitFor()
    },
  )

  step(
    'a breaking change › shows its level, reason and affected teams before it is saved',
    async () => {
      await page.getByRole('button', { name: /^passed/ }).click()
      await page.getByRole('button', { name: 'Remove this field' }).click()
      const hit = 'Breaks 1 consumer of 1 team, and 1 data product that provides the data'
      const plan = page.getByText(hit).first()
      await plan.waitFor()
      savedText = await readEditor(source)
      await page.getByRole('link', { name: READER }).first().waitFor()
      await page.getByRole('button', { name: 'Review and save' }).click()
      const dialog = page.getByRole('dialog', { name: 'Review changes' })
      await dialog.getByText('Breaking', { exact: true }).first().waitFor()
      await dialog
        .getByText(/passed/)
        .first()
        .waitFor()
      await dialog.getByRole('link', { name: READER }).waitFor()
    },
  )

  step('a breaking change › is saved only after a second confirmation', async () => {
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    const save = dialog.getByRole('button', { name: 'Save breaking change' })
    assert.equal(await save.getAttribute('aria-disabled'), 'true')
    await save.click({ force: true })
    assert.equal(await storedText(), TEXT, 'nothing is saved without confirmation')
    await dialog
      .getByRole('checkbox', { name: /^I understand that this breaks 1 consumer of 1 team/ })
      .check()
    assert.equal(await save.getAttribute('aria-disabled'), null)
  })

  step('a concurrent change › is reported, overwrites nothing and loses no input', async () => {
    const theirs = TEXT.replace('status: active', 'status: deprecated')
    await put(theirs)
    await page.getByRole('button', { name: 'Save breaking change' }).click()
    await page.getByText('while you were editing').waitFor()
    assert.equal(await storedText(), theirs)
    await assertSource(savedText)

    await page.getByRole('button', { name: 'Compare and merge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compare and merge' })
    await dialog.getByRole('textbox', { name: 'Saved' }).getByText('deprecated').waitFor()
    await dialog.getByRole('button', { name: 'Use the right version' }).click()
    await dialog.waitFor({ state: 'detached' })
    await assertSource(savedText)
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page
      .getByRole('checkbox', { name: /^I understand that this breaks 1 consumer of 1 team/ })
      .check()
    await page.getByRole('button', { name: 'Save breaking change' }).click()
    await page.waitForURL((url) => url.pathname === path)
    await page.getByRole('heading', { level: 1, name: 'Brake checks' }).waitFor()
    assert.equal(await storedText(), savedText)
  })

  step('versions › shows the semantic changes between two of them', async () => {
    await page.goto(`${path}/versions?from=1&to=3`)
    const changes = page.getByText('Version 1 to 3')
    await changes.waitFor()
    await page.getByText('Breaking', { exact: true }).first().waitFor()
    await page.getByText('Field brake_test.passed was removed').first().waitFor()
  })

  step('a breaking change › offers the next major version and sets it', async () => {
    await page.goto(`${path}/edit`)
    await page.getByRole('button', { name: /^remark/ }).click()
    await page.getByRole('button', { name: 'Remove this field' }).click()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByText('The version is still 1.0.0').waitFor()
    await dialog.getByRole('button', { name: 'Change it to 2.0.0' }).click()
    await dialog.getByText('The version is still 1.0.0').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    assert.match(await readEditor(source), /^version: "?2\.0\.0"?$/m)
    await page.getByRole('link', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: /^Discard/ }).click()
    await page.waitForURL((url) => url.pathname === path)
  })

  step('an old version › is restored byte for byte as a new version', async () => {
    await page.goto(`${path}/versions`)
    await page.getByRole('link', { name: 'Restore version 1' }).click()
    await page.getByText('This is version 1.').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByRole('button', { name: 'Save data contract' }).click()
    await page.waitForURL((url) => url.pathname === path)
    assert.equal(await storedText(), TEXT)
  })

  step('the lists of the form › add a server, a service level and a quality check', async () => {
    await page.goto(`${path}/edit`)
    await page.getByRole('button', { name: 'Add server' }).click()
    await page.getByRole('group', { name: 'postgresql' }).getByLabel('Server').fill('live')
    const server = page.getByRole('group', { name: 'live' })
    await server.getByLabel('Database', { exact: true }).fill('yard')
    await page.getByRole('button', { name: 'Add service level' }).click()
    const newLevel = page.getByRole('group', { name: 'Service levels: 1' })
    await newLevel.getByLabel('Property', { exact: true }).fill('retention')
    const level = page.getByRole('group', { name: 'retention' })
    await level.getByRole('textbox', { name: /^Value(?! ext)/ }).fill('90')
    await page.getByRole('button', { name: /^remark/ }).click()
    await page.getByRole('button', { name: 'Add check' }).first().click()
    const check = page.getByRole('group', { name: 'Quality checks: 1' })
    await check.getByRole('combobox', { name: /^Type/ }).fill('library')
    await page.keyboard.press('Enter')
    await check.getByRole('combobox', { name: /^Metric/ }).fill('invalidValues')
    await page.keyboard.press('Enter')
    const namedCheck = page.getByRole('group', { name: 'invalidValues' })
    for (const bound of ['1', '20']) {
      await namedCheck.getByLabel('Must be between').last().fill(bound)
      await page.keyboard.press('Enter')
    }
    await source.getByText('mustBeBetween').waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByRole('button', { name: 'Save data contract' }).click()
    await page.waitForURL((url) => url.pathname === path)
    const stored = await storedText()
    assert.match(stored, /^servers:\n +- server: live\n +type: postgresql\n +database: yard$/m)
    assert.match(stored, /^slaProperties:\n +- property: retention\n +value: "?90"?$/m)
    assert.match(stored, /metric: invalidValues\n +mustBeBetween:\n +- 1\n +- 20$/m)
  })

  step('deleting › lists the consumers and requires confirmation', async () => {
    await page.goto(`/data-products/${MAKER}/edit`)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: `Delete data product ${MAKER}?` })
    await dialog.getByText('Breaks 1 consumer of 1 team', { exact: true }).waitFor()
    await dialog.getByRole('link', { name: READER }).waitFor()
    const remove = dialog.getByRole('button', { name: 'Delete data product' })
    assert.equal(await remove.getAttribute('aria-disabled'), 'true')

    await dialog.getByRole('button', { name: 'Deprecate instead' }).click()
    const review = page.getByRole('dialog', { name: 'Review changes' })
    await review
      .getByText(/deprecated/)
      .first()
      .waitFor()
    await review.getByRole('button', { name: 'Keep editing' }).click()
    assert.match(await readEditor(page.getByRole('textbox', { name: /^Source of/ })), /deprecated/)

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog
      .getByRole('checkbox', { name: /^I understand that this breaks 1 consumer/ })
      .check()
    await remove.click()
    await page.waitForURL((url) => url.pathname === '/search')
  })

  step('a deleted data product › is restored from its page', async () => {
    await page.goto(`/data-products/${MAKER}`)
    await page.getByRole('heading', { level: 1, name: 'Data product deleted' }).waitFor()
    await page.getByRole('link', { name: 'Restore data product' }).click()
    await page.getByRole('heading', { level: 1, name: `Restore ${MAKER}` }).waitFor()
    await page.getByRole('button', { name: 'Review and save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByText('Creates the document.').waitFor()
    await dialog.getByRole('button', { name: 'Save data product' }).click()
    await page.getByRole('heading', { level: 1, name: MAKER }).waitFor()
    await page.waitForURL((url) => url.pathname === `/data-products/${MAKER}`)
  })

  step('the whole journey › has no console errors or policy violations', () => {
    assert.deepEqual(visitor.problems, [])
  })
})
