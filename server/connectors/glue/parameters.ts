import { parseCount } from '../asset-parts.ts'
import type { GlueTable } from './answers.ts'

/** The parameters of a table or a column: texts that engines and crawlers add. */
export class Parameters {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: GlueTable['Parameters']) {
    this.#values = values ?? {}
  }

  /** Returns a text; undefined = it is absent or empty. */
  get(name: string): string | undefined {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  /** Returns the first of these parameters that is a count; engines write -1 for unknown. */
  getCount(...names: readonly string[]): number | undefined {
    return names.map((name) => parseCount(this.get(name))).find((count) => count !== undefined)
  }
}
