/**
 * Tools of other projects that validate Portbook's output: the Python packages of `validators`, the peers of
 * `deploy/`, and `protoc` from the Debian packages protobuf-compiler and libprotobuf-dev. Without them their tests are
 * skipped with a reason; with `CI=true` they fail.
 */

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { findMissingPeer, getPeerDirectory } from './recipes.ts'

const PROTOC = '/usr/bin/protoc'

// The types that protoc's input may import are in another Debian package.
const WELL_KNOWN_TYPES = '/usr/include/google/protobuf/timestamp.proto'

/** A tool that a test needs. */
export type Peer = 'python' | 'protoc' | 'buf' | 'deployment' | 'image-base'

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
  return findMissingPeer(peer === 'python' ? 'validators' : peer)
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

/** A rule that Buf reports as broken in a file. */
interface BrokenRule {
  path: string
  type: string
}

/**
 * Compares the directories `before` and `after` of .proto files with the rules of Buf for the wire and for JSON. Throws
 * an error with its messages if it cannot compile them.
 */
export async function runBuf(directory: string): Promise<BrokenRule[]> {
  const config = { version: 'v2', breaking: { use: ['WIRE_JSON'] } }
  const buf = join(getPeerDirectory('buf'), 'node_modules', '.bin', 'buf')
  const [before, after] = [join(directory, 'before'), join(directory, 'after')]
  const args = ['breaking', after, '--against', before, '--error-format', 'json']
  const configs = ['--config', JSON.stringify(config), '--against-config', '{"version":"v2"}']
  const { status, output, messages } = await runProgram(buf, [...args, ...configs], '')
  // The status of a comparison with findings.
  if (status !== 0 && status !== 100) throw new Error(`buf failed: ${messages}`)
  const lines = output.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const rule = JSON.parse(line) as BrokenRule
    return { ...rule, path: relative(after, rule.path) }
  })
}

/** Runs a program with this input; returns its output. Throws an error with its messages if it fails. */
export async function runPeer(
  program: string,
  args: readonly string[],
  input: string,
): Promise<string> {
  const { status, output, messages } = await runProgram(program, args, input)
  if (status === 0) return output
  throw new Error(`${program} ${args.join(' ')} failed with status ${status}: ${messages}`)
}

async function runProgram(
  program: string,
  args: readonly string[],
  input: string,
): Promise<{ status: number | null; output: string; messages: string }> {
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
  return { status, output, messages }
}
