/**
 * `npm run pictures`: takes the pictures of the README from the demo and replaces the files in `docs/images`.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { exit } from 'node:process'
import type { Page } from 'playwright-core'
import { launchBrowser, newVisitor, type Look } from '../test/browser/browser.ts'
import { openDemo, signInQuickly } from '../test/browser/catalog.ts'
import { listPlaces, waitUntilSettled } from '../test/browser/mesh.ts'
import { ensurePages } from './pages.ts'

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'docs/images')
const QUALITY = 90
const WIDTH = 1440
const HEIGHT = 900
const MARGIN = 80

interface Picture {
  file: string
  path: string
  theme: NonNullable<Look['theme']>
  /** The heading at the top of the picture; undefined = the top of the page. */
  heading?: string
}

const PICTURES: readonly Picture[] = [
  { file: 'home.webp', path: '/', theme: 'light' },
  { file: 'search.webp', path: '/search?query=customer+email', theme: 'light' },
  {
    file: 'data-product-lineage-dark.webp',
    path: '/data-products/wagon-journeys',
    theme: 'dark',
    heading: 'Lineage',
  },
  { file: 'held-deletes.webp', path: 'run with held deletes', theme: 'light' },
]

// Tests use later dates; pictures show the real ones.
const TRUE_DAYS = { PORTBOOK_DPS_UNTIL: '2026-12-31', PORTBOOK_DCS_UNTIL: '2026-12-31' }

await ensurePages()
const directory = await mkdtemp(join(tmpdir(), 'portbook-pictures-'))
const { catalog, close } = await openDemo({ ...TRUE_DAYS, PORTBOOK_DATA_DIR: directory })
const browser = await launchBrowser()
try {
  const places = new Map((await listPlaces(catalog)).map(({ name, path }) => [name, path]))
  for (const { file, path, theme, heading } of PICTURES) {
    const look = { theme, width: WIDTH, height: HEIGHT }
    const visitor = await newVisitor(browser, catalog.url, look)
    await signInQuickly(visitor, catalog.owner)
    await visitor.page.goto(places.get(path) ?? path)
    await waitUntilSettled(visitor.page)
    if (heading !== undefined) await scrollTo(visitor.page, heading)
    const picture = await takeWebp(visitor.page)
    await visitor.close()
    await writeFile(join(target, file), picture)
    console.log(relative(process.cwd(), join(target, file)))
  }
} finally {
  await browser.close()
  await close()
  await rm(directory, { recursive: true, force: true })
}
// Without this, the tests' helpers would print an empty test report.
exit(0)

// Heavy elements load when they are near the screen, and move the content below them.
async function scrollTo(page: Page, name: string): Promise<void> {
  const heading = page.getByRole('heading', { name }).first()
  await heading.scrollIntoViewIfNeeded()
  await waitUntilSettled(page)
  const box = await heading.boundingBox()
  await page.mouse.move(WIDTH / 2, HEIGHT / 2)
  await page.mouse.wheel(0, (box?.y ?? 0) - MARGIN)
  await waitUntilSettled(page)
}

// Playwright only writes PNG and JPEG; WebP files are half as large.
async function takeWebp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  })
  return Buffer.from(data, 'base64')
}
