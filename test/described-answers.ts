/**
 * Finds the members of real responses that the OpenAPI document does not describe. Documents may have further members,
 * so a schema that allows them would accept a member of Portbook that it forgets.
 */

/** The parts of a JSON Schema that are compared. */
export interface AnswerSchema {
  $ref?: string
  anyOf?: readonly AnswerSchema[]
  oneOf?: readonly AnswerSchema[]
  allOf?: readonly AnswerSchema[]
  type?: string | readonly string[]
  enum?: readonly unknown[]
  items?: AnswerSchema
  properties?: Readonly<Record<string, AnswerSchema>>
  additionalProperties?: AnswerSchema | boolean
}

/** A schema without references and choices, with its name: `Access.provider`. */
interface NamedSchema {
  name: string
  schema: AnswerSchema
}

/** Gaps of the document, by the names of schemas: `Access.provider.teamId`. */
export interface Gaps {
  /** Members that no schema of the value lists. */
  members: Set<string>
  /** Objects, and lists of objects, whose schema allows any JSON. */
  untyped: Set<string>
}

/** Adds what a schema with the given name does not describe of a value. */
export function addGaps(
  gaps: Gaps,
  components: Readonly<Record<string, AnswerSchema>>,
  name: string,
  schema: AnswerSchema,
  value: unknown,
): void {
  compareValue(gaps, components, expand(components, { name, schema }), value)
}

type Components = Readonly<Record<string, AnswerSchema>>

function compareValue(
  gaps: Gaps,
  components: Components,
  candidates: readonly NamedSchema[],
  value: unknown,
): void {
  if (typeof value !== 'object' || value === null) return
  const named = candidates.filter(({ schema }) => isTyped(schema))
  if (named.length === 0) {
    if (!isPlainList(value)) gaps.untyped.add(candidates[0]?.name ?? '')
    return
  }
  if (Array.isArray(value)) {
    const items = named.flatMap(({ name, schema }) =>
      schema.items === undefined
        ? []
        : expand(components, { name: `${name}[]`, schema: schema.items }),
    )
    const any = [{ name: `${getOpenName(named)}[]`, schema: {} }]
    for (const item of value) compareValue(gaps, components, items.length > 0 ? items : any, item)
    return
  }
  for (const [member, nested] of Object.entries(value)) {
    const found = named.flatMap(({ name, schema }) => findMember(name, schema, member))
    if (found.length === 0) gaps.members.add(`${getOpenName(named)}.${member}`)
    else if (!found.every(isAnyValueOfMap)) {
      compareValue(
        gaps,
        components,
        found.flatMap((one) => expand(components, one)),
        nested,
      )
    }
  }
}

// One of several schemas may allow further members.
function getOpenName(candidates: readonly NamedSchema[]): string {
  const open = candidates.find(({ schema }) => typeof schema.additionalProperties === 'object')
  return (open ?? candidates[0])?.name ?? ''
}

/** A member of a schema, or the values of a map with names that clients choose. */
interface FoundMember extends NamedSchema {
  isOfMap: boolean
}

function findMember(name: string, schema: AnswerSchema, member: string): FoundMember[] {
  const { properties, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, member)) {
    return [{ name: `${name}.${member}`, schema: properties[member] ?? {}, isOfMap: false }]
  }
  const isMap = properties === undefined || Object.keys(properties).length === 0
  if (!isMap || typeof additionalProperties !== 'object') return []
  return [{ name: `${name}.*`, schema: additionalProperties, isOfMap: true }]
}

// The values of a map without a schema are the client's.
function isAnyValueOfMap({ schema, isOfMap }: FoundMember): boolean {
  return isOfMap && Object.keys(schema).length === 0
}

/** Returns the schemas of which a value may have one. */
function expand(components: Components, { name, schema }: NamedSchema): NamedSchema[] {
  const { $ref, anyOf = [], oneOf = [], allOf = [], ...own } = schema
  const target = $ref?.split('/').at(-1)
  const referred =
    target === undefined
      ? []
      : expand(components, { name: target, schema: components[target] ?? {} })
  const chosen = [...anyOf, ...oneOf, ...allOf].flatMap((one) =>
    expand(components, { name, schema: one }),
  )
  const others = [...referred, ...chosen]
  return others.length > 0 && !isTyped(own) ? others : [...others, { name, schema: own }]
}

function isTyped({ type, items, properties, additionalProperties }: AnswerSchema): boolean {
  return [type, items, properties, additionalProperties].some((part) => part !== undefined)
}

// A list of texts and numbers has no members.
function isPlainList(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null)
}
