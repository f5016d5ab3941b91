/**
 * The ways in which an operator moves or restores a PostgreSQL 15: a logical dump, a base backup, and an
 * upgrade with pg_upgrade. Standbys are in `postgres-15.ts`.
 */

import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { User } from './database-server.ts'
import { initialize, programs, runProgram, start, type TestPostgres15 } from './postgres-15.ts'

/** A dump of one database, created by pg_dump. */
export interface Dump {
  /** Restores the dump into a new database of a server; returns the database's URL. */
  restoreInto(server: TestPostgres15): Promise<string>
  remove(): Promise<void>
}

/** Dumps the database of a URL. */
export async function dumpDatabase(url: string): Promise<Dump> {
  const file = join(tmpdir(), `${randomBytes(6).toString('hex')}.dump`)
  await runProgram('pg_dump', ['--format=custom', `--file=${file}`, url], tmpdir(), undefined)
  return {
    async restoreInto(server) {
      const target = await createDatabase(server)
      const flags = ['--no-owner', '--exit-on-error', `--dbname=${target}`]
      await runProgram('pg_restore', [...flags, file], tmpdir(), undefined)
      return target
    },
    remove: () => rm(file),
  }
}

/** Creates an empty database; returns its URL. */
export async function createDatabase(server: TestPostgres15): Promise<string> {
  const name = `catalog_${randomBytes(6).toString('hex')}`
  await execute(server.url, `create database ${name}`)
  return databaseOn(server, name)
}

/** Returns the URL of the database with the same name on another server. */
export function sameDatabaseOn(server: TestPostgres15, url: string): string {
  return databaseOn(server, new URL(url).pathname.slice(1))
}

function databaseOn(server: TestPostgres15, name: string): string {
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement in the database of a URL. */
export async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Starts a server on a base backup of another, independent of it. */
export async function startBackup15(primary: TestPostgres15): Promise<TestPostgres15> {
  const { password } = new URL(primary.url)
  return await start(password, async (directory, user) => {
    await copyCluster(primary, join(directory, 'data'), directory, user)
  })
}

/** Starts a server on a base backup that pg_upgrade has moved into a new cluster. */
export async function startUpgraded15(primary: TestPostgres15): Promise<TestPostgres15> {
  const { password } = new URL(primary.url)
  return await start(password, async (directory, user) => {
    const [old, data] = [join(directory, 'old'), join(directory, 'data')]
    await copyCluster(primary, old, directory, user)
    await writeFile(join(old, 'pg_hba.conf'), 'local all all trust\n')
    const options = `-c listen_addresses='' -c unix_socket_directories='${directory}' -c ssl=off`
    // pg_upgrade requires a cluster that was shut down cleanly.
    const control = ['-D', old, '-w', '-o', options, '-l', join(directory, 'old.log')]
    await runProgram('pg_ctl', ['start', ...control], directory, user)
    await runProgram('pg_ctl', ['stop', '-D', old, '-w'], directory, user)
    await initialize(directory, user, password)
    const settings = join(data, 'pg_hba.conf')
    await writeFile(settings, 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n')
    const places = ['-b', programs, '-B', programs, '-d', old, '-D', data, '-s', directory]
    await runProgram('pg_upgrade', ['-U', 'postgres', ...places], directory, user)
  })
}

async function copyCluster(
  primary: TestPostgres15,
  target: string,
  directory: string,
  user: User | undefined,
): Promise<void> {
  const flags = ['--checkpoint=fast', '--no-sync', '-d', primary.url]
  await runProgram('pg_basebackup', ['-D', target, ...flags], directory, user)
}
