// Builds an object of an ODCS document: its fields, with custom properties for values without a field.

import type { ObjectValue, Value } from '../../text/value.ts'

/** An object under construction. */
export class Draft {
  readonly #fields = new Map<string, Value>()
  readonly #custom: Value[] = []
  readonly #definitions: Value[] = []

  has(name: string): boolean {
    return this.#fields.has(name)
  }

  get(name: string): Value | undefined {
    return this.#fields.get(name)
  }

  /** Sets a field, unless the value is undefined. */
  set(name: string, value: Value | undefined): void {
    if (value !== undefined) this.#fields.set(name, value)
  }

  delete(name: string): void {
    this.#fields.delete(name)
  }

  /** Adds a custom property, unless the value is undefined. */
  add(property: string, value: Value | undefined): void {
    if (value !== undefined) this.#custom.push({ property, value })
  }

  define(type: string, url: string, description?: string): void {
    this.#definitions.push({ url, type, ...(description === undefined ? {} : { description }) })
  }

  result(): ObjectValue {
    const custom = this.#custom.length === 0 ? [] : [['customProperties', this.#custom] as const]
    const definitions =
      this.#definitions.length === 0
        ? []
        : [['authoritativeDefinitions', this.#definitions] as const]
    return Object.fromEntries([...this.#fields, ...definitions, ...custom])
  }
}
