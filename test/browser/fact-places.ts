/**
 * The facts that decide whether data can be used, with the places of the demo that show them: in words at the head of the
 * thing, in a short form wherever it is named.
 */

import type { Page } from 'playwright-core'
import { navigate } from './navigation.ts'

/** A place that shows a fact. */
interface FactPlace {
  fact: 'failed' | 'warned' | 'incident' | 'certified' | 'deprecated' | 'ends soon'
  place: string
  path: string
  /** The address of the thing that a row names; undefined = the head of the page. */
  row?: string
  text: RegExp
}

const JOURNEYS = '/data-products/wagon-journeys'
const CONTRACT = '/data-contracts/wagon-journeys-v2'
const CUSTOMERS = '/data-products/customer-master'
const MILEAGE = '/data-products/wagon-mileage'
const TELEMATICS = '/data-products/wagon-telematics'
const AGREEMENT = '/access/journeys-for-customer-logistics'

const SHORT: readonly Pick<FactPlace, 'fact' | 'row' | 'text'>[] = [
  { fact: 'failed', row: JOURNEYS, text: /^Tests: Failing\./ },
  { fact: 'incident', row: JOURNEYS, text: /Standing: Open incident\./ },
  { fact: 'certified', row: CUSTOMERS, text: /Standing: Certified\./ },
  { fact: 'deprecated', row: MILEAGE, text: /Standing: Deprecated\./ },
  { fact: 'warned', row: TELEMATICS, text: /^Tests: Warnings\./ },
]

/** The places that list data products, with those that they list in the demo. */
const LISTS: readonly [place: string, path: string, rows: readonly string[]][] = [
  ['search', '/search?query=wagon-journeys', [JOURNEYS]],
  ['search', '/search?query=wagon-mileage', [MILEAGE]],
  ['search', '/search?query=customer-master', [CUSTOMERS]],
  ['cards of a domain', '/domains/rail-operations', [JOURNEYS, MILEAGE, TELEMATICS]],
  ['lineage', '/data-products/corridor-margin', [JOURNEYS]],
  ['lineage page', `${JOURNEYS}/lineage`, [TELEMATICS]],
  ['Home', '/', [JOURNEYS]],
  ['list of the owning team', '/teams/fleet', [JOURNEYS, MILEAGE]],
  ['products of a contract', `${CONTRACT}?view=use`, [JOURNEYS]],
]

/** Every fact in every place. */
export const FACT_PLACES: readonly FactPlace[] = [
  { fact: 'failed', place: 'head', path: JOURNEYS, text: /^Tests\s*:\s*Failing/ },
  { fact: 'incident', place: 'head', path: JOURNEYS, text: /^Standing\s*:\s*Open incident/ },
  { fact: 'certified', place: 'head', path: CUSTOMERS, text: /^Standing\s*:\s*Certified/ },
  { fact: 'failed', place: 'head of the contract', path: CONTRACT, text: /^Tests\s*:\s*Failing/ },
  { fact: 'warned', place: 'head', path: TELEMATICS, text: /^Tests\s*:\s*Warnings/ },
  { fact: 'deprecated', place: 'head', path: MILEAGE, text: /^Standing\s*:\s*Deprecated/ },
  ...LISTS.flatMap(([place, path, rows]) =>
    SHORT.filter(({ row = '' }) => rows.includes(row)).map((short) => ({ ...short, place, path })),
  ),
  {
    fact: 'ends soon',
    place: 'agreements of a product',
    path: `${JOURNEYS}?view=access`,
    row: AGREEMENT,
    text: /^Ends in \d+ days$/,
  },
]

/** Waits until a place shows its fact; opens its page unless it is open. */
export async function seeFact(page: Page, { path, row, text }: FactPlace): Promise<void> {
  const { pathname, search } = new URL(page.url())
  if (`${pathname}${search}` !== path) await navigate(page, path)
  const main = page.locator('main')
  if (row === undefined) {
    const signals = main.getByRole('list', { name: 'Trust' }).first()
    await signals.getByRole('listitem').filter({ hasText: text }).waitFor()
    return
  }
  const rows = main.locator('li, article, tr').filter({ has: page.locator(`a[href="${row}"]`) })
  await rows.getByRole('img', { name: text }).or(rows.getByText(text)).first().waitFor()
}
