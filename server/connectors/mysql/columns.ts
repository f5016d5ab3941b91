import { foldName } from '../column-names.ts'
import type { SourceColumn } from '../connector.ts'
import type { Cell } from './connection.ts'
import type { MysqlFlavour } from './flavour.ts'

/** Additional facts about a table's columns. */
export interface ColumnFacts {
  flavour: MysqlFlavour
  /** Columns with JSON, in servers that store JSON as a text with a check; names without case. */
  json: ReadonlySet<string>
  /** Names without case. */
  uniqueAlone: ReadonlySet<string>
}

// Types whose default is an expression even without quotes.
const NUMBERS = /^(?:tinyint|smallint|mediumint|int|bigint|decimal|float|double|year|bit)\b/
const NOW = /^current_timestamp(?:\(\d?\))?$/i

/** Creates a column from its row. */
export function toColumn(facts: readonly Cell[], known: ColumnFacts): SourceColumn {
  const [nameCell, typeCell, nullable, fallback, extraCell, expression, comment] = facts
  const name = String(nameCell)
  const type = String(typeCell)
  const extra = String(extraCell ?? '').toLowerCase()
  const generated = extra.includes('auto_increment') ? 'auto_increment' : expression
  const expressionOfDefault = toDefault(fallback ?? null, type, extra, known.flavour)
  return {
    name,
    type: known.json.has(foldName(name)) ? 'json' : type,
    ...(isText(comment) ? { description: comment } : {}),
    ...(nullable === 'NO' ? { required: true } : {}),
    ...(known.uniqueAlone.has(foldName(name)) ? { unique: true } : {}),
    ...(expressionOfDefault === undefined ? {} : { default: expressionOfDefault }),
    ...(isText(generated) ? { generated } : {}),
  }
}

function toDefault(
  value: Cell,
  type: string,
  extra: string,
  { quotesDefaults }: MysqlFlavour,
): string | undefined {
  if (typeof value !== 'string') return undefined
  // Nullable columns without an explicit default are null anyway.
  if (quotesDefaults) return value === 'NULL' ? undefined : value
  const isExpression = extra.includes('default_generated') || NOW.test(value) || NUMBERS.test(type)
  return isExpression ? value : `'${value.replaceAll("'", "''")}'`
}

function isText(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && cell !== ''
}
