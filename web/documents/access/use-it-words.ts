import { newTable } from '../../../formats/name/table.ts'
import type { Schemas } from '../../api/client.ts'
import type { Tone } from '../../parts/status.tsx'

type Connection = Schemas['PortConnection']

/** A server and how to read it. */
export type ServerConnection = Schemas['ServerConnection']

// The types of servers that people write in another way, and the names of their marks.
const PLATFORMS = newTable<{ name: string; mark?: string }>({
  api: { name: 'API' },
  athena: { name: 'Amazon Athena' },
  azure: { name: 'Azure Storage' },
  bigquery: { name: 'BigQuery' },
  clickhouse: { name: 'ClickHouse' },
  cloudsql: { name: 'Cloud SQL', mark: 'postgres' },
  cockroachdb: { name: 'CockroachDB' },
  db2: { name: 'Db2' },
  duckdb: { name: 'DuckDB' },
  fabric: { name: 'Microsoft Fabric' },
  gcs: { name: 'Google Cloud Storage' },
  glue: { name: 'AWS Glue' },
  hana: { name: 'SAP HANA' },
  iceberg: { name: 'Apache Iceberg' },
  kafka: { name: 'Kafka' },
  local: { name: 'Local files' },
  mariadb: { name: 'MariaDB' },
  mssql: { name: 'SQL Server' },
  mysql: { name: 'MySQL' },
  postgres: { name: 'PostgreSQL' },
  postgresql: { name: 'PostgreSQL', mark: 'postgres' },
  pubsub: { name: 'Pub/Sub' },
  redshift: { name: 'Amazon Redshift' },
  s3: { name: 'S3' },
  sftp: { name: 'SFTP' },
  sqlserver: { name: 'SQL Server', mark: 'mssql' },
  synapse: { name: 'Azure Synapse', mark: 'mssql' },
})

/** Returns the name of a platform as people write it, and that of its mark. */
export function describePlatform(platform: string | undefined): { name: string; mark: string } {
  if (platform === undefined) return { name: 'Server', mark: 'server' }
  const known = PLATFORMS[platform]
  if (known !== undefined) return { name: known.name, mark: known.mark ?? platform }
  return { name: `${platform.charAt(0).toUpperCase()}${platform.slice(1)}`, mark: platform }
}

/** Returns the tone of the sentence about the access and its provisioning. */
export function getAccessTone({ state, provisioningStatus }: Connection['access']): Tone {
  if (state !== 'active') return state === 'rejected' ? 'critical' : 'info'
  if (provisioningStatus === 'provisioned') return 'positive'
  if (provisioningStatus?.endsWith('failed') === true) return 'critical'
  return provisioningStatus === 'provisioning' ? 'info' : 'caution'
}

/** Returns the title of a server in a list of choices: `main, production, PostgreSQL`. */
export function nameServer({ server, environment, platform }: ServerConnection): string {
  const parts = [server, environment === server ? undefined : environment]
  const { name } = describePlatform(platform)
  return [...parts, platform === undefined ? undefined : name]
    .filter((part) => part !== undefined)
    .join(', ')
}
