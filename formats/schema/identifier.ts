// Names for languages in which a name is letters, digits and `_`. Catalogs know other names too, `Order Total`; they
// are changed as little as possible, and no two of a scope become the same.

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/

// An identifier like any other, but libraries that keep their types in JavaScript's objects stumble over it.
const UNUSABLE = '__proto__'

/** Tells whether a text is letters, digits and `_`, and begins with no digit. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text) && text !== UNUSABLE
}

/** Gives names of which no two are the same. */
export class Scope {
  readonly #taken: Set<string>
  readonly #numbers = new Map<string, number>()

  /** The names that are to stay free. */
  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set(taken)
  }

  /** Gives the name itself where it is an identifier and still free, else one like it. */
  identifier(name: string): string {
    const letters = name.replace(/[^A-Za-z0-9_]/g, '_')
    const wanted = /^[A-Za-z_]/.test(letters) ? letters : `_${letters}`
    return this.unique(wanted === UNUSABLE ? `${wanted}_` : wanted)
  }

  /** Takes all of the names, or none when one of them is taken or stands there twice. */
  takeAll(names: readonly string[]): boolean {
    const isFree = names.every((name) => !this.#taken.has(name))
    if (!isFree || new Set(names).size < names.length) return false
    for (const name of names) this.#taken.add(name)
    return true
  }

  /** Gives the name where it is still free, else the name and a number. */
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
