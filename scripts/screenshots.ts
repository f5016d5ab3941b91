/**
 * `npm run screenshots [-- <name> …]`: takes a picture of every page of the demo, light and dark, 1440, 768 and 390
 * pixels wide, and writes it to the folder `screenshots`, which git ignores.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { exit } from 'node:process'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, newVisitor, type Look, type Visitor } from '../test/browser/browser.ts'
import { openDemo, signInQuickly, type Catalog } from '../test/browser/catalog.ts'
import { listPlaces, waitUntilSettled } from '../test/browser/mesh.ts'
import { requestJson } from '../test/browser/people.ts'
import { startProduct } from '../test/process.ts'
import { ensurePages } from './pages.ts'
import { listPlacesInside, listPlacesOutside, type PicturedPlace } from './screenshots-places.ts'

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'screenshots')
const looks: readonly (Look & { name: string })[] = [
  { name: 'light', theme: 'light' },
  { name: 'dark', theme: 'dark' },
  { name: 'light-768', theme: 'light', width: 768, height: 1024 },
  { name: 'dark-768', theme: 'dark', width: 768, height: 1024 },
  { name: 'light-390', theme: 'light', width: 390, height: 844 },
  { name: 'dark-390', theme: 'dark', width: 390, height: 844 },
]
// Tests use later dates; pictures show the real ones.
const TRUE_DAYS = { PORTBOOK_DPS_UNTIL: '2026-12-31', PORTBOOK_DCS_UNTIL: '2026-12-31' }

const wanted = process.argv.slice(2).map(toFileName)
await ensurePages()
await mkdir(target, { recursive: true })
const count = await takeAll()
const folder = relative(process.cwd(), target)
console.log(`${count} ${count === 1 ? 'picture' : 'pictures'} written to ${folder}/`)
// Without this, the tests' helpers would print an empty test report.
exit(wanted.length > 0 && count === 0 ? 1 : 0)

async function takeAll(): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'portbook-screenshots-'))
  const { catalog, close } = await openDemo({ ...TRUE_DAYS, PORTBOOK_DATA_DIR: directory })
  const browser = await launchBrowser()
  try {
    const inside = listPlacesInside(await listPlaces(catalog)).filter(isWanted)
    const taken = []
    for (const look of looks) {
      taken.push(await takeInside(browser, catalog, inside, look))
      taken.push(await takeOutside(browser, catalog, look))
      taken.push(await takeSetUp(browser, look))
    }
    return taken.reduce((sum, one) => sum + one, 0)
  } finally {
    await browser.close()
    await close()
    await rm(directory, { recursive: true, force: true })
  }
}

type NamedLook = (typeof looks)[number]

async function takeInside(
  browser: Browser,
  catalog: Catalog,
  places: readonly PicturedPlace[],
  look: NamedLook,
): Promise<number> {
  const visitor = await newVisitor(browser, catalog.url, look)
  await signInQuickly(visitor, catalog.owner)
  for (const place of places) await takePicture(visitor, place, look)
  await visitor.close()
  return places.length
}

async function takeOutside(browser: Browser, catalog: Catalog, look: NamedLook): Promise<number> {
  const owner = await newVisitor(browser, catalog.url)
  await signInQuickly(owner, catalog.owner)
  const asked = { email: `${look.name}@velmora.example`, role: 'Member' }
  const { link } = await requestJson<{ link: string }>(owner, 'POST', '/ui/invitations', asked)
  await owner.close()
  const places = listPlacesOutside(link).filter(isWanted)
  const visitor = await newVisitor(browser, catalog.url, look)
  for (const place of places) await takePicture(visitor, place, look)
  await visitor.close()
  return places.length
}

// The setup link exists only until the first setup, so each look needs its own catalog.
async function takeSetUp(browser: Browser, look: NamedLook): Promise<number> {
  if (!isWanted({ name: 'set up' })) return 0
  const directory = await mkdtemp(join(tmpdir(), 'portbook-screenshots-'))
  const product = await startProduct({ PORTBOOK_DATA_DIR: directory })
  try {
    const line = await product.logged((one) => 'setupLink' in one)
    const link = String(line['setupLink'])
    const visitor = await newVisitor(browser, product.url, look)
    await takePicture(visitor, { name: 'set up', path: link }, look)
    await visitor.close()
    return 1
  } finally {
    await product.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function takePicture(
  visitor: Visitor,
  { name, path, isTask = false, prepare }: PicturedPlace,
  look: NamedLook,
): Promise<void> {
  const { page, problems } = visitor
  problems.length = 0
  await page.goto(path)
  await waitUntilSettled(page)
  if (!isTask) await wakeAll(page)
  await prepare?.(visitor)
  const file = join(target, `${toFileName(name)}-${look.name}.png`)
  await page.screenshot({ path: file, fullPage: !isTask })
  console.log(relative(process.cwd(), file))
  for (const problem of problems) console.log(`  ${problem}`)
}

// Heavy elements load when they are near the screen; a picture of the whole page must show all of them.
async function wakeAll(page: Page): Promise<void> {
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await waitUntilSettled(page)
  await page.evaluate('scrollTo(0, 0)')
}

function isWanted({ name }: { name: string }): boolean {
  return wanted.length === 0 || wanted.includes(toFileName(name))
}

function toFileName(name: string): string {
  return name.replaceAll(' ', '-').toLowerCase()
}
