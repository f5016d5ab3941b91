import { newTable } from '../../formats/name/table.ts'

const NAMES = newTable<string>({
  athena: 'Athena',
  azure: 'Azure',
  bigquery: 'BigQuery',
  clickhouse: 'ClickHouse',
  databricks: 'Databricks',
  duckdb: 'DuckDB',
  fabric: 'Fabric',
  glue: 'Glue',
  iceberg: 'Iceberg',
  kafka: 'Kafka',
  kinesis: 'Kinesis',
  mariadb: 'MariaDB',
  mssql: 'SQL Server',
  mysql: 'MySQL',
  oracle: 'Oracle',
  postgres: 'PostgreSQL',
  postgresql: 'PostgreSQL',
  powerbi: 'Power BI',
  pubsub: 'Pub/Sub',
  redshift: 'Redshift',
  s3: 'S3',
  sftp: 'SFTP',
  snowflake: 'Snowflake',
  sqlserver: 'SQL Server',
  trino: 'Trino',
  unity: 'Unity Catalog',
})

/** Returns the name of a platform as people write it: `kafka` → "Kafka". Undefined = it is not a known platform. */
export function findPlatformName(platform: string): string | undefined {
  return NAMES[platform.trim().toLowerCase()]
}
