// The clauses of a table or view that decide which rows and values a consumer sees: row level security, policies, masks,
// the rights of a view. They are kept as text: what a policy hides depends on who asks.

/** The visibility of one table or view while the statements of a script change it. */
export class TableVisibility {
  /** Row level security of PostgreSQL, with which its policies count. */
  isRowSecurityOn = false
  isForced = false
  /** The policies of PostgreSQL by their names. */
  readonly policies = new Map<string, string>()
  /** Other clauses by what they are about: `row access policy p`, `revoke from analyst`. */
  readonly #clauses = new Map<string, string>()

  /** Adds a clause, in canonical form; one with the same key is replaced. */
  set(key: string, text: string): void {
    this.#clauses.set(key.toLowerCase(), text)
  }

  /** Adds to the text of a clause. */
  extend(key: string, text: string): void {
    const before = this.#clauses.get(key.toLowerCase())
    this.set(key, before === undefined ? text : `${before}; ${text}`)
  }

  /** Removes a clause. */
  delete(key: string): void {
    this.#clauses.delete(key.toLowerCase())
  }

  /** Removes the clauses whose key begins with a text. */
  remove(prefix: string): void {
    for (const key of this.#clauses.keys()) {
      if (key.startsWith(prefix.toLowerCase())) this.#clauses.delete(key)
    }
  }

  /** Lists the clauses in an order that does not depend on the order of the statements. */
  list(): string[] {
    const lines = [...this.#clauses.values()]
    if (this.isRowSecurityOn) {
      lines.push('row level security', ...this.policies.values())
      if (this.isForced) lines.push('force row level security')
    }
    return lines.toSorted()
  }
}
