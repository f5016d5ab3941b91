/**
 * A PostgreSQL server for tests and benchmarks: the programs of Portbook's own PostgreSQL, on a TCP port
 * and by default without durability.
 */

import { randomBytes } from 'node:crypto'
import { chown, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chooseOsUser, type OsUser } from '../server/platform/postgres/os-user.ts'
import {
  findPrograms,
  standardLocations,
  type Programs,
} from '../server/platform/postgres/programs.ts'
import { programPath } from '../server/platform/postgres/spawn.ts'
import { runProgram, startServer, type ServerProcess } from './database-server.ts'

/** A running PostgreSQL of our own, with the superuser's URL of the database `postgres`. */
export type TestPostgres = ServerProcess & { readonly url: string }

type Options = {
  /** Whether the server survives a crash; the default (false) is faster. */
  readonly durable?: boolean
  /** Settings of postgresql.conf, for example `{ max_connections: '20' }`. */
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of other PostgreSQL programs: Debian's can compile statements (JIT). */
  readonly programs?: string | undefined
}

const notDurable = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Starts a PostgreSQL on a free port of 127.0.0.1; throws an error that names what is missing. */
export async function startPostgres(options: Options = {}): Promise<TestPostgres> {
  const user = chooseOsUser([])
  const programs = findPrograms(
    { configured: options.programs, searchPath: process.env.PATH ?? '' },
    user,
    undefined,
    standardLocations(tmpdir()),
  )
  const password = randomBytes(16).toString('hex')
  const settings = {
    max_connections: '400',
    listen_addresses: '127.0.0.1',
    // A path in a temporary directory may be too long for a socket.
    unix_socket_directories: '',
    log_min_messages: 'log',
    ...(options.durable ? {} : notDurable),
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = await startServer({
    name: 'PostgreSQL',
    folder: 'portbook-postgres-',
    user,
    stopSignal: 'QUIT',
    ready: /ready to accept connections/,
    portTaken: /could not bind/,
    prepare: (directory) => initialize(programs, directory, user, password),
    command: (directory, port) => [
      programPath(programs.directory, 'postgres'),
      '-D',
      join(directory, 'data'),
      '-p',
      String(port),
      ...flags,
    ],
  })
  const url = `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`
  return Object.assign(server, { url })
}

/** Creates the data directory. */
async function initialize(
  programs: Programs,
  directory: string,
  user: OsUser | undefined,
  password: string,
): Promise<void> {
  const passwordFile = join(directory, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (user) await chown(passwordFile, user.uid, user.gid)
  const flags = [
    `--pgdata=${join(directory, 'data')}`,
    '--username=postgres',
    '--auth=password',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
    '--no-instructions',
  ]
  await runProgram(programPath(programs.directory, 'initdb'), flags, directory, user)
}
