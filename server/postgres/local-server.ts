import type { ClientConfig } from 'pg'
import type { Log } from '../kit/log.ts'
import { clusterPaths, prepareCluster, readClusterMajor, SUPERUSER } from './cluster.ts'
import { loopbackEndpoint, socketEndpoint } from './endpoint.ts'
import { Keeper, type Purpose } from './keeper.ts'
import { LocalPostgresError } from './local-postgres-error.ts'
import { chooseOsUser } from './os-user.ts'
import { findPrograms, type ProgramSettings } from './programs.ts'
import { CATALOG } from './session.ts'

/** Portbook's own PostgreSQL, in use by this process. */
export interface LocalServer {
  /** Connects to the database of the catalog. */
  connection: ClientConfig
  /** Connects as the superuser. */
  admin: ClientConfig
  /** The network address; undefined if it only has a socket. */
  address: { host: string; port: number } | undefined
  /** Whether the disk is too full for writes. */
  isDiskFull(): boolean
  /** Ends the use, and the server if this process started it. */
  close(): Promise<void>
}

/** Options to find and use the server. */
export interface LocalServerOptions {
  dataDirectory: string
  programs: ProgramSettings
  purpose: Purpose
  /** Connections that this process opens at most. */
  connectionsMax: number
  /** `loopback` = a TCP port, for systems without Unix sockets. */
  transport?: 'socket' | 'loopback'
  log: Log
}

// Commands and workers beside the serving process have connections of their own.
const OTHER_CONNECTIONS_MAX = 60
const TRANSPORT = process.platform === 'win32' ? 'loopback' : 'socket'

/**
 * Uses the PostgreSQL of a data directory: the running one if another process has started it,
 * otherwise it starts it, and initializes the data if there are none. While it is open, the server is
 * started again whenever it dies.
 *
 * Errors: LocalPostgresError if it cannot be started, or if another process serves the directory.
 */
export async function openLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { dataDirectory, transport = TRANSPORT } = options
  const paths = clusterPaths(dataDirectory)
  const major = readClusterMajor(paths)
  const user = chooseOsUser([paths.cluster, dataDirectory])
  const programs = findPrograms(options.programs, user, major)
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
