import type { ClientConfig } from 'pg'
import type { Log } from '../kit/log.ts'
import {
  clusterPaths,
  makeFolders,
  prepareCluster,
  readClusterMajor,
  SUPERUSER,
} from './cluster.ts'
import { loopbackEndpoint, socketEndpoint } from './endpoint.ts'
import { Keeper, type Purpose } from './keeper.ts'
import { LocalPostgresError } from './local-postgres-error.ts'
import { chooseOsUser } from './os-user.ts'
import { findPrograms, standardLocations, type ProgramSettings } from './programs.ts'
import { CATALOG } from './session.ts'

/** Portbook's own PostgreSQL, in use by this process. */
export interface LocalServer {
  /** The connection to the database of the catalog. */
  connection: ClientConfig
  /** The connection as the superuser. */
  admin: ClientConfig
  /** The TCP address; undefined = it does not listen on the network. */
  address: { host: string; port: number } | undefined
  /** Whether the disk is too full for writes. */
  isDiskFull(): boolean
  /** Ends the use, and the server if this process started it. */
  close(): Promise<void>
}

/** The options of `openLocalServer`. */
export interface LocalServerOptions {
  dataDirectory: string
  programs: ProgramSettings
  purpose: Purpose
  /** The maximum number of connections of this process. */
  connectionsMax: number
  /** `loopback` = a TCP port, for systems without Unix sockets. */
  transport?: 'socket' | 'loopback'
  log: Log
}

// Commands and workers need connections in addition to those of the serving process.
const OTHER_CONNECTIONS_MAX = 60
const TRANSPORT = process.platform === 'win32' ? 'loopback' : 'socket'

/**
 * Opens the PostgreSQL of a data directory. It uses the running one if another process has started it; otherwise it
 * starts it, and initializes the data if none exist. While it is open, the server is restarted whenever it ends.
 *
 * Errors: LocalPostgresError if it cannot be started, or if another process serves the directory.
 */
export async function openLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { dataDirectory, transport = TRANSPORT } = options
  const paths = clusterPaths(dataDirectory)
  const major = readClusterMajor(paths)
  const user = chooseOsUser([paths.cluster, dataDirectory])
  // Before the programs, which may need a copy next to the folders.
  makeFolders(paths, user)
  const programs = findPrograms(options.programs, user, major, standardLocations(dataDirectory))
  if (major !== undefined && programs.major !== major) {
    throw new LocalPostgresError(
      `${paths.cluster} was written by PostgreSQL ${major}, but ${programs.directory} has PostgreSQL ${programs.version}. Set PORTBOOK_POSTGRES_BIN to the programs of PostgreSQL ${major}. To move to ${programs.major}, export with the Portbook that wrote the data, move ${paths.root} away, and import with this one.`,
    )
  }
  const password = await prepareCluster(paths, programs, user)
  const endpoint = transport === 'socket' ? socketEndpoint(paths) : await loopbackEndpoint(paths)
  const connectionsMax = options.connectionsMax + OTHER_CONNECTIONS_MAX
  const keeper = new Keeper({
    ...options,
    paths,
    programs,
    user,
    endpoint,
    password,
    connectionsMax,
  })
  const close = async (): Promise<void> => {
    await keeper.close()
    endpoint.remove()
  }
  try {
    await keeper.attach()
  } catch (error) {
    await close()
    throw error
  }
  const { host, port, isOnNetwork } = endpoint
  return {
    connection: { host, port, password, user: CATALOG, database: CATALOG },
    admin: { host, port, password, user: SUPERUSER, database: SUPERUSER },
    address: isOnNetwork ? { host, port } : undefined,
    isDiskFull: () => keeper.isDiskFull(),
    close,
  }
}
