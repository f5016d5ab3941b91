import { bigquery } from './bigquery/connector.ts'
import type { Connector } from './connector.ts'
import { databricks } from './databricks/connector.ts'
import { glue } from './glue/connector.ts'
import { iceberg } from './iceberg/connector.ts'
import { fabric, mssql } from './mssql/connector.ts'
import { mariadb, mysql } from './mysql/connector.ts'
import { postgres } from './postgres/connector.ts'
import { snowflake } from './snowflake/connector.ts'

const ALL: readonly Connector[] = [
  postgres,
  mysql,
  mariadb,
  mssql,
  iceberg,
  snowflake,
  databricks,
  bigquery,
  glue,
  fabric,
]

/** All connectors of this program, by wire name. */
export const CONNECTORS: ReadonlyMap<string, Connector> = new Map(
  ALL.map((connector) => [connector.source, connector]),
)
