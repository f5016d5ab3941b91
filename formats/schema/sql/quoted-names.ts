// Which names a script writes in quotes. Oracle, Db2 and Snowflake store `orders` as ORDERS, but "orders" as it is
// written.

import type { Field, Model } from '../model.ts'
import { addTrait } from './model.ts'
import type { SqlStatement } from './scan.ts'
import { SQL_TRAITS } from './traits.ts'

/** Whether a name is always or only sometimes in quotes; names that are never in quotes are left out. */
type QuotedNames = ReadonlyMap<string, 'always' | 'sometimes'>

/** Lists the names in quotes that are not in upper case: in upper case, quotes have no effect. */
export function findQuotedNames(statements: readonly SqlStatement[]): QuotedNames {
  const names = new Map<string, 'always' | 'sometimes'>()
  for (const { tokens } of statements) {
    for (const { kind, text } of tokens) {
      if (kind === 'name' && text !== toUpperCase(text)) names.set(text, 'always')
    }
  }
  if (names.size === 0) return names
  for (const { tokens } of statements) {
    for (const { kind, text } of tokens) {
      if (kind === 'word' && names.has(text)) names.set(text, 'sometimes')
    }
  }
  return names
}

/** Writes the letters of a name in upper case as databases do: only those of ASCII. */
export function toUpperCase(name: string): string {
  return name.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
}

/** Records which of its names a model has in quotes. */
export function markQuotedNames(model: Model, names: QuotedNames): Model {
  if (names.size === 0) return model
  mark(model, [...(model.namespace?.split('.') ?? []), model.name], names)
  for (const field of model.fields) mark(field, [field.name], names)
  return model
}

function mark(part: Model | Field, own: readonly string[], names: QuotedNames): void {
  const quoted = own.flatMap((name) => {
    const use = names.get(name)
    return use === undefined ? [] : [[name, use] as const]
  })
  if (quoted.length > 0) addTrait(part, SQL_TRAITS.quotedNames, Object.fromEntries(quoted))
}
