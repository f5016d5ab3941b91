/** Access is requested, decided, set up, renewed and ended, each on the pages of those who do it. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { eventually } from '../eventually.ts'
import { createAccessWorld, putPositionsContract } from './access-world.ts'
import { inBrowser, type Visitor } from './browser.ts'
import { newOrganization, type Catalog } from './catalog.ts'
import { startJourney } from './journey.ts'
import { newSpan, toTraces } from '../usage.ts'

const DAY_MS = 24 * 3_600_000
const PURPOSE = 'Forecast the wear of brakes <b>per wagon</b>'

inBrowser('access', (browser) => {
  const step = startJourney(() => current)
  let catalog: Catalog
  let owner: Visitor
  let approver: Visitor
  let reader: Visitor
  let current: Visitor

  // The catalog finds recipients in the background.
  async function untilNotified(kind: string): Promise<void> {
    const isNotified = (): Promise<boolean> =>
      reader.page.evaluate(async (path) => {
        const page = (await (await fetch(path)).json()) as { notifications: unknown[] }
        return page.notifications.length > 0
      }, `/ui/notifications?unread=true&kind=${kind}`)
    await eventually(30_000, isNotified, `a notification of the kind ${kind}`)
  }

  before(async () => {
    catalog = await newOrganization()
    ;({ owner, approver, reader } = await createAccessWorld(browser(), catalog))
    current = owner
  })
  after(async () => {
    for (const visitor of [owner, approver, reader]) await visitor.close()
  })

  const as = (visitor: Visitor) => {
    current = visitor
    return visitor.page
  }

  step(
    'the page of a port › requests access for a team, with the terms of the contract',
    async () => {
      const page = as(reader)
      await page.goto('/data-products/positions')
      await page.getByRole('link', { name: 'Request access to table' }).click()
      const form = page.getByRole('form', { name: 'Request access' })
      await form.getByText('No tracking of people').waitFor()
      await form.getByText('Ada', { exact: true }).waitFor()
      await form.getByText('Contains data classified as').getByText('confidential').waitFor()
      await form.getByRole('button', { name: 'Request access' }).click()
      await form.getByText('Purpose is required.').waitFor()
      await form.getByRole('checkbox', { name: 'analyst' }).check()
      await form.getByRole('radio', { name: 'A team of mine' }).check()
      await form.getByRole('combobox', { name: 'Team' }).click()
      await page.getByRole('option', { name: 'workshop' }).click()
      await form.getByRole('textbox', { name: 'Purpose' }).fill(PURPOSE)
      await form.getByLabel('Last day').fill('2099-06-30')
      await form.getByRole('button', { name: 'Request access' }).click()
      await page.getByRole('heading', { name: 'Access requested' }).waitFor()
    },
  )

  step('the page of a port › shows that access is requested', async () => {
    const page = as(reader)
    await page.goto('/data-products/positions')
    await page.getByText('Requested', { exact: true }).waitFor()
    await page.goto('/search?resourceType=DATA_PRODUCT')
    await page.getByText('Requested', { exact: true }).waitFor()
  })

  step('Home and Requests › name the request to those who decide', async () => {
    const page = as(approver)
    await page.goto('/')
    await page.getByText('1 request of access waits for a decision').waitFor()
    await page.getByRole('link', { name: 'Decide on the requests' }).click()
    await page.getByText(PURPOSE).waitFor()
  })

  step('Requests › approves with another role and a reason', async () => {
    const page = as(approver)
    await page.getByRole('button', { name: 'Approve Wagon positions: table' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('checkbox', { name: 'auditor' }).check()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('Only for brakes.')
    await dialog.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('No open requests').waitFor()
    await page.getByRole('link', { name: /^Active/ }).click()
    await page.getByText('Until 30 Jun 2099').waitFor()
  })

  step('My data › shows the consumer what was approved', async () => {
    const page = as(reader)
    await page.goto('/my-data')
    await page.getByText('Reason: Only for brakes.').waitFor()
    await page.getByText('auditor').waitFor()
    await page.goto('/data-products/positions?view=access')
    await page.getByText(PURPOSE).waitFor()
    await page.getByRole('link', { name: 'Wagon positions: table' }).click()
    await page.getByRole('heading', { name: 'Decision' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    await page.getByText('You have access').waitFor()
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await trail.getByRole('link', { name: 'My data' }).waitFor()
    const history = page.getByRole('button', { name: /^History/ })
    assert.equal(await history.getAttribute('aria-expanded'), 'false')
    await history.click()
    await page.getByRole('listitem').filter({ hasText: 'Approved' }).getByText('Ada').waitFor()
  })

  step("an agreement's page › shows both sides what connectors report", async () => {
    const path = new URL(reader.page.url()).pathname
    const report = `/api${path}/provisioning`
    const platform = 'snowflake'
    const diagnostics = 'No role <i>workshop</i>'
    await catalog.call('POST', `${report}/provisioning-started`, { platform, executor: 'robot' })
    await catalog.call('POST', `${report}/provisioning-failed`, { diagnostics })
    for (const visitor of [reader, approver]) {
      const page = as(visitor)
      await page.goto(path)
      await page.getByText('Provisioning failed on snowflake').waitFor()
      await page.getByText(diagnostics).first().waitFor()
    }
    await catalog.call('POST', `${report}/provisioning-succeeded`, { reference: 'grant 42' })
    await as(reader).goto(path)
    await reader.page.getByText('grant 42').waitFor()
    assert.equal(await reader.page.getByText('Provisioning failed on snowflake').count(), 0)
  })

  step('Usage › counts the consumer with access, and names the access of a query', async () => {
    const page = as(reader)
    const accessId = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    await page.goto('/data-products/positions?view=usage')
    await page.getByRole('link', { name: '1 consumer has access' }).waitFor()
    await page.getByText('No usage yet').waitFor()
    const spans = [newSpan({ user: 'robot', accessId })]
    await catalog.call('POST', '/api/v1/traces', toTraces('positions', spans))
    await page.goto('/data-products/positions?view=usage')
    const consumers = page.getByRole('region', { name: 'Consumers' })
    assert.equal(await consumers.getByText('Not matched to an agreement').count(), 0)
    await consumers.getByRole('link', { name: 'Agreement' }).click()
    await page.getByRole('heading', { name: 'Decision' }).waitFor()
  })

  step(
    'a breaking change of the contract › warns the consumer in the bell and in the list',
    async () => {
      await putPositionsContract(catalog, 'integer')
      const page = as(reader)
      await untilNotified('breaking_change')
      const path = new URL(page.url()).pathname
      await page.goto('/my-data')
      await page.getByRole('button', { name: /^Notifications, / }).click()
      const bell = page.getByRole('dialog', { name: 'Newest notifications' })
      await bell.getByRole('link', { name: 'Breaking change of Positions' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText('Breaking change since approval').waitFor()
      await page.goto(path)
    },
  )

  step('access whose last day has passed › is expired, and the consumer is notified', async () => {
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10)
    await catalog.call('PUT', '/api/access/past', {
      info: { purpose: 'A short report', startDate: '2020-01-01', endDate: yesterday },
      provider: { dataProductId: 'positions', outputPortId: 'stream' },
      consumer: { teamId: 'workshop' },
    })
    await catalog.call('POST', '/api/access/past/approve')
    const page = as(reader)
    const path = new URL(page.url()).pathname
    await untilNotified('access_decided')
    await page.goto('/access/past')
    await page.getByText('Expired', { exact: true }).first().waitFor()
    await page.goto(path)
  })

  step("an agreement's page › renews and ends access", async () => {
    const page = as(approver)
    await page.goto(new URL(reader.page.url()).pathname)
    const trail = page.getByRole('navigation', { name: 'Breadcrumb' })
    await trail.getByRole('link', { name: 'Requests' }).waitFor()
    await page.getByRole('button', { name: 'Renew' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Last day').fill('2099-12-31')
    await dialog.getByRole('button', { name: 'Renew' }).click()
    await page.getByText('Until 31 Dec 2099').waitFor()
    await page.getByRole('button', { name: 'End access' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
    await page.getByText('Ada ended the access').waitFor()
    await as(reader).reload()
    await reader.page.getByRole('link', { name: 'Request again' }).waitFor()
  })

  step('a link › requests its port only, and never fills the basket', async () => {
    const page = as(reader)
    const form = page.getByRole('form', { name: 'Request access' })
    const purpose = form.getByRole('textbox', { name: 'Purpose' })
    await page.goto('/access/new?product=positions&port=stream')
    await purpose.fill('Only for the stream')
    await page.goto('/access/new?product=stations&port=list')
    await form.getByRole('heading', { name: 'list' }).waitFor()
    assert.equal(await form.getByRole('heading', { name: 'stream' }).count(), 0)
    assert.equal(await purpose.inputValue(), '')
    assert.equal(await page.getByRole('link', { name: /^Basket/ }).count(), 0)
    await page.goto('/access/new')
    await page.getByText('The basket is empty').waitFor()
  })

  step('a link that leads nowhere › names the data product or the port', async () => {
    const page = as(reader)
    await page.goto('/access/new?product=positions&port=map')
    await page.getByText('Data product "Wagon positions" has no output port "map".').waitFor()
    await page.getByRole('link', { name: 'Open the data product' }).waitFor()
    await page.goto('/access/new?product=maps&port=map')
    await page.getByText('Unknown data product "maps".').waitFor()
    await page.goto('/access/new?product=positions')
    await page.getByText('This link is incomplete').waitFor()
  })

  step('the basket › requests two ports together, one of which is granted at once', async () => {
    const page = as(reader)
    await page.goto('/data-products/positions')
    await page.getByRole('button', { name: 'Add to basket: stream' }).click()
    await page.getByRole('button', { name: 'In the basket: stream' }).waitFor()
    await page.goto('/data-products/stations')
    await page.getByRole('button', { name: 'Add to basket: list' }).click()
    const form = page.getByRole('form', { name: 'Request access' })
    await page.goto('/access/new?product=stations&port=list')
    const offer = form.getByRole('checkbox', {
      name: 'Also request the 1 output port in your basket',
    })
    await form.getByText('Wagon positions: stream').waitFor()
    assert.equal(await offer.isChecked(), false)
    await form.getByRole('button', { name: 'Request access', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Basket: 2 output ports' }).click()
    await form.getByText('Granted at once', { exact: true }).waitFor()
    await form.getByRole('textbox', { name: 'Purpose' }).fill('Reports')
    await form.getByRole('checkbox', { name: 'Different purpose for each port' }).check()
    await form.getByRole('textbox', { name: 'Purpose of Stations: list' }).fill('Names on maps')
    await form.getByRole('button', { name: 'Request access to 2 ports' }).click()
    await page.getByRole('heading', { name: 'Access requested' }).waitFor()
    await page.getByRole('link', { name: 'Wagon positions: stream' }).waitFor()
    await page.getByText('Active', { exact: true }).waitFor()
    await page.getByText('Requested', { exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Basket/ }).count(), 0)
    await page.goto('/data-products/stations')
    await page.getByText('You have access').first().waitFor()
    await page.goto('/my-data')
    await page.getByText('Names on maps').waitFor()
  })

  step('Requests › rejects several with one reason', async () => {
    await catalog.call('PUT', '/api/access/second', {
      info: { purpose: 'More reports' },
      provider: { dataProductId: 'positions', outputPortId: 'stream' },
      consumer: { teamId: 'workshop' },
    })
    const page = as(approver)
    await page.goto('/requests')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Reject selected' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await dialog.getByText('Reason is required.').waitFor()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill('The stream ends this year.')
    await dialog.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('No open requests').waitFor()
    await as(reader).goto('/my-data?view=rejected')
    const reason = reader.page.getByText('Reason: The stream ends this year.')
    await reason.first().waitFor()
    assert.equal(await reason.count(), 2)
  })

  step('Requests › shows why a person cannot approve the own request', async () => {
    const page = as(approver)
    await page.goto('/data-products/positions')
    await page.getByText('Owned by your team').first().waitFor()
    await page.getByRole('button', { name: 'Following 1' }).click()
    await page.getByText('Muted. You are no longer notified').first().waitFor()
    await page.getByRole('button', { name: 'Muted 0' }).click()
    await page.getByRole('button', { name: 'Following 1' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /^Request access/ }).count(), 0)
    await page.getByRole('button', { name: 'Request access for another' }).first().click()
    await page.getByRole('menuitem', { name: 'Request access to stream' }).click()
    const form = page.getByRole('form', { name: 'Request access' })
    await form.getByRole('textbox', { name: 'Purpose' }).fill('Checks')
    await form.getByRole('button', { name: 'Request access' }).click()
    await page.getByRole('heading', { name: 'Access requested' }).waitFor()
    await page.getByRole('link', { name: 'Wagon positions: stream' }).click()
    await page.getByText('It is your own request, so another approver has to decide.').waitFor()
    await page.goto('/requests')
    await page.getByText('This is your own request.').waitFor()
    const approve = page.getByRole('button', { name: 'Approve Wagon positions: stream' })
    assert.equal(await approve.getAttribute('aria-disabled'), 'true')
  })

  step('a request of one port › leaves the others in the basket', async () => {
    const page = as(reader)
    await page.goto('/data-products/positions')
    await page.getByRole('button', { name: 'Add to basket: stream' }).click()
    await page.getByRole('button', { name: 'Add to basket: table' }).click()
    await page.getByRole('link', { name: 'Basket: 2 output ports' }).waitFor()
    await page.getByRole('link', { name: 'Request access to table' }).click()
    const form = page.getByRole('form', { name: 'Request access' })
    await form.getByRole('textbox', { name: 'Purpose' }).fill('Brakes again')
    await form.getByRole('button', { name: 'Request access', exact: true }).click()
    await page.getByRole('heading', { name: 'Access requested' }).waitFor()
    await page.getByRole('link', { name: 'Basket: 1 output port' }).waitFor()
  })

  step('the whole journey › has no console errors or policy violations', () => {
    for (const visitor of [owner, approver, reader]) assert.deepEqual(visitor.problems, [])
  })
})
