/** Parts of pages whose code is loaded when they are shown, or a little earlier. */

import { createElement, use } from 'react'
import type { FunctionComponent } from 'react'

/** Imports a module: `() => import('./a.tsx')`. */
export type Importer<Module> = () => Promise<Module>

type Load = <Module>(importer: Importer<Module>) => Promise<Module>

/** A module that components are taken from. */
export interface Chunk<Module> {
  load(): Promise<Module>
  /** Loads the module early; a failure is reported only when it is used. */
  prepare(): void
  /** Returns the module while a component is rendered; suspends it until the module is loaded. */
  use(): Module
}

// Increases with every retry: rendering a failed page again is not one.
let attempt = 0

/** Lets pages whose code failed to load try again when they are rendered next. */
export function retryChunks(): void {
  attempt += 1
}

/** Creates a chunk. `load` decides what happens while the server is away. */
export function newChunk<Module>(importer: Importer<Module>, load: Load = loadPart): Chunk<Module> {
  let loaded: Module | undefined
  let loading: { attempt: number; hasFailed: boolean; module: Promise<Module> } | undefined
  const take = (module: Module): Module => (loaded = module)
  const loadOnce = (): Promise<Module> => {
    if (loading !== undefined && !(loading.hasFailed && loading.attempt !== attempt)) {
      return loading.module
    }
    const started = { attempt, hasFailed: false, module: load(importer).then(take) }
    started.module.catch(() => (started.hasFailed = true))
    loading = started
    return started.module
  }
  return {
    load: loadOnce,
    prepare: () => void importer().then(take, () => undefined),
    // React waits a while before it replaces a placeholder: where the module is there, none is shown.
    use: () => loaded ?? use(loadOnce()),
  }
}

let loadModule: Load = async (importer) => await importer()

/** Sets how the modules of parts are loaded. */
export function setPartLoader(load: Load): void {
  loadModule = load
}

/** Loads a module of a page that is already shown. */
export async function loadPart<Module>(importer: Importer<Module>): Promise<Module> {
  return await loadModule(importer)
}

/**
 * Creates the component of a part of a page from a module that is loaded when the part is shown; `prepare`
 * loads it earlier. When the module cannot be loaded, rendering fails as that of a page does.
 */
export function lazyPart<Name extends string, Props extends object>(
  importer: Importer<Readonly<Record<Name, FunctionComponent<Props>>>>,
  name: Name,
): FunctionComponent<Props> & { prepare: () => void } {
  const chunk = newChunk(importer)
  return Object.assign(
    takePart(chunk, (module) => module[name]),
    { prepare: () => chunk.prepare() },
  )
}

/** Creates the component of a part of a page from a chunk that has several. */
export function takePart<Module, Props extends object>(
  chunk: Chunk<Module>,
  pick: (module: Module) => FunctionComponent<Props>,
): FunctionComponent<Props> {
  return (props) => createElement(pick(chunk.use()), props)
}

/** The events that show that a person begins to use the page. */
export const FIRST_INPUTS = ['pointermove', 'pointerdown', 'keydown', 'focusin'] as const

/**
 * Creates a chunk of what floats above a page. A page is displayed without it; it is loaded with the first input,
 * before a press can need it.
 */
export function newFloatingChunk<Module>(importer: Importer<Module>): Chunk<Module> {
  const chunk = newChunk(importer)
  const prepare = (): void => {
    for (const type of FIRST_INPUTS) globalThis.removeEventListener(type, prepare)
    chunk.prepare()
  }
  for (const type of FIRST_INPUTS) globalThis.addEventListener(type, prepare, { passive: true })
  return chunk
}
