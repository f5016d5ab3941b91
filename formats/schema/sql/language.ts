import type { SchemaLanguage } from '../schema-language.ts'
import { readSqlDdl } from './read.ts'
import { writeSqlDdl } from './write.ts'

export const sql = {
  name: 'sql',
  types: ['sql-ddl'],
  mediaType: 'application/sql',
  read: readSqlDdl,
  write: writeSqlDdl,
} as const satisfies SchemaLanguage
