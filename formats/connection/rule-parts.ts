// What the rules of several platforms share.

import { toSlug } from '../name/slug.ts'
import { put, type ObjectValue } from '../text/value.ts'
import { yamlText } from '../text/yaml-write.ts'
import { shellWord, urlPart } from './quote.ts'
import type { PlatformRules, SnippetRule, Target } from './target.ts'

/** The part of an address before its host: never a credential. */
export const LOGIN = '<user>:<password>@'
/** The user in a command, in quotes. */
export const USER = shellWord('<user>')

const NAME_CHARACTERS_MAX = 60

const byHost = ['host'] as const
/** The needs of a command with a statement. */
export const byQuery = ['host', 'statement'] as const

/** A rule that writes the command of a client; each line is one of its words. */
export function createClient(
  tool: string,
  words: (target: Target) => readonly string[],
  more: Partial<SnippetRule> = {},
): SnippetRule {
  const write = (target: Target) => words(target).filter(Boolean).join(' ')
  return { tool, language: 'shell', needs: byQuery, write, ...more }
}

/** A rule that writes an address. `plain` are the properties that it cannot escape. */
export function createUrl(
  tool: 'JDBC' | 'SQLAlchemy',
  write: (target: Target) => string,
  more: Partial<SnippetRule> = {},
): SnippetRule {
  return { tool, language: 'url', needs: byHost, write, ...more }
}

/** Returns `name=value` for a client, in quotes; '' without a value. */
export function option(name: string, value: string): string {
  return value === '' ? '' : `${name}=${shellWord(value)}`
}

/** Returns an option and its value as two words for a client; '' without a value. */
export function flag(name: string, value: string): string {
  return value === '' ? '' : `${name} ${shellWord(value)}`
}

/** Writes the path of an address, without empty parts at its end. */
export function path(...values: readonly string[]): string {
  const last = values.findLastIndex((value) => value !== '')
  return values
    .slice(0, last + 1)
    .map((value) => `/${urlPart(value)}`)
    .join('')
}

/** The rule that writes a source of dbt with the table. */
export const DBT: SnippetRule = {
  tool: 'dbt',
  language: 'yaml',
  needs: ['table'],
  // dbt runs the expressions of Jinja in all texts.
  interprets: /\{[{%#]/,
  write: ({ path: names, columns }) => {
    const [table = '', inner, outer] = names.toReversed()
    const source: ObjectValue = { name: toSlug(inner ?? table, NAME_CHARACTERS_MAX) || 'source' }
    put(source, 'database', outer)
    put(source, 'schema', inner)
    const name = table.replaceAll(/[^\w-]/g, '_')
    const entry: ObjectValue = { name }
    put(entry, 'identifier', name === table ? undefined : table)
    if (columns.length > 0) entry.columns = columns.map((column) => ({ name: column }))
    source.tables = [entry]
    return yamlText({ version: 2, sources: [source] }).trimEnd()
  },
}

/** Adds a source of dbt to rules. */
export function withDbt(rules: PlatformRules): PlatformRules {
  return { ...rules, rules: [...rules.rules, DBT] }
}

/** Writes a statement of SQL in one line. No name in it has a line feed. */
export function inOneLine(statement: string): string {
  return statement.replaceAll(/\n */g, ' ').replace(/;$/, '')
}
