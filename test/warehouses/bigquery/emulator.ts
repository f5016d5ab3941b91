/**
 * The emulator `bqemulator` as a peer: a Python package in a virtual environment in the user's cache. Its SQL
 * engine installs a spatial extension from the network, which the launcher leaves out.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const LAUNCHER = `
import sys
from bqemulator.storage.engine import DuckDBEngine
DuckDBEngine._load_spatial = lambda self: None
from bqemulator.cli import main
sys.exit(main())
`

/** A running emulator with an empty project `test`. */
export interface Emulator {
  url: string
  /** Sends a request with a JSON body, and returns the answer; fails with any status but 200. */
  post(path: string, body: object): Promise<Record<string, unknown>>
  close(): Promise<void>
}

/** Returns the emulator's Python, or how to install it. */
export function findEmulator(): { python: string } | { missing: string } {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  const directory = join(cache, 'portbook', 'bqemulator')
  if (existsSync(join(directory, 'bin', 'bqemulator'))) {
    return { python: join(directory, 'bin', 'python') }
  }
  const missing = `The emulator of BigQuery is missing: python3 -m venv ${directory} && ${directory}/bin/pip install bqemulator==1.4.0 numpy`
  return { missing }
}

/** Starts an emulator on loopback. */
export async function startEmulator(python: string): Promise<Emulator> {
  const port = await findPort()
  const options = ['--rest-port', String(port), '--grpc-port', '0', '--project', 'test']
  const child = spawn(python, ['-c', LAUNCHER, 'start', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  const ready = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line)
      // The emulator listens for REST before it does for gRPC.
      if (line.includes('grpc.listen')) ready.resolve()
    })
  }
  child.once('exit', () => ready.reject(new Error(`The emulator ended: ${lines.join('\n')}`)))
  await ready.promise
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async post(path, body) {
      const response = await fetch(`${url}/bigquery/v2/projects/test/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await response.text()
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Record<string, unknown>
    },
    async close() {
      child.removeAllListeners('exit')
      if (child.exitCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
