/**
 * Tools of other projects that judge what Portbook writes: Python packages from `requirements.txt`, which
 * `test/peers/install` installs into the user's cache, and `protoc` from the Debian packages
 * protobuf-compiler and libprotobuf-dev.
 *
 * Without them their tests are skipped with a reason; with `CI=true` that is a failure.
 */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'

const PROTOC = '/usr/bin/protoc'

// The types that protoc's texts may import are a package of their own.
const WELL_KNOWN_TYPES = '/usr/include/google/protobuf/timestamp.proto'

/** A tool that a test needs. */
export type Peer = 'python' | 'protoc'

/** Defines tests that need peer tools, or one test that is skipped, or in CI fails, because they are missing. */
export function onPeers(peers: readonly Peer[], define: () => void): void {
  const missing = peers.flatMap((peer) => findMissing(peer) ?? [])
  if (missing.length === 0) {
    define()
    return
  }
  const reason = missing.join('; ')
  describe('peer tools', () => {
    test('are installed', { skip: process.env.CI === 'true' ? false : reason }, () => {
      throw new Error(reason)
    })
  })
}

/** Returns how to install a peer tool; undefined when it is installed. */
export function findMissing(peer: Peer): string | undefined {
  if (peer === 'protoc') {
    return existsSync(PROTOC) && existsSync(WELL_KNOWN_TYPES)
      ? undefined
      : 'protoc is missing: `apt-get install protobuf-compiler libprotobuf-dev`'
  }
  const isInstalled = existsSync(join(peerDirectory(), 'complete'))
  return isInstalled ? undefined : 'The Python peer tools are missing: run `test/peers/install`'
}

/**
 * Runs a script of this directory once over a whole batch: `input` is its standard input as JSON, its standard output
 * is the result as JSON. Throws an Error with the script's standard error when it fails.
 */
export async function runPeerScript(script: string, input: unknown): Promise<unknown> {
  const python = join(peerDirectory(), 'bin', 'python')
  const output = await runPeer(python, [join(import.meta.dirname, script)], JSON.stringify(input))
  return JSON.parse(output)
}

/** Runs protoc with these arguments. Throws an Error with its messages when it fails. */
export function runProtoc(args: readonly string[]): Promise<string> {
  return runPeer(PROTOC, args, '')
}

async function runPeer(program: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(program, args, { stdio: 'pipe' })
  // A script that fails before it has read everything explains why in its standard error.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const code = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  const [output, messages, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    code,
  ])
  if (status === 0) return output
  throw new Error(`${program} ${args.join(' ')} failed with status ${status}: ${messages}`)
}

function peerDirectory(): string {
  const requirements = readFileSync(join(import.meta.dirname, 'requirements.txt'))
  const hash = createHash('sha256').update(requirements).digest('hex').slice(0, 16)
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return join(cache, 'portbook', `peers-${hash}`)
}
