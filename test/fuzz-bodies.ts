/** Random bodies for random requests. */

import * as fc from 'fast-check'
import { ODD_TEXTS } from './fuzz-values.ts'
import { physicalTypes, schemaTexts, type SchemaText } from './schema-texts.ts'
import { dcs, dps, odcs, odps } from './world.ts'

/** Damage to bytes: each item is a position, a kind and a byte. */
export const damage = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom('set', 'insert', 'cut'), fc.nat(255)),
  {
    minLength: 1,
    maxLength: 6,
  },
)

/** Damages the bytes of a request. */
export function damageBytes(
  bytes: Buffer,
  marks: readonly (readonly [number, string, number])[],
): Buffer {
  let result = bytes
  for (const [place, kind, byte] of marks) {
    const at = result.length === 0 ? 0 : place % result.length
    const after = kind === 'insert' ? at : kind === 'cut' ? at + 1 + (byte % 16) : at + 1
    const between = kind === 'cut' ? Buffer.alloc(0) : Buffer.from([byte])
    result = Buffer.concat([result.subarray(0, at), between, result.subarray(after)])
  }
  return result
}

/** Generates true, except once in the given number plus one. */
export function mostlyTrue(times: number): fc.Arbitrary<boolean> {
  return fc.nat(times).map((number) => number > 0)
}

/** A body whose document is chosen once the request's id is known. */
export interface BodyMaker {
  isYaml: boolean
  /** Whether it is also sent to endpoints without a body. */
  isUnasked: boolean
  /** Creates a body; `shaped` is a value of the endpoint's schema, for endpoints that take no document. */
  make(
    room: string,
    id: string,
    teamIds: readonly string[],
    shaped: fc.JsonValue | undefined,
  ): Buffer
}

type Json = fc.JsonValue

type MutationKind = 'replace' | 'remove' | 'add' | 'wrap'

type Mutation = readonly [pick: number, kind: MutationKind, leaf: Json, key: string]

const key = fc.oneof(
  fc.constantFrom(
    'id',
    'name',
    'team',
    'info',
    'owner',
    'status',
    'tags',
    'outputPorts',
    'inputPorts',
    'kind',
    'apiVersion',
    'dataProductSpecification',
    'custom',
    'customProperties',
    'links',
    'members',
    'parent',
    'type',
    'product',
    'schema',
    '__proto__',
    'constructor',
    '',
    '\u0000',
    'ﬁ',
    '‮',
  ),
  fc.string({ maxLength: 6 }),
)

const leaf: fc.Arbitrary<fc.JsonValue> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<fc.JsonValue>(
    '',
    ' ',
    'a',
    'b',
    'x'.repeat(300),
    '\u0000',
    '\ud800',
    '‮',
    '2026-02-30',
    'active',
    'v1.0.0',
    0,
    -0,
    1e21,
    1.5,
    2 ** 53,
    true,
    null,
    [],
    {},
    [[]],
    [{}],
    { property: 'a', value: 1 },
  ),
)

const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.tuple(
    fc.nat(),
    fc.constantFrom<MutationKind[]>('replace', 'remove', 'add', 'wrap'),
    leaf,
    key,
  ),
  { maxLength: 4 },
)

/** Generates bodies: a valid document, a document with a few changes, or something else. */
export const bodies: fc.Arbitrary<BodyMaker> = fc
  .record({
    kind: fc.nat(20),
    isYaml: fc.boolean(),
    isUnasked: fc.nat(20).map((number) => number === 0),
    isDps: fc.boolean(),
    isOwn: mostlyTrue(5),
    mutations,
    marks: damage,
    json: fc.json({ maxDepth: 4 }),
    odd: fc.constantFrom(...ODD_TEXTS),
    bytes: fc.uint8Array({ maxLength: 64 }),
    team: fc.nat(),
    isLarge: fc.nat(300).map((number) => number === 0),
    version: fc.nat(5),
    schema: schemaTexts,
    physicalType: physicalTypes,
  })
  .map((drawn) => ({
    isYaml: drawn.isYaml,
    isUnasked: drawn.isUnasked,
    make(room, pathId, teamIds, shaped) {
      const id = drawn.isOwn ? pathId : 'another'
      const team = teamIds[drawn.team % teamIds.length] ?? ''
      const base = shaped ?? documentFor(room, id, team, drawn)
      const document = drawn.mutations.reduce<Json>(
        (value, mutation) => mutated(value, mutation),
        base,
      )
      if (drawn.isLarge) return Buffer.from(JSON.stringify({ base, x: 'x'.repeat(1_100_000) }))
      const text = drawn.isYaml ? yamlish(document) : JSON.stringify(document)
      // Eight in twenty are unchanged; the base by itself is nearly always valid.
      if (drawn.kind < 6) return Buffer.from(JSON.stringify(base))
      if (drawn.kind < 14) return Buffer.from(text)
      if (drawn.kind < 16) return damageBytes(Buffer.from(text), drawn.marks)
      if (drawn.kind < 17) return Buffer.from(drawn.json)
      if (drawn.kind < 20) return Buffer.from(drawn.odd)
      return Buffer.from(drawn.bytes)
    },
  }))

interface Drawn {
  isDps: boolean
  version: number
  schema: SchemaText
  physicalType: string
}

function documentFor(
  room: string,
  id: string,
  team: string,
  drawn: Drawn,
): { [name: string]: fc.JsonValue } {
  const ports = [{ name: 'out', version: String(drawn.version), contractId: `c${drawn.version}` }]
  if (room === 'teams') {
    const members = [{ emailAddress: `m${drawn.version}@example.test`, role: 'Owner' }]
    return {
      id,
      name: `Team ${drawn.version}`,
      type: 'Team',
      members,
      tags: ['t'],
      custom: { a: 1 },
    }
  }
  if (room === 'api-keys') {
    return {
      scope: drawn.isDps ? 'team' : 'team_read',
      teamId: team,
      displayName: 'Fuzz',
      expiresAt: '2999-01-01',
    }
  }
  if (room === 'datacontracts') return contractFor(id, team, drawn)
  if (room === 'access' || room === 'datausageagreements') return agreementFor(id, team)
  if (room === 'assets') {
    const info = { name: 'T', type: 'postgres_table', source: 'postgres' }
    const columns = [{ name: `c${drawn.version}`, type: 'integer', primaryKey: true }]
    return { id, info: drawn.isDps ? info : { ...info, owner: team }, columns, tags: ['t'] }
  }
  const document = drawn.isDps
    ? dps(id, {
        info: { title: 'T', owner: team },
        outputPorts: [{ id: 'o', name: 'o', dataContractId: 'c' }],
      })
    : odps(id, {
        team: { name: team },
        outputPorts: ports,
        inputPorts: ports,
        version: String(drawn.version),
      })
  return document as { [name: string]: fc.JsonValue }
}

// An agreement, and the members of the bodies of the addresses below it.
function agreementFor(id: string, team: string): { [name: string]: fc.JsonValue } {
  return {
    id,
    info: { purpose: 'Reports', startDate: '2026-01-01' },
    provider: { dataProductId: id, outputPortId: 'out' },
    consumer: { teamId: team },
    status: 'provisioned',
    platform: 'p',
    subject: { type: 'user', id: 'current_user' },
    resource: { type: 'data_product', id: 'p1', properties: { outputPortId: 'out' } },
    action: { name: 'query' },
  }
}

function contractFor(id: string, team: string, drawn: Drawn): { [name: string]: fc.JsonValue } {
  const properties = [
    { name: 'a', logicalType: 'integer', physicalType: 'decimal(10,2)', required: true },
    {
      name: 'b',
      logicalType: 'object',
      properties: [{ name: 'c', physicalType: drawn.physicalType }],
    },
  ]
  const document = drawn.isDps
    ? dcs(id, {
        dataContractSpecification: '0.9.3',
        info: { title: 'T', version: '1', owner: team },
        models: { m: { fields: { f: { type: 'text', $ref: '#/definitions/d' } } } },
        definitions: { d: { type: 'text', enum: ['x'] } },
        schema: { ...drawn.schema },
      })
    : odcs(id, {
        // Some contracts name no owner.
        team: drawn.version % 3 === 0 ? {} : { name: team },
        version: String(drawn.version),
        servers: [{ server: 's', type: 'postgresql', host: 'h', port: 5432 }],
        schema: [{ name: 'm', properties }],
        slaProperties: [{ property: 'retention', value: drawn.version, unit: 'd' }],
      })
  return document as { [name: string]: fc.JsonValue }
}

type Path = (string | number)[]

/** Changes one position in a value, selected by number. */
function mutated(value: fc.JsonValue, [pick, kind, leaf, key]: Mutation): fc.JsonValue {
  const paths = pathsIn(value)
  const path = paths[pick % paths.length] ?? []
  return changedAt(value, path, (old) => {
    if (kind === 'replace') return leaf
    if (kind === 'wrap') return [old]
    if (kind === 'remove') return undefined
    return isRecord(old) ? { ...old, [key]: leaf } : Array.isArray(old) ? [...old, leaf] : leaf
  })
}

function pathsIn(value: fc.JsonValue, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  const entries: [string | number, fc.JsonValue][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value as Record<string, fc.JsonValue>)
  return [at, ...entries.flatMap(([name, inner]) => pathsIn(inner, [...at, name]))]
}

function changedAt(
  value: fc.JsonValue,
  [name, ...rest]: Path,
  change: (old: fc.JsonValue) => fc.JsonValue | undefined,
): fc.JsonValue {
  if (name === undefined) return change(value) ?? null
  if (Array.isArray(value)) {
    return value.flatMap((inner, index) => {
      if (index !== name) return [inner]
      if (rest.length > 0) return [changedAt(inner, rest, change)]
      const changed = change(inner)
      return changed === undefined ? [] : [changed]
    })
  }
  if (!isRecord(value)) return value
  const changed =
    rest.length > 0 ? changedAt(value[name] ?? null, rest, change) : change(value[name] ?? null)
  const { [name]: _, ...others } = value
  return changed === undefined ? others : { ...others, [name]: changed }
}

function isRecord(value: fc.JsonValue | undefined): value is { [name: string]: fc.JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Writes a value as YAML: the top level in block style, the rest in flow style, which is JSON. */
function yamlish(value: fc.JsonValue): string {
  if (!isRecord(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(([name, inner]) => `${JSON.stringify(name)}: ${JSON.stringify(inner)}\n`)
    .join('')
}
