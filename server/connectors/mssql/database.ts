import { SourceFailure } from '../connector.ts'
import type { TdsConnection } from './connection.ts'
import { asText, type TdsRow } from './rows.ts'
import {
  containersStatement,
  featuresStatement,
  readFeatures,
  type DatabaseContext,
} from './statements.ts'

/** A schema of a database. */
export interface MssqlSchema {
  id: number
  name: string
  ownerName: string | undefined
  description: string | undefined
  /** Whether the user sees all its tables. */
  isVisible: boolean
}

/** A database with its schemas. */
export interface MssqlDatabase {
  context: DatabaseContext
  /** Its identity on the server. */
  id: string
  ownerName: string | undefined
  description: string | undefined
  /** Whether the user sees all its schemas. */
  isVisible: boolean
  schemas: readonly MssqlSchema[]
}

/** Reads a database and its schemas, with two statements. Errors: the driver's; SourceFailure protocol. */
export async function readContainers(
  connection: TdsConnection,
  database: string,
): Promise<MssqlDatabase> {
  const { hasPrivilegeCheck } = connection.flavour
  const statement = featuresStatement(database, hasPrivilegeCheck)
  const features = readFeatures(await connection.query(statement))
  const context = { database, features, hasPrivilegeCheck }
  const rows = await connection.query(containersStatement(context))
  const own = rows.find(([id]) => id === null)
  if (own === undefined) {
    throw new SourceFailure('protocol', `The database ${database} is no longer in the catalog`)
  }
  const isVisible = own[4] === 1
  return {
    context,
    id: String(own[5]),
    ownerName: asText(own[2]),
    description: asText(own[3]),
    isVisible,
    schemas: rows.filter(([id]) => id !== null).map((row) => toSchema(row, isVisible)),
  }
}

function toSchema([id, name, owner, description, isSeen]: TdsRow, isVisible: boolean): MssqlSchema {
  return {
    id: Number(id),
    name: String(name),
    ownerName: asText(owner),
    description: asText(description),
    isVisible: isVisible || isSeen === 1,
  }
}
