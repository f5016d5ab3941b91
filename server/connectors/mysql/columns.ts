import { omitEmpty } from '../asset-parts.ts'
import { foldName } from '../column-names.ts'
import type { SourceColumn } from '../connector.ts'
import { asText, type Cell } from './connection.ts'
import type { MysqlFlavour } from './flavour.ts'

/** Additional facts about a table's columns. */
interface ColumnFacts {
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
  return {
    name,
    type: known.json.has(foldName(name)) ? 'json' : type,
    ...omitEmpty({
      description: asText(comment),
      required: nullable === 'NO',
      unique: known.uniqueAlone.has(foldName(name)),
      default: toDefault(fallback ?? null, type, extra, known.flavour),
      generated: asText(generated),
    }),
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
