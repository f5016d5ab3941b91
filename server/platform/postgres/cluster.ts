import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describeDamage, LocalPostgresError } from './local-postgres-error.ts'
import type { OsUser } from './os-user.ts'
import type { Programs } from './programs.ts'
import { programPath, runToEnd } from './spawn.ts'

/**
 * The files of Portbook's own PostgreSQL. All are in `<data>/postgres`, which only the user that runs it
 * can access.
 */
export interface ClusterPaths {
  root: string
  /** PostgreSQL's data directory. */
  cluster: string
  /** The folder of the Unix socket. */
  socket: string
  password: string
  /** The file with the TCP port, on systems without Unix sockets. */
  port: string
  /** Disk space set aside for the recovery from a full disk. */
  reserve: string
}

/** The role that owns the cluster. */
export const SUPERUSER = 'postgres'

const DRAFT = /^initializing-(\d+)-/

/** Returns the paths below a data directory. */
export function clusterPaths(dataDirectory: string): ClusterPaths {
  const root = resolve(dataDirectory, 'postgres')
  return {
    root,
    cluster: join(root, 'cluster'),
    socket: join(root, 'socket'),
    password: join(root, 'password'),
    port: join(root, 'port'),
    reserve: join(root, 'reserve'),
  }
}

/**
 * Reads the major version that wrote the data; undefined if no data exist.
 *
 * Errors: LocalPostgresError if the data are damaged, or were written by the store of early versions of
 * Portbook.
 */
export function readClusterMajor({ root, cluster }: ClusterPaths): number | undefined {
  if (existsSync(join(root, 'PG_VERSION'))) {
    throw new LocalPostgresError(
      `${root} contains the embedded database of an earlier Portbook. Export it with that version, move the directory away, and import the file with this version.`,
    )
  }
  const file = join(cluster, 'PG_VERSION')
  const isPresent = existsSync(file)
  if (!isPresent && !existsSync(cluster)) return undefined
  const major = isPresent ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN
  if (major > 0) return major
  const reason = `${file} is ${isPresent ? 'not a version' : 'missing'}`
  throw new LocalPostgresError(describeDamage(root, reason))
}

/** Creates the folders if they are missing. Errors: LocalPostgresError if this process may not use them. */
export function makeFolders({ root, socket }: ClusterPaths, user: OsUser | undefined): void {
  for (const directory of [root, socket]) makePrivate(directory, user)
}

/**
 * Creates the data directory if it is missing. If several processes do so concurrently, one wins. Returns the password
 * of the superuser.
 *
 * Errors: LocalPostgresError if initdb fails; the errors of the file system.
 */
export async function prepareCluster(
  paths: ClusterPaths,
  programs: Programs,
  user: OsUser | undefined,
): Promise<string> {
  const password = ensurePassword(paths.password, user)
  if (!existsSync(paths.cluster)) await initialize(paths, programs, user)
  return password
}

function makePrivate(directory: string, user: OsUser | undefined): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    chmodSync(directory, 0o700)
    if (user !== undefined) chownSync(directory, user.uid, user.gid)
  } catch (error) {
    throw new LocalPostgresError(explainUnusable(directory, error), { cause: error })
  }
}

function explainUnusable(directory: string, error: unknown): string {
  const file = findFileAbove(directory)
  if (file !== undefined) {
    return `The data directory cannot be created: ${file} is a file. Set PORTBOOK_DATA_DIR to a folder.`
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const reason =
    code === 'EACCES' || code === 'EPERM'
      ? 'permission denied'
      : code === 'EROFS'
        ? 'the file system is read-only'
        : error instanceof Error
          ? error.message
          : String(error)
  return `${directory} cannot be used: ${reason}. Start Portbook as the user that owns it or as root, or set PORTBOOK_DATA_DIR.`
}

function findFileAbove(directory: string): string | undefined {
  for (let path = directory; path !== dirname(path); path = dirname(path)) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined) return stats.isDirectory() ? undefined : path
  }
  return undefined
}

function ensurePassword(path: string, user: OsUser | undefined): string {
  if (!existsSync(path)) {
    const draft = `${path}.${process.pid}.new`
    rmSync(draft, { force: true })
    writeFileSync(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flush: true })
    if (user !== undefined) chownSync(draft, user.uid, user.gid)
    try {
      // Unlike a rename, a link never replaces the password of another process that is also starting.
      linkSync(draft, path)
    } catch (error) {
      if (!existsSync(path)) throw error
    } finally {
      rmSync(draft, { force: true })
    }
  }
  return readFileSync(path, 'utf8').trim()
}

// Initializes the data in a draft directory, which is renamed only when it is complete.
async function initialize(
  { root, cluster }: ClusterPaths,
  programs: Programs,
  user: OsUser | undefined,
): Promise<void> {
  removeAbandonedDrafts(root)
  const draft = mkdtempSync(join(root, `initializing-${process.pid}-`))
  makePrivate(draft, user)
  const { code, output } = await runToEnd(
    programPath(programs.directory, 'initdb'),
    [
      `--pgdata=${clusterArgument(draft, user)}`,
      `--username=${SUPERUSER}`,
      '--auth=scram-sha-256',
      '--pwfile=../password',
      '--encoding=UTF8',
      '--locale=C',
      '--data-checksums',
      '--no-instructions',
    ],
    { user, directory: draft },
  )
  if (code !== 0) {
    rmSync(draft, { recursive: true, force: true })
    throw new LocalPostgresError(explainFailure(root, output))
  }
  try {
    renameSync(draft, cluster)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(cluster)) throw error
  }
  syncDirectory(root)
}

// Without this, a power failure could undo the rename after writes were acknowledged.
function syncDirectory(path: string): void {
  if (process.platform === 'win32') return
  const directory = openSync(path, 'r')
  fsyncSync(directory)
  closeSync(directory)
}

function explainFailure(root: string, output: string): string {
  const uid = /could not look up effective user ID (\d+)/.exec(output)?.[1]
  if (uid !== undefined) {
    return `PostgreSQL needs a user name, and the user ID ${uid} has no entry in /etc/passwd. Add one, start Portbook as a user that has one, or set DATABASE_URL.`
  }
  const reason = output.split('\n').findLast((line) => /error|fatal|could not/i.test(line))
  return `PostgreSQL could not initialize ${root}: ${reason ?? output}`
}

function removeAbandonedDrafts(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = Number(DRAFT.exec(name)?.[1])
    const path = join(root, name)
    // In a container a process often has the ID of its predecessor.
    const isOlder = pid === process.pid && statSync(path).mtimeMs < performance.timeOrigin
    if (isOlder || (pid > 0 && !isAlive(pid))) rmSync(path, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Returns the argument by which a program that is started in a directory refers to it. A user other than root may not
 * be able to enter the parent folders; on Linux, /proc resolves the current directory without entering them.
 */
export function clusterArgument(directory: string, user: OsUser | undefined): string {
  return user !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : directory
}
