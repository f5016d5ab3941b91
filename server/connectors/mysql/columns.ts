import type { SourceColumn } from '../connector.ts'
import type { Cell } from './connection.ts'
import type { Flavour } from './flavour.ts'

/** What else is known of a table's columns. */
export interface ColumnFacts {
  flavour: Flavour
  /** Names of those that hold JSON, where JSON is a text with a check. */
  json: ReadonlySet<string>
  uniqueAlone: ReadonlySet<string>
}

// Types whose bare default is an expression by itself.
const NUMBERS = /^(?:tinyint|smallint|mediumint|int|bigint|decimal|float|double|year|bit)\b/
const NOW = /^current_timestamp(?:\(\d?\))?$/i

/** Makes a column of its row. */
export function columnOf(facts: readonly Cell[], known: ColumnFacts): SourceColumn {
  const [nameCell, typeCell, nullable, fallback, extraCell, expression, comment] = facts
  const name = String(nameCell)
  const type = String(typeCell)
  const extra = String(extraCell ?? '').toLowerCase()
  const generated = extra.includes('auto_increment') ? 'auto_increment' : expression
  const expressionOfDefault = defaultOf(fallback ?? null, type, extra, known.flavour)
  return {
    name,
    type: known.json.has(name) ? 'json' : type,
    ...(isText(comment) ? { description: comment } : {}),
    ...(nullable === 'NO' ? { required: true } : {}),
    ...(known.uniqueAlone.has(name) ? { unique: true } : {}),
    ...(expressionOfDefault === undefined ? {} : { default: expressionOfDefault }),
    ...(isText(generated) ? { generated } : {}),
  }
}

function defaultOf(
  told: Cell,
  type: string,
  extra: string,
  { quotesDefaults }: Flavour,
): string | undefined {
  if (typeof told !== 'string') return undefined
  // That a column is null when nothing is said needs no saying.
  if (quotesDefaults) return told === 'NULL' ? undefined : told
  const isExpression = extra.includes('default_generated') || NOW.test(told) || NUMBERS.test(type)
  return isExpression ? told : `'${told.replaceAll("'", "''")}'`
}

function isText(cell: Cell | undefined): cell is string {
  return typeof cell === 'string' && cell !== ''
}
