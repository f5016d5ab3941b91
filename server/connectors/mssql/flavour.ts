/** The product behind a connection. */
export interface MssqlFlavour {
  /** `SQL Server 16.0.4085.2`, for messages. */
  title: string
  isFabric: boolean
  /** Whether roles of a workspace, which the catalog does not have, give access. */
  isWorkspace: boolean
  /** Whether a connection can read only its own database. */
  isOneDatabase: boolean
  /** Whether the server supports the settings for locks and deadlocks. */
  hasLockSettings: boolean
  /** Whether the server can check privileges by name. */
  hasPrivilegeCheck: boolean
  /** The name of the server. */
  serverName: string
}

/**
 * The names of editions that are services, by their numbers:
 * https://learn.microsoft.com/sql/t-sql/functions/serverproperty-transact-sql
 */
const EDITIONS: ReadonlyMap<number, string> = new Map([
  [5, 'Azure SQL Database'],
  [6, 'Azure Synapse dedicated SQL pool'],
  [8, 'Azure SQL Managed Instance'],
  [11, 'Azure Synapse serverless SQL pool or Microsoft Fabric'],
  [12, 'SQL database in Microsoft Fabric'],
])
const ONE_DATABASE: readonly number[] = [5, 6, 11, 12]
const SYNAPSE_OR_FABRIC: readonly number[] = [6, 11]

/** The host names of warehouses, SQL analytics endpoints and databases of Fabric. */
const FABRIC_HOSTS = /\.(?:fabric\.microsoft\.com|pbidedicated\.windows\.net)$/i

/** Why the permissions in a workspace are never complete. */
export const WORKSPACE_LIMIT = 'Roles of the workspace are not visible.'

/** Reads the flavour from the answer to the statement about the server. */
export function readFlavour(
  edition: number,
  version: string,
  serverName: string,
  host: string,
): MssqlFlavour {
  const isFabric = FABRIC_HOSTS.test(host) || edition === 12
  const title = isFabric ? 'Microsoft Fabric' : (EDITIONS.get(edition) ?? 'SQL Server')
  return {
    title: `${title} ${version}`.trim(),
    isFabric,
    isWorkspace: isFabric || edition === 11,
    isOneDatabase: isFabric || ONE_DATABASE.includes(edition),
    hasLockSettings: !SYNAPSE_OR_FABRIC.includes(edition),
    hasPrivilegeCheck: edition !== 6,
    serverName,
  }
}
