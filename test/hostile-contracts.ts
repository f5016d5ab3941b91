/** Hostile contracts, one trick each: the work for a small text must stay small. */

/** A hostile document, as the body of a PUT. */
export interface HostileContract {
  trick: string
  text: string
  mediaType: 'application/json' | 'application/yaml'
  /** The expected status of the PUT: stored with warnings, or rejected. */
  status: 200 | 400 | 413 | 422
}

const MEBIBYTE = 1024 * 1024

const withSchema = (type: string, specification: unknown): string =>
  JSON.stringify({
    dataContractSpecification: '0.9.3',
    id: 'hostile',
    info: { title: 'Hostile', version: '1', owner: 'a' },
    schema: { type, specification },
  })

const odcsWith = (more: object): string =>
  JSON.stringify({
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'hostile',
    version: '1',
    status: 'active',
    team: { name: 'a' },
    ...more,
  })

const json = (trick: string, text: string, status: HostileContract['status'] = 200) => ({
  trick,
  text,
  status,
  mediaType: 'application/json' as const,
})

const yaml = (trick: string, text: string, status: HostileContract['status']) => ({
  trick,
  text,
  status,
  mediaType: 'application/yaml' as const,
})

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/**
 * Creates a JSON Schema whose definitions each contain two of the next: expanded, it has 2^count fields.
 */
function doublingSchema(count: number): object {
  const definitions = range(count).map((at) => [
    `d${at}`,
    {
      type: 'object',
      properties:
        at + 1 < count
          ? { a: { $ref: `#/definitions/d${at + 1}` }, b: { $ref: `#/definitions/d${at + 1}` } }
          : { leaf: { type: 'string' } },
    },
  ])
  return {
    title: 'doubling',
    type: 'object',
    definitions: Object.fromEntries(definitions),
    properties: { top: { $ref: '#/definitions/d0' } },
  }
}

/** Creates Avro records that each contain two of the next, by name. */
function doublingAvro(count: number): object {
  const record = (at: number): object => ({
    type: 'record',
    name: `r${at}`,
    fields:
      at + 1 < count
        ? [
            { name: 'a', type: record(at + 1) },
            { name: 'b', type: `r${at + 1}` },
          ]
        : [{ name: 'leaf', type: 'string' }],
  })
  return record(0)
}

const cyclicSchema = {
  title: 'cyclic',
  type: 'object',
  $defs: {
    a: { type: 'object', properties: { b: { $ref: '#/$defs/b' }, self: { $ref: '#/$defs/a' } } },
    b: { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] },
    c: { $ref: '#/$defs/c' },
  },
  properties: { a: { $ref: '#/$defs/a' }, c: { $ref: '#/$defs/c' }, root: { $ref: '#' } },
}

const cyclicAvro = {
  type: 'record',
  name: 'node',
  fields: [
    { name: 'next', type: ['null', 'node'] },
    { name: 'all', type: { type: 'array', items: 'node' } },
  ],
}

const protoNamed = '{"__proto__": {"type": "string"}, "constructor": {"type": "integer"}}'

/** All hostile contracts. */
export const HOSTILE_CONTRACTS: readonly HostileContract[] = [
  json('JSON Schema that refers to itself in circles', withSchema('json-schema', cyclicSchema)),
  json('JSON Schema of 2^40 fields', withSchema('json-schema', doublingSchema(40))),
  json(
    'JSON Schema of 10,000 definitions, each by way of the next',
    withSchema('json-schema', {
      title: 'chain',
      type: 'object',
      $defs: Object.fromEntries(
        range(10_000).map((at) => [`d${at}`, { $ref: `#/$defs/d${at + 1}` }]),
      ),
      properties: { first: { $ref: '#/$defs/d0' } },
    }),
  ),
  json(
    'JSON Schema of 10,000 definitions, each used',
    withSchema('json-schema', {
      title: 'many',
      type: 'object',
      definitions: Object.fromEntries(range(10_000).map((at) => [`d${at}`, { type: 'string' }])),
      properties: Object.fromEntries(
        range(10_000).map((at) => [`p${at}`, { $ref: `#/definitions/d${at}` }]),
      ),
    }),
  ),
  json(
    'JSON Schema that merges 5,000 schemas',
    withSchema('json-schema', {
      title: 'merge',
      $defs: { all: { properties: { x: { type: 'string' } } } },
      allOf: range(5000).map(() => ({ $ref: '#/$defs/all' })),
    }),
  ),
  json(
    'JSON Schema with a remote reference',
    withSchema('json-schema', { $ref: 'http://127.0.0.1:1/x' }),
  ),
  json('Avro records inside of themselves', withSchema('avro', cyclicAvro)),
  json('Avro records of 2^18 fields', withSchema('avro', doublingAvro(18))),
  json('Avro as a text that breaks off', withSchema('avro', '[{"type": "record", "fields": [')),
  json(
    'Protobuf messages inside of themselves',
    withSchema(
      'protobuf',
      'syntax = "proto3"; message A { B b = 1; A a = 2; } message B { A a = 1; repeated B bs = 2; }',
    ),
  ),
  json(
    'Protobuf of 10,000 messages in a chain',
    withSchema(
      'protobuf',
      `syntax = "proto3";\n${range(10_000)
        .map((at) => `message M${at} { M${at + 1} a = 1; M${at + 1} b = 2; }`)
        .join('\n')}\nmessage M10000 { string leaf = 1; }`,
    ),
  ),
  json(
    'Protobuf with extend blocks, groups and options',
    withSchema(
      'protobuf',
      'syntax="proto2";message M{extensions 100 to max;option (a.b).c={x:1};optional group G=1{optional int32 a=1;}}extend M{optional int32 e=100;}service S{rpc R(M) returns (M);}',
    ),
  ),
  json(
    'Protobuf of 1,000 messages with 30 fields each, all of unknown types',
    withSchema(
      'protobuf',
      `syntax = "proto3";\n${range(1000)
        .map(
          (at) =>
            `message M${at} {${range(30)
              .map((f) => `U${at}.X${f} f${f} = ${f + 1};`)
              .join(' ')}}`,
        )
        .join('\n')}`,
    ),
  ),
  json(
    'Protobuf of 10,000 extensions',
    withSchema(
      'protobuf',
      `syntax="proto2";message M{extensions 1 to max;}${range(10_000)
        .map((at) => `extend M{optional int32 e${at}=${at + 1};}`)
        .join('')}`,
    ),
  ),
  json(
    'Protobuf that nests 5,000 deep',
    withSchema('protobuf', `${'message A { '.repeat(5000)}${'}'.repeat(5000)}`),
  ),
  json(
    'SQL that nests 20,000 parentheses',
    withSchema(
      'sql-ddl',
      `create table t (a int check (${'('.repeat(20_000)}1${')'.repeat(20_000)}));`,
    ),
  ),
  json(
    'SQL of 2,000 tables',
    withSchema(
      'sql-ddl',
      range(2000)
        .map((at) => `create table t${at} (id integer primary key, name varchar(10) not null);`)
        .join('\n'),
    ),
  ),
  json(
    'SQL that never ends a quote',
    withSchema('sql-ddl', `create table t (a int, '${'x'.repeat(200_000)}`),
  ),
  json('SQL of 100,000 semicolons', withSchema('sql-ddl', ';'.repeat(100_000))),
  json(
    'SQL types in each other',
    withSchema('sql-ddl', `create table t (a ${'array<'.repeat(5000)}int${'>'.repeat(5000)});`),
  ),
  json('dbt as a text of YAML aliases', withSchema('dbt', yamlBomb(9))),
  json('BigQuery of 60 records in each other', withSchema('bigquery', nestedBigQuery(50))),
  json(
    'a type text of 500,000 characters',
    odcsWith({
      schema: [
        { name: 't', properties: [{ name: 'c', physicalType: 'struct<a:'.repeat(50_000) }] },
      ],
    }),
  ),
  json(
    'patterns that take for ever',
    odcsWith({
      schema: [
        {
          name: 't',
          properties: range(100).map((at) => ({
            name: `c${at}`,
            logicalType: 'string',
            logicalTypeOptions: { pattern: '^(([a-z])+.)+[A-Z]([a-z])+$' },
            examples: ['a'.repeat(1000)],
          })),
        },
      ],
    }),
  ),
  json(
    'fields called like parts of JavaScript',
    withSchema(
      'json-schema',
      `{"title": "__proto__", "type": "object", "properties": ${protoNamed}}`,
    ),
  ),
  json(
    'models called like parts of JavaScript',
    `{"dataContractSpecification":"1.2.1","id":"hostile","info":{"title":"T","version":"1","owner":"a"},"models":{"__proto__":{"fields":${protoNamed}},"constructor":{"fields":{}}}}`,
  ),
  json(
    'definitions of DCS in circles',
    `{"dataContractSpecification":"1.2.1","id":"hostile","info":{"title":"T","version":"1","owner":"a"},"definitions":{"a":{"$ref":"#/definitions/b"},"b":{"$ref":"#/definitions/a"}},"models":{"m":{"fields":{"f":{"$ref":"#/definitions/a"}}}}}`,
  ),
  json('a text of 20 MB', odcsWith({ description: { purpose: 'x'.repeat(20 * MEBIBYTE) } }), 413),
  json('a specification of 4 MB', withSchema('avro', 'x'.repeat(4 * MEBIBYTE))),
  json('a specification of 4 MB of brackets', withSchema('avro', '['.repeat(4 * MEBIBYTE))),
  json('objects 100,000 deep', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, 422),
  json('a list of 600,000 numbers', odcsWith({ x: range(600_000).map(() => 0) }), 422),
  yaml('an error in each of 800,000 lines', ': : :\n'.repeat(800_000), 422),
  yaml('an error in each of 30,000 lines', ': : :\n'.repeat(30_000), 400),
  yaml(
    'blank lines, 4.9 MB',
    `apiVersion: v3.1.0\nkind: DataContract\nid: hostile\nversion: "1"\nstatus: active\nteam: {name: a}\n${'\n'.repeat(4_900_000)}`,
    422,
  ),
  yaml('aliases that expand to billions', yamlBomb(12), 422),
  yaml('an alias inside its own anchor', 'kind: DataContract\na: &a [*a]\n', 400),
  yaml('braces 100,000 deep', `a: ${'{b: '.repeat(100_000)}`, 422),
]

function yamlBomb(levels: number): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x]']
  for (const at of range(levels)) {
    lines.push(
      `a${at + 1}: &a${at + 1} [${range(9)
        .map(() => `*a${at}`)
        .join(', ')}]`,
    )
  }
  return `kind: DataContract\nteam: {name: a}\nmodels: []\n${lines.join('\n')}\n`
}

function nestedBigQuery(depth: number): object {
  const field = (at: number): object =>
    at === 0
      ? { name: 'leaf', type: 'STRING' }
      : { name: `f${at}`, type: 'RECORD', mode: 'REPEATED', fields: [field(at - 1)] }
  const shallow = Math.min(depth, 25)
  return { tableReference: { tableId: 't' }, schema: { fields: [field(shallow)] } }
}
