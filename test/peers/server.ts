/**
 * Servers of other projects to which connectors connect in tests: each on its own port and in its own
 * directory, started once per test process, and never outliving it. Without the peer (`npm run peers`), the
 * tests are skipped with a message; with `CI=true` they fail.
 */

import { once } from 'node:events'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { atEnd } from '../at-end.ts'
import { startServer } from '../database-server.ts'
import { findMissingPeer, getPeerDirectory, type PeerName } from './recipes.ts'

/** The start of a peer's server. */
export type PeerServer = {
  readonly peer: PeerName
  /** A program of the system, or a path in the directory of the peer. */
  readonly executable: string
  /** Another server that this one uses, started before it. */
  readonly needs?: PeerServer
  /**
   * Returns the arguments. `directory` is that of the server, `installed` that of the peer, and `neededUrl`
   * the address of the needed server.
   */
  getArguments(port: number, directory: string, installed: string, neededUrl: string): string[]
  getEnvironment?(port: number, directory: string): Readonly<Record<string, string>>
  /** Writes files that the server reads. */
  prepare?(directory: string): Promise<void>
  /** The path that answers 200 when the server is ready; undefined if it accepts connections then. */
  readonly readyPath: string | undefined
}

/** A running server of a peer. */
export type RunningPeer = {
  readonly port: number
  /** `http://127.0.0.1:<port>`, without a slash at its end. */
  readonly url: string
  readonly directory: string
  /** The address of the server that it needs; empty without one. */
  readonly neededUrl: string
  stop(): Promise<void>
}

const ASK_MS_MAX = 5000

const running = new Map<PeerServer, Promise<RunningPeer>>()

/** Defines tests with a running server of a peer, or skips them with a message. */
export function onPeer(server: PeerServer, define: (peer: () => RunningPeer) => void): void {
  const missing = [server, ...(server.needs === undefined ? [] : [server.needs])]
    .flatMap(({ peer }) => findMissingPeer(peer) ?? [])
    .at(0)
  if (missing !== undefined) {
    test(`on ${server.peer}`, { skip: process.env.CI === 'true' ? false : missing }, () => {
      throw new Error(missing)
    })
    return
  }
  describe(`on ${server.peer}`, () => {
    let peer: RunningPeer | undefined
    before(async () => {
      peer = await startOnce(server)
    })
    define(() => {
      if (peer === undefined) throw new Error('the peer runs only while tests do')
      return peer
    })
  })
}

/** Returns the server of this process; starts it at the first call. */
function startOnce(server: PeerServer): Promise<RunningPeer> {
  const started = running.get(server) ?? startPeer(server)
  running.set(server, started)
  return started
}

/** Starts a server of a peer on a free port; throws its output if it does not become ready. */
export async function startPeer(server: PeerServer): Promise<RunningPeer> {
  const installed = getPeerDirectory(server.peer)
  const { executable, needs } = server
  const neededUrl = needs === undefined ? '' : (await startOnce(needs)).url
  const program = executable.includes('/') ? join(installed, executable) : executable
  const started = await startServer({
    name: server.peer,
    folder: `portbook-${server.peer}-`,
    user: undefined,
    stopSignal: 'KILL',
    environment: (port, directory) => ({
      HOME: directory,
      ...server.getEnvironment?.(port, directory),
    }),
    prepare: async (directory) => await server.prepare?.(directory),
    command: (directory, port) => [
      // Its output is one stream, which a failure shows.
      '/bin/sh',
      '-c',
      'exec "$@" 1>&2',
      server.peer,
      program,
      ...server.getArguments(port, directory, installed, neededUrl),
    ],
    ready: (port) => isReady(port, server.readyPath),
    portTaken: /address already in use|address in use|BindException/i,
  })
  atEnd(() => started.stop())
  const { port, directory } = started
  const url = `http://127.0.0.1:${port}`
  return { port, url, directory, neededUrl, stop: () => started.stop() }
}

async function isReady(port: number, path: string | undefined): Promise<boolean> {
  const signal = AbortSignal.timeout(ASK_MS_MAX)
  if (path === undefined) return await accepts(port, signal)
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { signal })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}

async function accepts(port: number, signal: AbortSignal): Promise<boolean> {
  const socket = new Socket()
  try {
    socket.connect(port, '127.0.0.1')
    await once(socket, 'connect', { signal })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
