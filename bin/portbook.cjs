#!/usr/bin/env node
'use strict'

// The command `portbook` of the package. It is old JavaScript: it runs under the Node that npm was installed with, and
// starts the server under the Node that came with the package.

const { existsSync, mkdirSync, realpathSync } = require('node:fs')
const { homedir } = require('node:os')
const { delimiter, dirname, join } = require('node:path')
const launch = require('./launch.cjs')

const root = dirname(__dirname)
const nodePackages = require('../package.json').nodePackages

start()

function start() {
  const settings = Object.assign({}, launch.MEMORY_SETTINGS, {
    PORTBOOK_COMMAND_NAME: nameCommand(),
  })
  // Node compiles the program once; the next start and its child processes read the result.
  const cache = makeCache()
  if (cache !== undefined) settings.NODE_COMPILE_CACHE = cache
  const entry = join(root, 'server', 'main.mjs')
  launch.handOver(findNode(), [entry].concat(process.argv.slice(2)), settings)
}

/** Finds the Node that came with the package, or otherwise the current one if it is new enough. */
function findNode() {
  const platform = `${process.platform}-${process.arch}`
  const { version, packages } = nodePackages
  const bundled = findBundledNode(packages[platform])
  if (bundled !== undefined && launch.readNodeVersion(bundled) !== undefined) return bundled
  if (launch.isNewEnough(version)) return process.execPath
  const major = version.split('.')[0]
  const reason =
    bundled === undefined
      ? packages[platform] === undefined
        ? `the package has no Node for ${platform}`
        : 'npm left out the optional package with its own Node'
      : `its own Node ${version} does not run on this system`
  return launch.fail(
    `Node ${major} or newer is needed, and this is Node ${process.versions.node}: ${reason}. Install Node ${major} and start Portbook with it.`,
  )
}

function findBundledNode(name) {
  if (name === undefined) return undefined
  try {
    const folder = dirname(require.resolve(`${name}/package.json`))
    return join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  } catch {
    return undefined
  }
}

/** Returns the command with which the user started this, for messages that name another command. */
function nameCommand() {
  // npm sets this variable for `npx` and `npm exec`.
  if (process.env.npm_command === 'exec') return 'npx portbook'
  return isInPath() ? 'portbook' : 'npx portbook'
}

/** Returns whether PATH leads to this file, as after a global installation. */
function isInPath() {
  return (process.env.PATH || '').split(delimiter).some((folder) => {
    if (folder === '') return false
    if (process.platform === 'win32') return existsSync(join(folder, 'portbook.cmd'))
    try {
      return realpathSync(join(folder, 'portbook')) === __filename
    } catch {
      return false
    }
  })
}

/** Returns the folder for compiled code, which only this user can write; undefined = there is none. */
function makeCache() {
  const isRoot = process.getuid !== undefined && process.getuid() === 0
  try {
    const base = isRoot ? '/var/cache' : process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
    // Only the folder itself is private: PostgreSQL's user must reach the programs next to it.
    const shared = join(base, 'portbook')
    mkdirSync(shared, { recursive: true, mode: 0o755 })
    const folder = join(shared, 'compiled')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return folder
  } catch {
    return undefined
  }
}
