/** The tables of the journey of a source, and what its steps do and check on the pages. */

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export const NAME = 'Yard operations'
export const DAYS = Array.from({ length: 25 }, (_, at) => `day_${String(at + 1).padStart(2, '0')}`)
export const ANNOTATION = 'Expected arrivals, as the control centre counts them.'
export const SECOND_MS = 1000

// One database, its schemas forecast, freight and public, and 27 tables.
export const ALL_ASSETS = 31

export const TABLES = `
  create schema freight;
  create schema forecast;
  create table freight.wagon (wagon_number text primary key, axles int not null, built_on date);
  create table freight.consignment (
    consignment_id bigint primary key, wagon_number text references freight.wagon, weight_kg numeric(9, 2)
  );
  comment on table freight.consignment is 'What a customer sends in one wagon.';
  ${DAYS.map((day) => `create table forecast.${day} (station text primary key, arrivals int);`).join('\n')}
`

/** Waits until the page of a run, without a reload, shows how the run ended. */
export async function untilEnded(page: Page, status: string): Promise<void> {
  await page
    .getByText(status, { exact: true })
    .first()
    .waitFor({ timeout: 30 * SECOND_MS })
}

export async function readCounts(page: Page): Promise<Record<string, number>> {
  const texts = await page
    .getByRole('region', { name: 'Progress' })
    .getByRole('definition')
    .allInnerTexts()
  const [read = NaN, created = NaN, updated = NaN, deleted = NaN, held = NaN] = texts.map(Number)
  return { read, created, updated, deleted, held }
}

/** Opens the tree of assets down to a schema. */
export async function openInTree(page: Page, database: string, schema: string): Promise<void> {
  await page.goto('/assets')
  // The first level is expanded.
  await findRow(page, NAME).waitFor()
  for (const name of [database, schema]) {
    await findRow(page, name).getByRole('button', { name: 'Open' }).click()
  }
  await findRow(page, schema === 'freight' ? 'consignment' : (DAYS[0] ?? '')).waitFor()
}

export function findRow(page: Page, text: string): Locator {
  return page.getByRole('treegrid', { name: 'Assets' }).getByRole('row').filter({ hasText: text })
}

export async function assertAllVisible(page: Page): Promise<void> {
  await findRow(page, 'forecast').getByText(`${DAYS.length} objects`, { exact: true }).waitFor()
  await findRow(page, 'day_25').waitFor()
  assert.equal(await page.getByText('Removed from source', { exact: true }).count(), 0)
}

export async function assertAnnotated(page: Page): Promise<void> {
  const people = page.getByRole('region', { name: 'From people' })
  await people.getByText(ANNOTATION).waitFor()
  await people.getByText('In use').waitFor()
}

export async function openIntegration(at: Page): Promise<void> {
  await at.goto('/integrations')
  await at.getByRole('link', { name: NAME }).click()
  await at.getByRole('heading', { level: 1, name: NAME }).waitFor()
}
