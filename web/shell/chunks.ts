/**
 * Loads parts of the pages' code. A part fails to load while the server is away, and after an upgrade,
 * when the server no longer has the files of the version that this page began with.
 */

import { createElement } from 'react'
import type { ReactNode } from 'react'
import { connection } from '../api/connection.ts'
import { Problem, unreachable } from '../api/problem.ts'
import { newChunk, setPartLoader, type Importer } from '../parts/lazy-part.ts'
import type { PageComponent } from './page-record.ts'
import { reloadOnce } from './reload-once.ts'

const STAYS_AFTER_MS = 5000

/**
 * Creates the component of a route from a component that is loaded when it is needed. When it cannot be
 * loaded, rendering throws a Problem until `retryChunks` allows the next attempt.
 */
export function lazyPage(
  load: Importer<PageComponent>,
): PageComponent & { preload: () => Promise<void> } {
  const chunk = newChunk(load, loadChunk)
  const lazy = (): ReactNode => createElement(chunk.use())
  return Object.assign(lazy, {
    // The page itself reports a failure, when it is rendered.
    preload: async () => void (await chunk.load().catch(() => undefined)),
  })
}

setPartLoader(loadWhenBack)

// While the server is away it waits.
async function loadWhenBack<Module>(importer: Importer<Module>): Promise<Module> {
  for (;;) {
    try {
      // oxlint-disable-next-line no-await-in-loop
      return await loadChunk(importer)
    } catch (error) {
      if (!(error instanceof Problem && error.status === 0 && connection.isLost())) throw error
      // oxlint-disable-next-line no-await-in-loop
      await connection.untilBack()
    }
  }
}

async function loadChunk<Module>(importer: Importer<Module>): Promise<Module> {
  try {
    return await importer()
  } catch {
    // Leaving a page aborts what it loads, and a reload would abort the way to the next page.
    if (isLeaving) return await neverReturn()
    return await reloadChunk(importer)
  }
}

let isLeaving = false
globalThis.addEventListener('beforeunload', () => {
  isLeaving = true
  // The user can decide to stay.
  setTimeout(() => (isLeaving = false), STAYS_AFTER_MS)
})

async function reloadChunk<Module>(importer: Importer<Module>): Promise<Module> {
  if (!(await connection.check())) throw unreachable()
  const served = await findServedVersion()
  if (served !== undefined && served !== findOwnVersion()) {
    if (reloadOnce(served)) return await neverReturn()
    throw new Problem(0, 'Portbook was updated', 'Reload the page to use the new version.')
  }
  try {
    return await importer()
  } catch (error) {
    // A browser may remember that a module failed, until the page is loaded again.
    if (reloadOnce(`${served ?? ''} ${globalThis.location.pathname}`)) return await neverReturn()
    throw error
  }
}

// The page is about to be replaced.
async function neverReturn(): Promise<never> {
  return await new Promise<never>(() => undefined)
}

const ENTRY = /<script type="module"[^>]* src="([^"]+)"/

// The name of the first script changes with every change of the pages.
function findOwnVersion(): string | null | undefined {
  return document.querySelector('script[type=module]')?.getAttribute('src')
}

async function findServedVersion(): Promise<string | undefined> {
  try {
    return ENTRY.exec(await (await fetch('/', { cache: 'no-store' })).text())?.[1]
  } catch {
    return undefined
  }
}
