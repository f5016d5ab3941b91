// The position of a reader in a specification. Each step down is cheap, because a contract may have a
// hundred thousand fields, and few of their positions are ever needed.

import { pointerStep, type Path, type Value } from '../text/value.ts'
import type { Specification } from './specification.ts'

/** A position in a specification. */
export class Spot {
  /**
   * A JSON pointer into the document; inside a specification that is a text, the pointer of that text.
   */
  readonly origin: string
  readonly #specification: Specification
  readonly #above: Spot | undefined
  readonly #step: string | number

  private constructor(
    specification: Specification,
    above: Spot | undefined,
    step: string | number,
  ) {
    this.#specification = specification
    this.#above = above
    this.#step = step
    if (above === undefined) this.origin = specification.origin([])
    else if (specification.text === undefined) this.origin = `${above.origin}/${pointerStep(step)}`
    else this.origin = above.origin
  }

  static top(specification: Specification): Spot {
    return new Spot(specification, undefined, '')
  }

  at(step: string | number): Spot {
    return new Spot(this.#specification, this, step)
  }

  /** Adds a warning at this position. */
  warning(message: string): void {
    this.#specification.warning(this.#path(), message)
  }

  /** Adds a warning that the part at this position cannot be read; its changes are still detected. */
  unread(part: Value, message: string): void {
    this.warning(message)
    this.#specification.unread.push(part)
  }

  #path(): Path {
    return this.#above === undefined ? [] : [...this.#above.#path(), this.#step]
  }
}
