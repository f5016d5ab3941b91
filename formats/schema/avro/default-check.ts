// Warns about defaults that do not fit their types.

import { asText, clip, getField, jsonText, type ObjectValue, type Value } from '../../text/value.ts'
import type { Spot } from '../spot.ts'
import { fitsType } from './default.ts'
import type { NamedTypes } from './names.ts'

/** Checks the defaults of one schema. */
export class DefaultCheck {
  readonly #types: NamedTypes
  // A record is read wherever it is used.
  readonly #checked = new Set<Value>()

  constructor(types: NamedTypes) {
    this.#types = types
  }

  /** Warns at the default of a field that does not fit its type, `given`. */
  checkField(
    field: Value,
    spot: Spot,
    { given, namespace }: { given: Value | undefined; namespace: string | undefined },
  ): void {
    const value = getField(field, 'default')
    if (value === undefined || this.#isChecked(field)) return
    if (fitsType(given, value, { types: this.#types, namespace, isAnyBranch: true })) return
    const type = clip(asText(given) ?? asText(getField(given, 'type')) ?? 'of the field')
    warn(spot, `${clip(jsonText(value))} does not fit the type ${type}`, 'one that fits')
  }

  /** Warns at the default of an enum that is none of its symbols. */
  checkEnum(schema: ObjectValue, spot: Spot): void {
    const symbol = getField(schema, 'default')
    if (symbol === undefined || getField(schema, 'type') !== 'enum') return
    if (this.#isChecked(schema) || fitsType(schema, symbol)) return
    warn(spot, `${clip(jsonText(symbol))} is none of the symbols`, 'one of them')
  }

  #isChecked(part: Value): boolean {
    return this.#checked.size === this.#checked.add(part).size
  }
}

function warn(spot: Spot, problem: string, better: string): void {
  const message = `The default ${problem}, so libraries reject the schema; write ${better}, or remove it.`
  spot.at('default').warning(message)
}
