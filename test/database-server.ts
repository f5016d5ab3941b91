/**
 * Shared code of the database servers that tests start: each runs as an ordinary user, on its own port and
 * in its own directory, and never outlives the process that started it.
 */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import type { Writable } from 'node:stream'

/** The user of a server process. */
export type User = { readonly uid: number; readonly gid: number }

/**
 * Finds the user for a server: undefined for the current user. Under root, which servers reject, it is the
 * first existing user of the names, or `nobody`.
 */
export function findUser(server: string, name: string): User | undefined {
  if (process.platform === 'win32') {
    throw new Error(`The test ${server} needs a Unix system; on Windows, use WSL.`)
  }
  if (userInfo().uid !== 0) return undefined
  for (const candidate of [name, 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, candidate], { encoding: 'utf8' }).stdout || Number.NaN),
    )
    if (uid && gid && uid > 0 && gid > 0) return { uid, gid }
  }
  throw new Error(
    `${server} refuses to run as root, and no user \`${name}\` or \`nobody\` exists: ` +
      `create one (\`useradd --system ${name}\`) or run the tests as another user.`,
  )
}

/** Finds a free port. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port found.')
  return address.port
}

/**
 * Starts a shell that slightly outlives this process. It reads the server's process id from its standard
 * input (an empty line: none now). When the input closes, because this process stopped the server or ended
 * in any way, it kills the server and removes the directory. So no signal handler is needed, and even
 * SIGKILL leaves nothing behind.
 */
export function startGuard(directory: string, signal: 'QUIT' | 'KILL' = 'QUIT'): Writable {
  const script = `
    while read -r line; do pid=$line; done
    if [ -n "$pid" ]; then
      kill -${signal} "$pid"
      for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" && sleep 0.2; done
      kill -KILL "$pid"
    fi
    rm -rf "$1"`
  const guard = spawn('sh', ['-c', script, 'portbook-server-guard', directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  const input = guard.stdin as Writable & { unref(): void }
  input.unref()
  return input
}

/** Returns the options to start a server's programs in its directory. */
export function spawnOptions(directory: string, user: User | undefined) {
  return {
    // The user may be unable to enter the current directory.
    cwd: directory,
    // A separate process group, so that Ctrl-C reaches only the tests and not their servers.
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    ...user,
  }
}
