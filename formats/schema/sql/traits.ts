// The properties of models that only SQL scripts state.

/** Names of properties that only SQL scripts state. */
export const SQL_TRAITS = {
  /** The clauses of the primary key of a model: `["deferrable"]`. */
  primaryKey: 'clauses.primaryKey',
  /** The clauses of the constraint that makes the values of a field unique. */
  unique: 'clauses.unique',
  /** The clauses of foreign keys of a field, by their targets: `{"customer.id": ["on delete cascade"]}`. */
  references: 'clauses.references',
  /** The clauses that decide which rows and values a consumer sees: row level security, policies, masks. */
  visibility: 'visibility',
  /** The names in quotes that keep their case: `{"orders": "always"}`; `sometimes` if they also are outside of quotes. */
  quotedNames: 'quotedNames',
} as const

/** The effect of a clause on the data that a constraint allows; `unknown` clauses may allow more. */
type ClauseEffect = 'less' | 'more' | 'unknown'

const MORE =
  /^(?:not valid|novalidate|not enforced|disable|no inherit|deferrable|initially deferred|not for replication|only|where .*)$/s
const LESS = /^(?:nulls not distinct|match full|enforced|without overlaps|".*" \( \d+ \))$/s

/** Returns whether a constraint with the clause allows less or more data than without it. */
export function getClauseEffect(clause: string): ClauseEffect {
  if (MORE.test(clause)) return 'more'
  return LESS.test(clause) ? 'less' : 'unknown'
}

/** A rule that a script states: a unique key or a condition. */
interface SqlRule {
  kind: 'unique' | 'check'
  /** The columns of the key, or the condition. */
  body: string
  /** Undefined if the rule cannot be split at its clauses. */
  clauses: string[]
}

/** The text between the clauses of a rule. */
const SEPARATOR = '; '

/** Writes a rule as the text of a quality check: `unique (a, b); nulls not distinct`, `check (a > b); not valid`. */
export function writeSqlRule({ kind, body, clauses }: SqlRule): string {
  if (kind === 'check' && clauses.length === 0) return body
  return [`${kind} (${body})`, ...clauses.toSorted()].join(SEPARATOR)
}

/** Parses the text of a rule that a script states. A text without a kind is a condition. */
export function parseSqlRule(text: string): SqlRule {
  const match = /^(unique|check) \(/.exec(text)
  const kind = match?.[1]
  const end = findClosing(text, match?.[0].length ?? text.length)
  const rest = text.slice(end + 1)
  const isRule = end !== -1 && (rest === '' || rest.startsWith(SEPARATOR))
  if ((kind !== 'unique' && kind !== 'check') || !isRule) {
    return { kind: 'check', body: text, clauses: [] }
  }
  const clauses = rest === '' ? [] : rest.slice(SEPARATOR.length).split(SEPARATOR)
  return { kind, body: text.slice(match?.[0].length, end), clauses }
}

// The parenthesis that closes the one before `from`; -1 if there is none. Parentheses in quotes do not count.
function findClosing(text: string, from: number): number {
  let depth = 1
  for (const { 0: sign, index } of text
    .slice(from)
    .matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]/g)) {
    if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    if (depth === 0) return from + index
  }
  return -1
}
