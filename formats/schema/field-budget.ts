// A small text can describe a huge model, because a definition may be used many times, even inside
// itself. So readers count the fields that they create.

/** The limits of a document's models. */
interface FieldLimits {
  /** The number of fields in all models, including nested fields and items of arrays. */
  fieldsMax: number
  /** The depth of nested fields. */
  depthMax: number
}

/** The limits of schemas without references, whose size is bounded by that of the text. */
export const WRITTEN_FIELDS: FieldLimits = { fieldsMax: 100_000, depthMax: 32 }

/**
 * The limits of schemas whose parts can be referenced by name: twenty lines could define a million
 * fields.
 */
export const REFERRED_FIELDS: FieldLimits = { fieldsMax: 10_000, depthMax: 16 }

/** Counts the fields of models. */
export class FieldBudget {
  readonly #limits: FieldLimits
  #left: number
  #isWarned = false
  #isExceeded = false

  constructor(limits: FieldLimits) {
    this.#limits = limits
    this.#left = limits.fieldsMax
  }

  /** Whether some fields were not read. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /**
   * Takes one field from the budget; returns false, with a warning the first time, when none is left.
   */
  take(warn: (message: string) => void): boolean {
    if (this.#left > 0) {
      this.#left -= 1
      return true
    }
    this.#isExceeded = true
    if (!this.#isWarned) {
      this.#isWarned = true
      warn(
        `The models have more than ${this.#limits.fieldsMax} fields in total; the rest is not read.`,
      )
    }
    return false
  }

  /** Returns whether fields may be nested at a depth; warns if not. */
  reaches(depth: number, warn: (message: string) => void): boolean {
    const { depthMax } = this.#limits
    if (depth <= depthMax) return true
    this.#isExceeded = true
    warn(`Fields are nested more than ${depthMax} levels deep here; deeper ones are not read.`)
    return false
  }
}
