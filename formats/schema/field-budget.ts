// A small text can describe a huge model, because what is defined once may be used many times, also inside itself. So
// readers count what they build.

/** What readers may build of one document. */
export interface FieldLimits {
  /** Fields of all models together, nested ones and items of arrays included. */
  fieldsMax: number
  /** How deep fields may stand in each other. */
  depthMax: number
}

/** Where every field is written out, so that the text itself bounds them. */
export const WRITTEN_FIELDS: FieldLimits = { fieldsMax: 100_000, depthMax: 32 }

/** Where a part may be used again by its name: twenty lines could otherwise stand for a million fields. */
export const REFERRED_FIELDS: FieldLimits = { fieldsMax: 10_000, depthMax: 16 }

/** Counts the fields that are read. */
export class FieldBudget {
  readonly #limits: FieldLimits
  #left: number
  #isWarned = false
  #isExceeded = false

  constructor(limits: FieldLimits) {
    this.#limits = limits
    this.#left = limits.fieldsMax
  }

  /** Whether there are fields that were not read. */
  get isExceeded(): boolean {
    return this.#isExceeded
  }

  /** Takes one field; false, with a warning the first time, when there is none left. */
  take(warn: (message: string) => void): boolean {
    if (this.#left > 0) {
      this.#left -= 1
      return true
    }
    this.#isExceeded = true
    if (!this.#isWarned) {
      this.#isWarned = true
      warn(
        `The models have more than ${this.#limits.fieldsMax} fields in all; the rest is not read.`,
      )
    }
    return false
  }

  /** Tells whether fields may stand at a depth; notes a warning when not. */
  reaches(depth: number, warn: (message: string) => void): boolean {
    const { depthMax } = this.#limits
    if (depth <= depthMax) return true
    this.#isExceeded = true
    warn(`Fields stand more than ${depthMax} deep here; what is deeper is not read.`)
    return false
  }
}
