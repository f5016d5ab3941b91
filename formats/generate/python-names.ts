import { Scope } from '../schema/identifier.ts'
import type { Field, Model } from '../schema/model.ts'

// Keywords, the attributes of a class of Pydantic, and the types that annotations refer to: a field of that name
// would hide them.
const RESERVED = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from
  global if import in is lambda nonlocal not or pass raise return try while with yield
  str int float bool bytes list dict copy json dict schema schema_json construct validate parse_obj parse_raw
  parse_file from_orm update_forward_refs dt Any BaseModel ConfigDict Decimal Field Literal UUID`.split(
    /\s+/,
  ),
)

const NAME_CHARACTERS_MAX = 80

/** The names of the classes of models and of objects in them. */
export interface ClassNames {
  of: ReadonlyMap<Model | Field, string>
  all: ReadonlySet<string>
}

/** Names the classes of all models first, then those of the objects in them. */
export function nameClasses(models: readonly Model[]): ClassNames {
  const scope = new Scope(RESERVED)
  const names = new Map<Model | Field, string>()
  for (const model of models) names.set(model, scope.identifier(toPascal(model.name)))
  // The items of an array, and keys and values, have no name of their own.
  const nameNested = (field: Field, wish: string): void => {
    const name = wish.slice(0, NAME_CHARACTERS_MAX)
    if (field.fields !== undefined) names.set(field, scope.identifier(name))
    const own = names.get(field) ?? name
    for (const part of listParts(field)) nameNested(part, own)
    for (const one of field.fields ?? []) nameNested(one, `${own}${toPascal(one.name)}`)
  }
  for (const model of models) {
    const own = names.get(model) ?? ''
    for (const field of model.fields) nameNested(field, `${own}${toPascal(field.name)}`)
  }
  return { of: names, all: new Set(names.values()) }
}

/** Lists the fields that are not members of a field: the items of an array, keys and values, alternatives. */
export function listParts({ items, keys, values, branches = [] }: Field): Field[] {
  return [items, keys, values, ...branches].filter((part) => part !== undefined)
}

/** Names the attributes of a class; another name than that of the field needs an alias. */
export function nameAttributes(fields: readonly Field[], classes: ClassNames): string[] {
  const scope = new Scope()
  return fields.map(({ name }) => {
    const letters = name.replaceAll(/[^A-Za-z0-9_]/g, '_')
    // Pydantic keeps names with a leading underscore, and those with model_, for itself.
    let usable = /^(?:[^A-Za-z]|model_)/.test(letters) ? `field_${letters}` : letters
    while (RESERVED.has(usable) || classes.all.has(usable)) usable += '_'
    return scope.unique(usable === '' ? 'field_' : usable)
  })
}

function toPascal(name: string): string {
  const words = name.slice(0, NAME_CHARACTERS_MAX).split(/[^A-Za-z0-9]+/)
  const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
  return /^[A-Za-z]/.test(joined) ? joined : `Model${joined}`
}
