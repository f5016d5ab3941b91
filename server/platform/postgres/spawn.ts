import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { OsUser } from './os-user.ts'

/** The options with which PostgreSQL's programs are spawned. */
interface SpawnOptions {
  uid?: number
  gid?: number
  env: Record<string, string>
  windowsHide: boolean
}

/**
 * Returns the options to spawn a program of PostgreSQL as a user. They do not pass on the environment of this process,
 * which contains secrets and variables such as PGDATA that would affect the programs.
 */
export function spawnOptions(user: OsUser | undefined): SpawnOptions {
  return { ...user, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }, windowsHide: true }
}

/** Returns the path of a program on this platform. */
export function programPath(directory: string, name: string): string {
  return join(directory, process.platform === 'win32' ? `${name}.exe` : name)
}

/** Runs a program to its end. Returns its exit code and its output. */
export async function runToEnd(
  program: string,
  parameters: readonly string[],
  options: { user: OsUser | undefined; directory: string },
): Promise<{ code: number; output: string }> {
  return await new Promise((done) => {
    const child = spawn(program, parameters, {
      ...spawnOptions(options.user),
      cwd: options.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output: output.trim() }))
  })
}
