/**
 * Tools of other projects that validate Portbook's output: the Python packages of `validators`, and
 * `protoc` from the Debian packages protobuf-compiler and libprotobuf-dev. Without them their tests are
 * skipped with a reason; with `CI=true` they fail.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { findMissingPeer, getPeerDirectory } from './recipes.ts'

const PROTOC = '/usr/bin/protoc'

// The types that protoc's input may import are in another Debian package.
const WELL_KNOWN_TYPES = '/usr/include/google/protobuf/timestamp.proto'

/** A tool that a test needs. */
export type Peer = 'python' | 'protoc'

/**
 * Defines tests that need peer tools; without them, defines one test that is skipped, or fails in CI.
 */
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

/** Returns how to install a peer tool, or undefined if it is installed. */
export function findMissing(peer: Peer): string | undefined {
  if (peer === 'protoc') {
    return existsSync(PROTOC) && existsSync(WELL_KNOWN_TYPES)
      ? undefined
      : 'protoc is missing: `apt-get install protobuf-compiler libprotobuf-dev`'
  }
  return findMissingPeer('validators')
}

/**
 * Runs a script of this directory once over a whole batch, with `input` as JSON on its standard input,
 * and returns its standard output, parsed as JSON. Throws an error with the script's standard error if
 * it fails.
 */
export async function runPeerScript(script: string, input: unknown): Promise<unknown> {
  const python = join(getPeerDirectory('validators'), 'bin', 'python')
  const output = await runPeer(python, [join(import.meta.dirname, script)], JSON.stringify(input))
  return JSON.parse(output)
}

/** Runs protoc with these arguments. Throws an error with its messages if it fails. */
export function runProtoc(args: readonly string[]): Promise<string> {
  return runPeer(PROTOC, args, '')
}

async function runPeer(program: string, args: readonly string[], input: string): Promise<string> {
  const child = spawn(program, args, { stdio: 'pipe' })
  // A script that fails before it has read all input explains why on its standard error.
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
