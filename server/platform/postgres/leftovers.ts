import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ClusterPaths } from './cluster.ts'

/**
 * Cleans up files and processes of a PostgreSQL whose parent was killed. PostgreSQL itself recovers from most of
 * them; these are the cases in which it refuses to start.
 */

const EMPTY_FILE_MS_MAX = 2000

/** Reads the process ID of the postmaster from its lock file; undefined if there is no lock file. */
export function readPostmasterPid({ cluster }: ClusterPaths): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(cluster, 'postmaster.pid'), 'utf8'), 10)
    return pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

/**
 * Removes the lock files if their process is not a PostgreSQL on this data directory: the process ID was reused after
 * a restart of the machine or container. Returns whether they were removed.
 */
export function removeStaleLockFiles(paths: ClusterPaths): boolean {
  const file = join(paths.cluster, 'postmaster.pid')
  const pid = readPostmasterPid(paths)
  const isStale = pid === undefined ? isAbandoned(file) : !isPostgresIn(pid, paths.cluster)
  if (!isStale) return false
  rmSync(file, { force: true })
  rmSync(join(paths.socket, '.s.PGSQL.5432.lock'), { force: true })
  return true
}

// An empty file is either being written or was left behind by a crash on a full disk.
function isAbandoned(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats !== undefined && Date.now() - stats.mtimeMs > EMPTY_FILE_MS_MAX
}

/** Kills sessions that outlived their postmaster: a running statement does not notice its end. */
export function killOrphanedSessions({ cluster }: ClusterPaths): void {
  if (process.platform !== 'linux') return
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    if (pid > 0 && isPostgresIn(pid, cluster)) killIfAlive(pid)
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

function isPostgresIn(pid: number, cluster: string): boolean {
  if (process.platform === 'linux') {
    try {
      const program = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''))
      return program === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === cluster
    } catch {
      return false
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' })
  return (stdout ?? '').includes('postgres')
}
