// Random pairs of Avro schemas, the older one first. Most of their parts are alike, so that many pairs can
// be resolved.

import * as fc from 'fast-check'
import { isObject, type Value } from '../formats/text/value.ts'

type Pair = [Value, Value]

const PRIMITIVES = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string']
const NAMES = ['A', 'B', 'n.A']

const scalars: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value[]>(...PRIMITIVES),
  fc.constantFrom<Value[]>(
    { type: 'int', logicalType: 'date' },
    { type: 'long', logicalType: 'timestamp-millis' },
    { type: 'bytes', logicalType: 'decimal', precision: 4, scale: 2 },
    { type: 'string', logicalType: 'uuid' },
  ),
  fc
    .record({ name: fc.constantFrom('F', 'n.F'), size: fc.integer({ min: 1, max: 2 }) })
    .map((fixed) => ({ type: 'fixed', ...fixed })),
  fc
    .record({
      name: fc.constantFrom('E', 'n.E'),
      symbols: fc.subarray(['X', 'Y', 'Z'], { minLength: 1 }),
      aliases: fc.subarray(['E', 'n.E']),
      hasDefault: fc.boolean(),
    })
    .map(({ hasDefault, ...rest }) => ({
      type: 'enum',
      ...rest,
      ...(hasDefault ? { default: rest.symbols[0] ?? '' } : {}),
    })),
)

const presence = fc.constantFrom('both', 'both', 'both', 'both', 'before', 'after')

const { type } = fc.letrec<{ type: Pair }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthSize: 'medium', withCrossShrink: true },
    { weight: 3, arbitrary: scalars.map((one): Pair => [one, one]) },
    { weight: 1, arbitrary: fc.tuple(scalars, scalars) },
    { weight: 2, arbitrary: recordPair(tie('type'), fc.constantFrom(...NAMES)) },
    { weight: 1, arbitrary: tie('type').map((pair) => wrap(pair, 'array', 'items')) },
    { weight: 1, arbitrary: tie('type').map((pair) => wrap(pair, 'map', 'values')) },
    { weight: 3, arbitrary: unionPair(tie('type')) },
    { weight: 1, arbitrary: fc.constant<Pair>(['r.R', 'r.R']) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('type'), tie('type')).map(([a, b]): Pair => [a[0], b[1]]),
    },
  ),
}))

function wrap([before, after]: Pair, holder: string, part: string): Pair {
  return [
    { type: holder, [part]: before },
    { type: holder, [part]: after },
  ]
}

function recordPair(types: fc.Arbitrary<Pair>, names: fc.Arbitrary<string>): fc.Arbitrary<Pair> {
  const field = fc.record({ types, presence, name: fc.constantFrom('x', 'y', 'z') })
  const fields = fc.uniqueArray(field, { maxLength: 3, selector: ({ name }) => name })
  const renamed = fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, names)
  return fc
    .record({ name: names, renamed, fields, aliases: fc.subarray(NAMES) })
    .map(({ name, renamed: other = name, fields: all, aliases }): Pair => {
      const [one, two] = (['before', 'after'] as const).map((side, at) =>
        all
          .filter((given) => given.presence === 'both' || given.presence === side)
          .map((given) => ({ name: given.name, type: given.types[at] ?? null })),
      )
      return [
        { type: 'record', name, aliases, fields: one ?? [] },
        { type: 'record', name: other, fields: two ?? [] },
      ]
    })
}

function unionPair(types: fc.Arbitrary<Pair>): fc.Arbitrary<Pair> {
  const branch = fc.record({ types, presence })
  return fc.array(branch, { minLength: 1, maxLength: 4 }).map((all): Pair => {
    const [before, after] = (['before', 'after'] as const).map((side, at) =>
      all
        .filter((one) => one.presence === 'both' || one.presence === side)
        .map((one) => one.types[at] ?? null),
    )
    return [before ?? [], after ?? []]
  })
}

/** Generates pairs of legal schemas: records with the same name. */
export const avroPairs: fc.Arbitrary<Pair> = recordPair(type, fc.constant('r.R')).map(
  ([before, after]) => [legalize(before), legalize(after)],
)

/** Returns a schema that defines each name once and has each type of a union once. */
function legalize(schema: Value): Value {
  const defined = new Set<string>()
  const visit = (given: Value, namespace: string): Value => {
    if (Array.isArray(given)) return visitUnion(given, namespace)
    if (!isObject(given)) return given
    const { name, items, values, fields } = given
    if (typeof name === 'string') {
      const fullName = qualify(name, namespace)
      if (defined.has(fullName)) return fullName
      defined.add(fullName)
    }
    const inner =
      typeof name === 'string' && name.includes('.') ? (name.split('.')[0] ?? '') : namespace
    const legal = { ...given }
    if (items !== undefined) legal['items'] = visit(items, namespace)
    if (values !== undefined) legal['values'] = visit(values, namespace)
    if (Array.isArray(fields)) {
      legal['fields'] = fields.map((field) =>
        isObject(field) ? { ...field, type: visit(field['type'] ?? 'null', inner) } : field,
      )
    }
    return legal
  }
  const visitUnion = (given: readonly Value[], namespace: string): Value => {
    const branches = new Map<string, Value>()
    for (const branch of flatten(given)) {
      const key = getKey(branch, namespace)
      if (!branches.has(key)) branches.set(key, visit(branch, namespace))
    }
    return branches.size === 0 ? 'null' : [...branches.values()]
  }
  return visit(schema, '')
}

function flatten(branches: readonly Value[]): Value[] {
  return branches.flatMap((branch) => (Array.isArray(branch) ? flatten(branch) : [branch]))
}

function getKey(branch: Value, namespace: string): string {
  if (typeof branch === 'string') return PRIMITIVES.includes(branch) ? branch : qualify(branch, '')
  if (!isObject(branch)) return ''
  const { name, type } = branch
  return typeof name === 'string' ? qualify(name, namespace) : typeof type === 'string' ? type : ''
}

function qualify(name: string, namespace: string): string {
  return name.includes('.') || namespace === '' ? name : `${namespace}.${name}`
}
