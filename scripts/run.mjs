// Starts a TypeScript entry of this repository under the pinned Node:
//
//   node scripts/run.mjs <entry.ts> [arguments]
//
// It works right after a clone, under any Node since 20.19: it installs the dependencies (including the
// pinned Node) if they are missing or differ from the lockfile, and then starts the entry. Before
// serving, it builds the web pages if they are missing or older than their sources.
// Only the entry writes to standard output; this script writes to standard error.

import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import launch from '../bin/launch.cjs'

const { fail, handOver, isNewEnough, MEMORY_SETTINGS, readNodeVersion } = launch

const root = fileURLToPath(new URL('..', import.meta.url))
const modules = join(root, 'node_modules')
const cache = join(root, '.cache')
const lock = join(cache, 'install.lock')
const approvedScripts = join(modules, '.approved-install-scripts.json')
const pinnedNode = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const lockWaitMaxMs = 10 * 60 * 1000
// Other programs end soon: they would only collect garbage more often.
const withMemorySettings = ['server/main.ts', 'bench/bench.ts']

const manifest = readJson(join(root, 'package.json'))
if (process.argv[2] === undefined) fail('usage: node scripts/run.mjs <entry.ts> [arguments]')
const entry = resolve(root, process.argv[2])

await installDependencies()
const node = findNode()
buildPages(node)
handOver(node, [entry, ...process.argv.slice(3)], chooseSettings())

// --- Dependencies ---

/** Installs the dependencies of the lockfile; if several launchers start at once, one of them installs. */
async function installDependencies() {
  if (!existsSync(lock) && isInstalled()) return
  const release = await takeLock()
  try {
    // Another launcher may have done the work while this one waited for the lock.
    if (!isInstalled()) {
      console.error('installing dependencies')
      await runNpm(findNpm(), ['ci', '--include=dev'])
      if (!isNewEnough(pinnedVersion())) await installForPinnedNode()
    }
    writeFileSync(approvedScripts, JSON.stringify(manifest.allowScripts ?? {}))
  } finally {
    release()
  }
}

/**
 * Returns whether node_modules matches the lockfile.
 *
 * npm writes its own record of the installed packages as its last step, so an interrupted install has none,
 * and a manual one (`npm install <package>`) is recognized. The record does not contain the install scripts
 * that were approved at the time, so a separate file does.
 */
function isInstalled() {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages
  if (installed === undefined) return false
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {}
  // The product itself, not its checks and tests, runs in an image built with --omit=dev.
  const mayOmitDev =
    isNewEnough(pinnedVersion()) && installed['node_modules/node'] === undefined && isProduct()
  for (const [path, { version, integrity, dev, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '') continue
    const found = installed[path]
    if (found === undefined) {
      // npm omits optional packages for other platforms.
      if (optional || devOptional || (dev && mayOmitDev)) continue
      return false
    }
    if (found.version !== version || found.integrity !== integrity) return false
  }
  const approved = readJson(approvedScripts)
  return (
    approved === undefined ||
    JSON.stringify(approved) === JSON.stringify(manifest.allowScripts ?? {})
  )
}

/**
 * Installs the optional packages that run under the pinned Node, but not under the current one: npm omits
 * them for the Node that it runs under.
 */
async function installForPinnedNode() {
  const { command, leadingArguments } = findNpm()
  const nodeFolder = dirname(pinnedNode)
  const npm =
    leadingArguments.length > 0
      ? { command: pinnedNode, leadingArguments }
      : { command, leadingArguments, nodeFolder }
  if (existsSync(pinnedNode)) await runNpm(npm, ['install', '--no-save', '--include=dev'])
}

/** Runs npm in the repository; prints its output only if it fails. */
async function runNpm({ command, leadingArguments, nodeFolder }, parameters) {
  const npm = spawn(command, [...leadingArguments, ...parameters], {
    cwd: root,
    env: environmentWithoutModules(nodeFolder),
    shell: process.platform === 'win32' && leadingArguments.length === 0,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = []
  npm.stdout.on('data', (chunk) => output.push(chunk))
  npm.stderr.on('data', (chunk) => output.push(chunk))
  // The installer may outlive a killed launcher, so the lock is held until both have ended.
  if (npm.pid !== undefined) writeFileSync(join(lock, 'installer'), String(npm.pid))
  const { code, signal, error } = await ended(npm, 'close')
  if (signal !== null) fail(`${signal} interrupted the installation of the dependencies`)
  if (code === 0) return
  process.stderr.write(Buffer.concat(output))
  fail(
    `cannot install the dependencies: ${error ?? `npm ${parameters[0]} exited with code ${code}`}`,
  )
}

/** Finds the npm (and the Node) that started this script, or otherwise the npm in PATH. */
function findNpm() {
  const { npm_execpath: npmCli, npm_node_execpath: npmNode } = process.env
  const startedByNpm = npmCli?.endsWith('npm-cli.js') && npmNode && existsSync(npmNode)
  return startedByNpm
    ? { command: npmNode, leadingArguments: [npmCli] }
    : { command: 'npm', leadingArguments: [] }
}

/**
 * Removes node_modules from PATH: npm must not run with the Node that it is about to remove. `nodeFolder`
 * is added in front of the rest.
 */
function environmentWithoutModules(nodeFolder) {
  const path = (process.env.PATH ?? '').split(delimiter)
  const outside = path.filter((folder) => !resolve(folder).startsWith(resolve(modules)))
  const folders = nodeFolder === undefined ? outside : [nodeFolder, ...outside]
  return { ...process.env, PATH: folders.join(delimiter) }
}

// --- Pages ---

/** Builds the pages before a server starts, if the build tools are installed. */
function buildPages(node) {
  const command = process.argv[3] ?? 'serve'
  const isServing = isProduct() && (command === 'serve' || command.startsWith('-'))
  if (!isServing || !existsSync(join(modules, 'vite'))) return
  const { status } = spawnSync(node, [join(root, 'scripts/pages.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) fail('cannot build the web pages')
}

// --- Lock ---

/**
 * Acquires the install lock and returns the function that releases it.
 *
 * The lock is a directory with the process ids of its owners. It is created by one rename, already
 * filled, and is free if none of its owners is alive.
 */
async function takeLock() {
  mkdirSync(cache, { recursive: true })
  const mine = mkdtempSync(join(cache, 'install-'))
  writeFileSync(join(mine, 'launcher'), String(process.pid))
  const deadline = Date.now() + lockWaitMaxMs
  while (!tryRename(mine, lock)) {
    breakDeadLock()
    if (Date.now() > deadline) {
      rmSync(mine, { recursive: true, force: true })
      fail(
        `timed out waiting for another process to install dependencies; if none does, remove ${lock}`,
      )
    }
    await sleep(200)
  }
  process.once('exit', removeLock)
  return () => {
    process.off('exit', removeLock)
    removeLock()
  }
}

/**
 * Removes the lock if its owners are dead. Only one process can create the breaker file, so a second one
 * cannot remove a lock that a third has acquired in between.
 */
function breakDeadLock() {
  if (isHeld()) return
  const breaker = join(lock, 'breaker')
  try {
    writeFileSync(breaker, String(process.pid), { flag: 'wx' })
  } catch (error) {
    // Another process is removing the lock (unless it died too), or it is already gone.
    if (error.code === 'EEXIST' && !isAlive(readPid('breaker'))) rmSync(breaker, { force: true })
    return
  }
  if (isHeld()) rmSync(breaker, { force: true })
  else removeLock()
}

/** Removes the lock atomically; otherwise another process could acquire the half-removed directory. */
function removeLock() {
  const removed = `${lock}.${process.pid}`
  if (tryRename(lock, removed)) rmSync(removed, { recursive: true, force: true })
}

function isHeld() {
  return isAlive(readPid('launcher')) || isAlive(readPid('installer'))
}

function readPid(owner) {
  try {
    return Number(readFileSync(join(lock, owner), 'utf8'))
  } catch {
    return 0
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function tryRename(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (['ENOTEMPTY', 'EEXIST', 'EPERM', 'ENOENT'].includes(error.code)) return false
    throw error
  }
}

// --- Node ---

/** Finds the Node for the entry: the pinned one, or the current one if dev dependencies are absent. */
function findNode() {
  const exists = existsSync(pinnedNode)
  if (exists && readNodeVersion(pinnedNode) === `v${pinnedVersion()}`) return pinnedNode
  if (isNewEnough(pinnedVersion())) return process.execPath
  return fail(
    exists
      ? `the pinned Node ${pinnedVersion()} does not run on this system: remove node_modules and start again`
      : `the pinned Node ${pinnedVersion()} is missing because npm skipped install scripts: ` +
          'run `npm rebuild --ignore-scripts=false` (`npm install-scripts ls` shows what npm holds back)',
  )
}

function pinnedVersion() {
  return manifest.devDependencies.node
}

function isProduct() {
  return entry.startsWith(join(root, 'server'))
}

/** Chooses the environment variables of the entry. */
function chooseSettings() {
  const isLasting = withMemorySettings.some((path) => entry === join(root, path))
  return {
    ...(isLasting ? MEMORY_SETTINGS : {}),
    // The compile cache speeds up the next start of the entry and of its child processes.
    NODE_COMPILE_CACHE: join(cache, 'compiled'),
    ...(isProduct() ? { PORTBOOK_COMMAND_NAME: 'npm run --silent portbook --' } : {}),
  }
}

/** Waits for the end of a child; returns its code, its signal, or the error that prevented its start. */
function ended(child, event) {
  return new Promise((settle) => {
    child.once('error', (error) => settle({ code: null, signal: null, error: error.message }))
    child.once(event, (code, signal) => settle({ code, signal }))
  })
}

/** Reads a JSON file; returns undefined if it is missing or unreadable. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
