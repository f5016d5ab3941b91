/**
 * Pages for products in the process of the tests. Whether this clone has built its pages must not change the result of
 * a test.
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atEnd } from './at-end.ts'

// The first segments of the paths of pages; the empty one is the home page.
const SEGMENTS =
  '/assets/connectors/data-contracts/data-products/definitions/guides/search/sign-in/source-systems/tags/teams'

const FILES = {
  'index.html':
    '<!doctype html><html lang="en"><meta name="session" content="__SESSION__"><div id="root"></div></html>',
  'favicon.svg': '<svg/>',
  'segments.json': JSON.stringify(SEGMENTS.split('/')),
}

let directory: string | undefined

/** Returns a folder with a document for all pages, an icon, and the first segments of some pages. */
export function getPagesDirectory(): string {
  directory ??= createDirectory()
  return directory
}

function createDirectory(): string {
  const created = mkdtempSync(join(tmpdir(), 'portbook-pages-'))
  atEnd(() => rmSync(created, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(created, name), text)
  return created
}
