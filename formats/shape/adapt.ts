// Adapts official shapes to documents in practice. Used in the overlays of the standards.

import type { Adapt } from './from-json-schema.ts'
import type { ObjectShape, Shape, TextShape } from './shape.ts'

/** Adds common values, allowed values or advice to a text. */
export function adaptText(options: Omit<TextShape, 'kind'>): Adapt {
  return (official) => (official.kind === 'text' ? { ...official, ...options } : official)
}

interface ObjectOptions extends Partial<
  Pick<ObjectShape, 'recommended' | 'required' | 'rules' | 'hint'>
> {
  fields?: { readonly [name: string]: Shape }
  seen?: { readonly [name: string]: Shape }
  instead?: { readonly [name: string]: string }
}

/** Adds fields, rules or advice to an object. */
export function adaptObject({
  fields = {},
  seen = {},
  instead = {},
  ...rest
}: ObjectOptions): Adapt {
  return (official) => {
    if (official.kind !== 'object') return official
    return {
      ...official,
      fields: new Map([...official.fields, ...Object.entries(fields)]),
      seen: new Map(Object.entries(seen)),
      instead: new Map(Object.entries(instead)),
      ...rest,
    }
  }
}

/** Also reads another shape; `hint` is the message about it. */
export function alsoRead(seen: Shape | ((official: Shape) => Shape), hint: string): Adapt {
  return (official) => ({
    kind: 'either',
    official,
    seen: typeof seen === 'function' ? seen(official) : seen,
    hint,
  })
}
