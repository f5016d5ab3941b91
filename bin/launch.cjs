'use strict'

// Starts a program of Portbook under the right Node, for the package (portbook.cjs) and for the repository
// (scripts/run.mjs). It is old JavaScript, because any Node may run it.

const { spawn, spawnSync } = require('node:child_process')
const { constants } = require('node:os')

const FORWARDED_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP']
const PARENT_CHECK_MS = 500

/**
 * The settings of a process that runs for long, as environment variables.
 *
 * They make the C library return large blocks to the system as soon as they are freed, because documents can have
 * megabytes; by default it keeps them, more with every larger one. The youngest part of V8's heap stays small: by
 * default it grows with the load and is not returned.
 */
exports.MEMORY_SETTINGS = {
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  NODE_OPTIONS: '--max-semi-space-size=8',
}

/** Returns the version of a Node (`v26.10.0`); undefined if it does not run on this system. */
exports.readNodeVersion = function readNodeVersion(program) {
  const { status, stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Returns whether the current Node has at least the major version of a version such as `26.10.0`. */
exports.isNewEnough = function isNewEnough(version) {
  return Number(process.versions.node.split('.')[0]) >= Number(version.split('.')[0])
}

/**
 * Runs a program under a Node until it ends, forwards signals, and exits in the same way. `settings` are environment
 * variables that the environment of this process overrides.
 */
exports.handOver = function handOver(node, parameters, settings) {
  const child = spawn(node, parameters, {
    env: Object.assign({}, settings, process.env),
    // The channel carries no messages: its `disconnect` event notifies the program that this launcher is gone, even
    // after a kill.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => child.kill(signal))
  if (process.env.npm_command !== undefined) endWithParent(child)
  child.once('error', (error) => exports.fail(`cannot start ${node}: ${error.message}`))
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    for (const forwarded of FORWARDED_SIGNALS) process.removeAllListeners(forwarded)
    process.kill(process.pid, signal)
    // If the signal did not end this process, exit with the code that a shell would report.
    process.exit(128 + constants.signals[signal])
  })
}

/**
 * Stops the child when the parent of this process ends. A signal that ends npm reaches the shell between npm and this
 * process, but the shell does not pass it on: the child would continue without an operator.
 */
function endWithParent(child) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, PARENT_CHECK_MS)
  timer.unref()
}

/** Prints why Portbook cannot be started, and exits. */
exports.fail = function fail(message) {
  process.stderr.write(`portbook: ${message}\n`)
  process.exit(1)
}
