/**
 * Public clients of the API in tests: each is a peer (`npm run peers`) that runs against a served product.
 * Without the peer, the tests are skipped with a message; with `CI=true` they fail.
 */

import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { createApiKey } from '../../server/people/api-keys/service.ts'
import { createOrganization } from '../../server/people/organizations/service.ts'
import { atEnd } from '../at-end.ts'
import { findMissingPeer, getPeerDirectory, type PeerName } from '../peers/recipes.ts'
import { serveRaw } from '../raw-http.ts'
import type { Store } from '../../server/store.ts'
import { openTestStore } from '../stores.ts'
import { newProduct, newWorld, uniqueId, type Product, type World } from '../world.ts'

/** A served product. */
export interface Installation {
  /** The URL without a slash at its end. */
  readonly url: string
  readonly product: Product
  readonly store: Store
  /** Creates an organization with two teams and all callers. */
  newOrganization(): Promise<World>
  /** Creates an organization without teams; returns its key. */
  newEmptyOrganization(): Promise<string>
  close(): Promise<void>
}

/** The end of a command. */
export interface CommandResult {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The options of a command. */
export interface CommandOptions {
  /** The text of its standard input. */
  readonly input?: string
  /** More variables of the environment, which later commands of the same process keep. */
  readonly environment?: Readonly<Record<string, string>>
}

/** A process that runs many commands of one client, one after the other. */
export interface CommandProcess {
  run(args: readonly string[], options?: CommandOptions): Promise<CommandResult>
  /** Lists the names of all commands of the client. */
  listCommands(): Promise<string[]>
  close(): void
}

const RUN_COMMANDS = join(import.meta.dirname, 'run_commands.py')

/** Starts the product on an empty database. */
export async function startInstallation(): Promise<Installation> {
  const store = await openTestStore()
  const product = newProduct(store)
  const { url, close } = await serveRaw({ ...product, keys: NO_KEYS })
  return {
    url: url.replace(/\/$/, ''),
    product,
    store,
    newOrganization: async () => await newWorld(product),
    newEmptyOrganization: async () => await createEmptyOrganization(product),
    async close() {
      await close()
      await product.services.offload.close()
      await store.close()
    },
  }
}

async function createEmptyOrganization({ services }: Product): Promise<string> {
  const { db, clock } = services
  const id = await createOrganization(db, `Organization ${uniqueId()}`)
  const wish = {
    scope: 'organization' as const,
    team: undefined,
    userId: undefined,
    displayName: 'pipeline',
    expiresOn: undefined,
  }
  return (await createApiKey(db, clock, id, wish, 'system')).secret
}

// Clients send their own keys.
const NO_KEYS: World['keys'] = {
  none: undefined,
  Uo: undefined,
  Ue: undefined,
  Um: undefined,
  Ur: undefined,
  T: undefined,
  Tr: undefined,
  Tn: undefined,
  O: undefined,
  Or: undefined,
}

/** Defines tests with a client and a served product, or skips them with a message. */
export function onClient(peer: PeerName, define: (installation: () => Installation) => void): void {
  const missing = findMissingPeer(peer)
  if (missing !== undefined) {
    test(`the client ${peer}`, { skip: process.env.CI === 'true' ? false : missing }, () => {
      throw new Error(missing)
    })
    return
  }
  describe(`the client ${peer}`, () => {
    let installation: Installation | undefined
    before(async () => {
      installation = await startInstallation()
    })
    after(async () => await installation?.close())
    define(() => {
      if (installation === undefined) throw new Error('the product is served only while tests run')
      return installation
    })
  })
}

/** Returns an empty folder, which is removed at the end of the process. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'portbook-client-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A process that answers one line of JSON with another. */
export interface LineProcess {
  /** Sends a request after those before it, and returns its answer. */
  ask(request: object): Promise<unknown>
  close(): void
}

/** Speaks with a process that answers lines. Its standard error is the message if it ends. */
export function newLineProcess(child: ChildProcessWithoutNullStreams): LineProcess {
  const errors = text(child.stderr)
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]()
  const askNow = async (request: object): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { done, value } = await answers.next()
    if (done === true) throw new Error(`${child.spawnfile} ended: ${await errors}`)
    return JSON.parse(value)
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    async ask(request) {
      const answer = last.then(() => askNow(request))
      last = answer.catch(() => undefined)
      return await answer
    },
    close: () => child.stdin.end(),
  }
}

/**
 * Starts a process for the commands of one of a client's console scripts, in a folder that is also its home.
 */
export function startCommands(
  peer: PeerName,
  script: string,
  environment: Readonly<Record<string, string>>,
  folder = makeFolder(),
): CommandProcess {
  const child = spawnPeer(peer, 'python', [RUN_COMMANDS, script], environment, folder)
  const { ask, close } = newLineProcess(child)
  return {
    run: async (args, options = {}) =>
      (await ask({ arguments: args, ...options })) as CommandResult,
    listCommands: async () => (await ask({ list: true })) as string[],
    close,
  }
}

/** Runs a program of a peer's virtual environment once, in a folder that is also its home. */
export async function runProgram(
  peer: PeerName,
  program: string,
  args: readonly string[],
  options: CommandOptions & { readonly folder?: string } = {},
): Promise<CommandResult> {
  const child = spawnPeer(
    peer,
    program,
    args,
    options.environment ?? {},
    options.folder ?? makeFolder(),
  )
  return await readEnd(child, options.input)
}

/** Gives a program its whole input, and waits for its end. */
export async function readEnd(
  child: ChildProcessWithoutNullStreams,
  input = '',
): Promise<CommandResult> {
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const closed = once(child, 'close')
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = (await closed) as [number | null]
  return { exitCode, stdout, stderr }
}

/** Starts a program of a peer's virtual environment, in a folder that is also its home. */
export function spawnPeer(
  peer: PeerName,
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder = makeFolder(),
) {
  const bin = join(getPeerDirectory(peer), 'bin')
  return spawnClient(
    join(bin, program),
    args,
    { PATH: `${bin}:${process.env.PATH ?? ''}`, ...environment },
    folder,
  )
}

/** Starts a program in a folder that is also its home; it ends with the tests. */
export function spawnClient(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  folder = makeFolder(),
) {
  const child = spawn(program, args, {
    cwd: folder,
    // The machine's own settings must not affect a client.
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder,
      TMPDIR: tmpdir(),
      LANG: 'C.UTF-8',
      // Tables are not wrapped.
      COLUMNS: '250',
      NO_COLOR: '1',
      ...environment,
    },
    stdio: 'pipe',
  })
  living.add(child)
  child.once('exit', () => living.delete(child))
  return child
}

const living = new Set<ChildProcess>()

atEnd(() => {
  for (const child of living) child.kill('SIGKILL')
})
