/**
 * Installs the peers of the tests (test/peers): `npm run peers`, or `npm run peers -- <name> …`. Prints one
 * line for each. A peer that cannot be installed does not affect the others.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  getInstallation,
  getPeerDirectory,
  isPeerInstalled,
  listMissingPrograms,
  PEER_RECIPES,
  type PeerName,
} from '../test/peers/recipes.ts'

import { describeVersion, listClientVersions } from '../test/peers/client-versions.ts'

const INSTALLER = join(import.meta.dirname, '../test/peers/install')
const INSTALL_MS_MAX = 30 * 60_000
const REASON_CHARACTERS_MAX = 300

// Each is the leader of a process group.
const running = new Set<number>()

process.exitCode = await main(process.argv.slice(2))

/** Installs the named peers, or all; returns the exit code. */
async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !PEER_RECIPES.has(name as PeerName))
  if (unknown.length > 0) {
    console.error(`Unknown peer ${unknown.join(', ')}. Use ${[...PEER_RECIPES.keys()].join(', ')}.`)
    return 1
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  const peers = [...PEER_RECIPES].filter(([name]) => names.length === 0 || names.includes(name))
  const built = peers.filter(([, { isBuilt }]) => isBuilt)
  const loaded = peers.filter(([, { isBuilt }]) => !isBuilt)
  // One lane builds, the other one mostly waits for the network.
  const results = await Promise.all([built, loaded].map(installInOrder))
  for (const client of await listClientVersions(names)) console.log(describeVersion(client))
  return results.flat().every((isInstalled) => isInstalled) ? 0 : 1
}

function stop(): void {
  for (const pid of running) process.kill(-pid, 'SIGTERM')
  process.exit(1)
}

async function installInOrder(
  peers: readonly (readonly [PeerName, unknown])[],
): Promise<boolean[]> {
  const results: boolean[] = []
  for (const [name] of peers) {
    const startedAt = performance.now()
    const wasInstalled = isPeerInstalled(name)
    const reason = wasInstalled ? undefined : await install(name)
    const took = `${((performance.now() - startedAt) / 1000).toFixed(0)} s`
    const result = reason === undefined ? `installed (${took})` : `failed: ${reason}`
    console.log(`${name} ${wasInstalled ? 'present' : result}`)
    results.push(reason === undefined)
  }
  return results
}

/** Installs a peer; returns the reason if that fails. */
async function install(name: PeerName): Promise<string | undefined> {
  const [program] = listMissingPrograms(name)
  if (program !== undefined) return `no ${program}`
  const directory = getPeerDirectory(name)
  const logFile = `${directory}.log`
  mkdirSync(dirname(directory), { recursive: true })
  const log = createWriteStream(logFile)
  await once(log, 'open')
  const { script, folder } = getInstallation(name)
  const child = spawn('bash', [INSTALLER, directory, script, folder], {
    // A separate process group, so that the timeout ends all its processes.
    detached: true,
    stdio: ['ignore', log, log],
  })
  const { pid } = child
  if (pid === undefined) return 'no bash'
  running.add(pid)
  const timer = setTimeout(() => process.kill(-pid, 'SIGKILL'), INSTALL_MS_MAX)
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(timer)
  running.delete(pid)
  log.end()
  if (code === 0) return undefined
  if (code === null)
    return `not installed within ${INSTALL_MS_MAX / 60_000} minutes, see ${logFile}`
  return `${findReason(readFileSync(logFile, 'utf8')) ?? code} (${logFile})`
}

/** Finds the line of an output that most likely names the cause. */
function findReason(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const line = lines.find((each) => /\berror\b/i.test(each)) ?? lines.at(-1)
  return line?.trim().slice(0, REASON_CHARACTERS_MAX)
}
