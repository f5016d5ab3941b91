/**
 * Loads parts of the pages' code. A part fails to load while the server is away, and after an upgrade,
 * when the server no longer has the files of the version that this page began with.
 */

import { createElement, use } from 'react'
import type { FunctionComponent, ReactNode } from 'react'
import { connection } from '../api/connection.ts'
import { Problem, unreachable } from '../api/problem.ts'
import type { PageComponent } from './page-record.ts'
import { reloadOnce } from './reload-once.ts'

const STAYS_AFTER_MS = 5000

type Importer<Module> = () => Promise<Module>

// Increases with every retry: rendering a failed page again is not one.
let attempt = 0

/** Lets pages whose code failed to load try again when they are rendered next. */
export function retryChunks(): void {
  attempt += 1
}

/**
 * Creates the component of a route from a component that is loaded when it is needed. When it cannot be
 * loaded, rendering throws a Problem until `retryChunks` allows the next attempt.
 */
export function lazyPage(
  load: Importer<PageComponent>,
): PageComponent & { preload: () => Promise<void> } {
  const chunk = newChunk(() => loadChunk(load))
  const lazy = (): ReactNode => createElement(chunk.use())
  return Object.assign(lazy, {
    // The page itself reports a failure, when it is rendered.
    preload: async () => void (await chunk.load().catch(() => undefined)),
  })
}

/** A module that components are taken from. */
interface Chunk<Module> {
  load(): Promise<Module>
  /** Takes a module that was loaded elsewhere. */
  take(module: Module): Module
  /** Returns the module while a component is rendered; suspends it until the module is loaded. */
  use(): Module
}

function newChunk<Module>(load: Importer<Module>): Chunk<Module> {
  let loaded: Module | undefined
  let loading: { attempt: number; hasFailed: boolean; module: Promise<Module> } | undefined
  const take = (module: Module): Module => (loaded = module)
  const loadOnce = (): Promise<Module> => {
    if (loading !== undefined && !(loading.hasFailed && loading.attempt !== attempt)) {
      return loading.module
    }
    const started = { attempt, hasFailed: false, module: load().then(take) }
    started.module.catch(() => (started.hasFailed = true))
    loading = started
    return started.module
  }
  return {
    load: loadOnce,
    take,
    // React waits a while before it replaces a placeholder: where the module is there, none is shown.
    use: () => loaded ?? use(loadOnce()),
  }
}

/** Loads a module of a page that is already shown; while the server is away it waits. */
export async function loadPart<Module>(importer: Importer<Module>): Promise<Module> {
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

/**
 * Creates the component of a part of a page from a module that is loaded when the part is shown; `prepare`
 * loads it earlier. When the module cannot be loaded, rendering fails as that of a page does.
 */
export function lazyPart<Name extends string, Props extends object>(
  importer: Importer<Readonly<Record<Name, FunctionComponent<Props>>>>,
  name: Name,
): FunctionComponent<Props> & { prepare: () => void } {
  const chunk = newChunk(() => loadPart(importer))
  const lazy = (props: Props): ReactNode => createElement(chunk.use()[name], props)
  return Object.assign(lazy, {
    // The part itself reports a failure when it is shown, and only then may the page be reloaded.
    prepare: () => void importer().then(chunk.take, () => undefined),
  })
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
