/**
 * `npm run screenshots [-- <name> …]`: a picture of every page of the demo mesh with a real source,
 * light and dark, 1440 and 390 pixels wide, into the folder `screenshots`, which git ignores.
 */

import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchBrowser, newVisitor, type Look } from '../test/browser/browser.ts'
import { openDemo, signInQuickly, type Catalog } from '../test/browser/catalog.ts'
import { growMesh, settled, type PlaceInMesh } from '../test/browser/mesh.ts'
import { startPostgres } from '../test/postgres.ts'
import { ensurePages } from './pages.ts'

const target = resolve(import.meta.dirname, '../screenshots')
const looks: readonly (Look & { name: string })[] = [
  { name: 'light', theme: 'light' },
  { name: 'dark', theme: 'dark' },
  { name: 'light-390', theme: 'light', width: 390, height: 844 },
  { name: 'dark-390', theme: 'dark', width: 390, height: 844 },
]

const wanted = process.argv.slice(2)
await ensurePages()
await mkdir(target, { recursive: true })
const directory = await mkdtemp(join(tmpdir(), 'portbook-screenshots-'))
const postgres = await startPostgres()
const { catalog, close } = await openDemo({ PORTBOOK_DATA_DIR: directory })
const browser = await launchBrowser()
try {
  const places = await growMesh(catalog, postgres.url)
  const chosen = places.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  for (const look of looks) await takePictures(browser, catalog, chosen, look)
} finally {
  await browser.close()
  await close()
  await postgres.stop()
  await rm(directory, { recursive: true, force: true })
}

async function takePictures(
  browser: Browser,
  catalog: Catalog,
  places: readonly PlaceInMesh[],
  look: Look & { name: string },
): Promise<void> {
  const visitor = await newVisitor(browser, catalog.url, look)
  await signInQuickly(visitor, catalog.owner)
  for (const { name, path } of places) {
    const { page, problems } = visitor
    problems.length = 0
    await page.goto(path)
    await settled(page)
    const file = join(target, `${name.replaceAll(' ', '-').toLowerCase()}-${look.name}.png`)
    await page.screenshot({ path: file, fullPage: true })
    console.log(file)
    for (const problem of problems) console.log(`  ${problem}`)
  }
  await visitor.close()
}
