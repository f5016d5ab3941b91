// Names for languages whose names consist of letters, digits and `_`. Names of a catalog such as `Order
// Total` are changed as little as possible, and stay distinct within a scope.

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

// A valid identifier that breaks libraries which store types in JavaScript objects.
const UNUSABLE = '__proto__'

/** Returns whether a text consists of letters, digits and `_`, and does not begin with a digit. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && text !== UNUSABLE
}

/** Assigns distinct names. */
export class Scope {
  readonly #taken: Set<string>
  readonly #numbers = new Map<string, number>()

  /** Names that must not be assigned. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  /** Returns the name if it is an identifier and still free, else a similar one. */
  identifier(name: string): string {
    const letters = name.replace(/[^A-Za-z0-9_]/g, '_')
    const wanted = /^[A-Za-z_]/.test(letters) ? letters : `_${letters}`
    return this.unique(wanted === UNUSABLE ? `${wanted}_` : wanted)
  }

  /** Assigns all names, or none if one of them is assigned or repeated. */
  takeAll(names: readonly string[]): boolean {
    const isFree = names.every((name) => !this.#taken.has(name))
    if (!isFree || new Set(names).size < names.length) return false
    for (const name of names) this.#taken.add(name)
    return true
  }

  /** Returns the name if it is free, else the name with a number. */
  unique(name: string): string {
    let unique = name
    for (let number = this.#numbers.get(name) ?? 2; this.#taken.has(unique); number += 1) {
      unique = `${name}_${number}`
      this.#numbers.set(name, number)
    }
    this.#taken.add(unique)
    return unique
  }
}
