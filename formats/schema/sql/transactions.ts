// Transactions of a script: what is rolled back was not executed.

import type { SqlStatement, SqlToken } from './scan.ts'
import type { Platform } from '../types/native-type.ts'

// Elsewhere, a statement that defines something commits by itself.
const ROLLS_BACK: ReadonlySet<Platform | undefined> = new Set<Platform | undefined>([
  'postgresql',
  'sqlserver',
  undefined,
])

/** Returns the statements without those that the script rolls back. A transaction that stays open was executed. */
export function withoutRollbacks(
  statements: Iterable<SqlStatement>,
  platform: Platform | undefined,
): Iterable<SqlStatement> {
  if (!ROLLS_BACK.has(platform)) return statements
  const transactions = new Transactions()
  for (const statement of statements) transactions.add(statement)
  return transactions.kept
}

class Transactions {
  readonly kept: SqlStatement[] = []
  /** The number of statements before the open transaction. */
  #start: number | undefined
  /** SQL Server counts transactions: only the last COMMIT ends them. */
  #depth = 0
  readonly #savepoints = new Map<string, number>()

  add(statement: SqlStatement): void {
    const words = statement.tokens.slice(0, WORDS_MAX).map(toWord)
    const [first = ''] = words
    const rest = words.slice(1).filter((word) => !/^(?:tran|transaction|work)$/.test(word))
    const isChained = rest[0] === 'and' && rest[1] === 'chain'
    if (isBegin(words)) this.#begin()
    else if (/^save(?:point)?$/.test(first)) this.#savepoints.set(rest[0] ?? '', this.kept.length)
    else if (first === 'rollback' || first === 'abort') this.#rollback(rest, isChained)
    else if (first === 'commit' || (first === 'end' && rest.length === 0)) {
      this.#commit(isChained)
      this.kept.push(statement)
    } else {
      // `if @@error <> 0 rollback`: whether it is executed is not known.
      const isConditional =
        /^(?:if|begin|else|end|while)$/.test(first) && statement.tokens.some(isEnd)
      if (isConditional) this.#start = undefined
      this.kept.push(statement)
    }
  }

  #begin(): void {
    this.#depth = this.#start === undefined ? 1 : this.#depth + 1
    if (this.#start !== undefined) return
    this.#start = this.kept.length
    this.#savepoints.clear()
  }

  #commit(isChained: boolean): void {
    this.#depth -= 1
    if (this.#depth > 0) return
    this.#start = undefined
    if (isChained) this.#begin()
  }

  // `rollback to savepoint a`; SQL Server: `rollback transaction a`.
  #rollback(rest: readonly string[], isChained: boolean): void {
    if (this.#start === undefined) return
    const name = rest[0] === 'to' ? rest.at(-1) : rest[0]
    const savepoint = this.#savepoints.get(name ?? '')
    if (savepoint !== undefined) this.kept.length = Math.min(this.kept.length, savepoint)
    else if (rest[0] !== 'to') {
      this.kept.length = this.#start
      this.#start = undefined
      if (isChained) this.#begin()
    }
  }
}

/** Enough words to recognize a statement about transactions. */
const WORDS_MAX = 6

function toWord({ kind, text }: SqlToken): string {
  return kind === 'word' || kind === 'name' ? text.toLowerCase() : ''
}

// `begin;` starts a transaction; before a statement, BEGIN opens a block.
function isBegin([first, second]: readonly string[]): boolean {
  if (first === 'start') return second === 'transaction'
  if (first !== 'begin') return false
  return (
    second === undefined || /^(?:tran|transaction|work|isolation|read|deferrable|not)$/.test(second)
  )
}

function isEnd({ kind, text }: SqlToken): boolean {
  return kind === 'word' && /^(?:commit|rollback)$/i.test(text)
}
