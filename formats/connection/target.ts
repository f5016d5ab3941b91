/** The rules of platforms, and the values that they write. */

/** A server and a table, whose values are safe to quote. */
export interface Target {
  /** Returns a property of the server; '' if it has none. */
  get: (name: string) => string
  /** The host without its port; an IPv6 address is in brackets. */
  host: string
  /** The port of the server, or the usual one of the platform; '' if there is none. */
  port: string
  /** `host:port`. */
  address: string
  /** The statement in the dialect of the platform; '' if it has none. */
  statement: string
  /** The name of the table, topic or file on the platform; '' without a model. */
  table: string
  /** The parts of its name in statements, the outermost first; empty without a dialect. */
  path: readonly string[]
  /** The physical names of the columns; empty = all. */
  columns: readonly string[]
  /** The role that was granted; '' if there is not exactly one. */
  role: string
}

/** The languages of snippets. */
export type SnippetLanguage = 'shell' | 'sql' | 'python' | 'yaml' | 'url'

/** A rule that writes a snippet for a tool. */
export interface SnippetRule {
  /** The name of the tool, as people write it: `psql`. */
  tool: string
  language: SnippetLanguage
  /** The members of the target, or properties of the server, without which it cannot be written. */
  needs?: readonly string[]
  /** The properties that are written as they are, so they must not need escapes. */
  plain?: readonly string[]
  /** Finds text in the statement that the program would interpret, even in quotes. */
  interprets?: RegExp
  /** Writes it; undefined = the values do not suffice. */
  write: (target: Target) => string | undefined
}

/** The way in which a dialect quotes names. */
export type NameQuotes = 'double' | 'tick' | 'bracket' | 'escapedTick'

/** The way in which a dialect limits the rows of an answer. */
export type LimitStyle = 'limit' | 'top' | 'first' | 'fetch'

/** The SQL of a platform. */
export interface QueryDialect {
  quotes: NameQuotes
  limit: LimitStyle
  /** The properties of a server that are parts of the name of a table. */
  location: { database?: string; schema?: string }
}

/** The rules of a type of server. */
export interface PlatformRules {
  /** The port that its servers usually have. */
  port?: string
  /** Undefined = it is not queried with SQL. */
  dialect?: QueryDialect
  /** The label of the fact that names the table; undefined = Table. */
  tableLabel?: string
  rules: readonly SnippetRule[]
}
