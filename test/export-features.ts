/**
 * The features of each source language: for each, a contract without the feature and the same contract with
 * it. The field `f` of the model `orders` differs, or the model itself.
 */

import type { ObjectValue, Value } from '../formats/text/value.ts'

export interface Feature {
  source: string
  name: string
  without: ObjectValue
  with: ObjectValue
  /** Whether models do not contain the feature, so that no export can. */
  unread?: true
}

const DCS = {
  dataContractSpecification: '0.9.3',
  id: 'a',
  info: { title: 'A', version: '1', owner: 't', status: 'active' },
}

function specified(type: string, specification: Value, server?: string): ObjectValue {
  const servers = server === undefined ? {} : { servers: { s: { type: server } } }
  return { ...DCS, ...servers, schema: { type, specification } }
}

// A feature is one part of a text, together with the part that it replaces.
function features<Part extends Value>(
  source: string,
  contract: (part: Part) => ObjectValue,
  plain: NoInfer<Part>,
  parts: Readonly<Record<string, NoInfer<Part>>>,
  unread: Readonly<Record<string, NoInfer<Part>>> = {},
): Feature[] {
  const without = contract(plain)
  const feature = ([name, part]: [string, Part]): Feature => ({
    source,
    name,
    without,
    with: contract(part),
  })
  return [
    ...Object.entries(parts).map(feature),
    ...Object.entries(unread).map((entry): Feature => ({ ...feature(entry), unread: true })),
  ]
}

const avro = (field: Value): ObjectValue =>
  specified('avro', {
    type: 'record',
    name: 'orders',
    fields: [{ name: 'id', type: 'long' }, ...(field === null ? [] : [field])],
  })

function avroType(type: Value): Value {
  return { name: 'f', type }
}

const AVRO = [
  ...features('avro', avro, avroType('string'), {
    ...Object.fromEntries(
      ['int', 'long', 'float', 'double', 'boolean', 'bytes'].map((type) => [type, avroType(type)]),
    ),
    ...Object.fromEntries(
      [
        ['int', 'date'],
        ['int', 'time-millis'],
        ['long', 'time-micros'],
        ...['timestamp', 'local-timestamp'].flatMap((name) =>
          ['millis', 'micros', 'nanos'].map((unit) => ['long', `${name}-${unit}`]),
        ),
        ['string', 'uuid'],
      ].map(([type = '', logicalType = '']) => [logicalType, avroType({ type, logicalType })]),
    ),
    decimal: avroType({ type: 'bytes', logicalType: 'decimal', precision: 40, scale: 20 }),
    fixed: avroType({ type: 'fixed', name: 'F', size: 16 }),
    duration: avroType({ type: 'fixed', name: 'F', size: 12, logicalType: 'duration' }),
    enum: avroType({ type: 'enum', name: 'E', symbols: ['A', 'B'] }),
    'enum with words that differ in case': avroType({
      type: 'enum',
      name: 'E',
      symbols: ['get', 'GET'],
    }),
    array: avroType({ type: 'array', items: 'long' }),
    'array of arrays': avroType({ type: 'array', items: { type: 'array', items: 'long' } }),
    map: avroType({ type: 'map', values: 'long' }),
    record: avroType({
      type: 'record',
      name: 'R',
      fields: [{ name: 'select', type: 'string', doc: 'inner' }],
    }),
    'empty record': avroType({ type: 'record', name: 'R', fields: [] }),
    recursion: avroType(['null', 'orders']),
    nullable: avroType(['null', 'string']),
    union: avroType(['string', 'long']),
    doc: { name: 'f', type: 'string', doc: 'd' },
  }),
  ...features(
    'avro',
    (extra: ObjectValue) =>
      specified('avro', {
        type: 'record',
        name: 'orders',
        fields: [{ name: 'f', type: 'string' }],
        ...extra,
      }),
    {},
    { namespace: { namespace: 'com.example.sales' }, doc: { doc: 'd' } },
  ),
  ...features('avro', avro, avroType('string'), {
    default: { name: 'f', type: 'string', default: 'x' },
    aliases: { name: 'f', type: 'string', aliases: ['g'] },
  }),
]

const protobuf = (body: string): ObjectValue =>
  specified('protobuf', `syntax = "proto3"; message orders { int64 id = 1; ${body} }`)

const PROTOBUF = features('protobuf', protobuf, 'string f = 2;', {
  ...Object.fromEntries(
    'int32 int64 sint64 fixed32 uint32 uint64 double float bool bytes'
      .split(' ')
      .map((type) => [type, `${type} f = 2;`]),
  ),
  ...Object.fromEntries(
    'Timestamp Duration Struct Value Int64Value FieldMask'
      .split(' ')
      .map((type) => [type, `google.protobuf.${type} f = 2;`]),
  ),
  optional: 'optional string f = 2;',
  repeated: 'repeated string f = 2;',
  map: 'map<string, int32> f = 2;',
  'map of messages': 'map<int32, M> f = 2; message M { string select = 1; }',
  message: 'M f = 2; message M { string select = 1; }',
  'empty message': 'M f = 2; message M {}',
  recursion: 'orders f = 2;',
  enum: 'E f = 2; enum E { A = 0; B = 1; }',
  comment: '\n// d\nstring f = 2;',
  oneof: 'oneof c { string f = 2; }',
  number: 'string f = 7;',
  jsonName: 'string f = 2 [json_name = "x"];',
})

const jsonSchema = (field: Value): ObjectValue =>
  specified('json-schema', {
    title: 'orders',
    type: 'object',
    properties: { id: { type: 'integer' }, f: field },
  })

const JSON_SCHEMA = features(
  'json-schema',
  jsonSchema,
  { type: 'string' },
  {
    ...Object.fromEntries(
      ['integer', 'number', 'boolean', 'object', 'array'].map((type) => [type, { type }]),
    ),
    ...Object.fromEntries(
      ['date', 'time', 'date-time', 'uuid', 'email', 'duration', 'ipv4', 'byte'].map((format) => [
        format,
        { type: 'string', format },
      ]),
    ),
    int32: { type: 'integer', format: 'int32' },
    maxLength: { type: 'string', maxLength: 10 },
    'very long text': { type: 'string', maxLength: 100_000_000 },
    minLength: { type: 'string', minLength: 2 },
    pattern: { type: 'string', pattern: '^a' },
    enum: { type: 'string', enum: ['a', "it's", 'back\\slash'] },
    'enum of numbers': { type: 'integer', enum: [1, 2] },
    const: { const: 'x' },
    minimum: { type: 'integer', minimum: 0 },
    exclusiveMaximum: { type: 'number', exclusiveMaximum: 1.5 },
    'array of texts': { type: 'array', items: { type: 'string' } },
    'items with limits': { type: 'array', items: { type: 'string', maxLength: 3, pattern: 'x' } },
    minItems: { type: 'array', items: { type: 'string' }, minItems: 1 },
    nested: {
      type: 'object',
      required: ['group'],
      properties: { group: { type: 'string', enum: ['a'], description: 'd' } },
    },
    'nested with odd names': {
      type: 'object',
      properties: { $schema: { type: 'string' }, '^[0-5]$': { type: 'integer' } },
    },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    recursion: { $ref: '#' },
    anything: {},
    description: { type: 'string', description: 'd' },
    'long description': { type: 'string', description: 'd'.repeat(3000) },
    multipleOf: { type: 'integer', multipleOf: 5 },
    uniqueItems: { type: 'array', uniqueItems: true },
    oneOf: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
  },
  {
    default: { type: 'string', default: 'x' },
  },
)

/** Types of each platform that others lack or name differently. */
const SQL_TYPES: Readonly<Record<string, string>> = {
  postgresql:
    'smallint,bigint,numeric,"numeric(50,20)",real,boolean,varchar,varchar(10),char(3),uuid,bytea,date,time,' +
    'time with time zone,timestamp,timestamp(3),timestamp with time zone,interval,jsonb,inet,citext,geometry(Point,' +
    '4326),integer[],money',
  mysql:
    "tinyint(1),tinyint unsigned,bigint unsigned,decimal(65,30),float,double,varchar(10),longtext,text,enum('a','B'),set('a','b')," +
    'varbinary(16),longblob,datetime,datetime(3),timestamp,time,year,json,bit(8)',
  sqlserver:
    'bit,tinyint,money,decimal(38,38),real,float,varchar(max),nvarchar(max),nvarchar(10),varbinary(max),varbinary(8),uniqueidentifier,xml,' +
    'datetime,datetime2,datetime2(7),datetimeoffset,date,time,geography,rowversion',
  snowflake:
    'NUMBER(38,0),NUMBER(38,37),NUMBER(20,0),FLOAT,VARCHAR,VARCHAR(10),BINARY,TIMESTAMP_NTZ,TIMESTAMP_NTZ(9),TIMESTAMP_TZ,TIMESTAMP_LTZ,TIME,' +
    'VARIANT,OBJECT,ARRAY,GEOGRAPHY,"ARRAY(VARCHAR)","MAP(VARCHAR,NUMBER(38,0))","OBJECT(""select"" VARCHAR NOT NULL)",VECTOR(FLOAT,3)',
  bigquery:
    'INT64,NUMERIC,BIGNUMERIC,FLOAT64,BOOL,STRING,STRING(10),BYTES,DATE,TIME,DATETIME,TIMESTAMP,INTERVAL,GEOGRAPHY,JSON,' +
    '"ARRAY<INT64>","STRUCT<`select` STRING, `group` STRING>",RANGE<DATE>',
  databricks:
    'tinyint,bigint,decimal(38,10),float,double,boolean,string,binary,date,timestamp,timestamp_ntz,variant,"array<string>",' +
    '"array<array<int>>","map<string,int>","struct<`select`:string,b:int>"',
  hive: 'int,"decimal(38,18)",string,varchar(10),binary,timestamp,timestamp with local time zone,"array<string>","map<string,int>","struct<a:int>"',
}

// Splits at commas outside quotes and parentheses.
function typesOf(list: string): string[] {
  return [...list.matchAll(/"((?:[^"]|"")*)"|((?:\([^)]*\)|<[^>]*>|[^,])+)/g)].map(
    ([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  )
}

const SQL = Object.entries(SQL_TYPES).flatMap(([platform, types]) =>
  features(
    platform,
    (column: string) =>
      specified('sql-ddl', `create table orders (id int not null, f ${column});`, platform),
    'date not null',
    Object.fromEntries(typesOf(types).map((type) => [type, type])),
  ),
)

const SQL_PARTS = [
  ...features(
    'postgresql',
    (part: string) =>
      specified('sql-ddl', `create table orders (f varchar(9) ${part});`, 'postgres'),
    '',
    {
      'not null': 'not null',
      unique: 'unique',
      'primary key': 'primary key',
      references: 'references customers (id)',
      check: 'check (length(f) > 2)',
      'check of words': "check (f in ('a', 'b'))",
      generated: 'generated always as (1) stored',
    },
    { default: "default 'x'" },
  ),
  ...features(
    'postgresql',
    (part: string) => specified('sql-ddl', `create table ${part} (f int);`, 'postgres'),
    'orders',
    { schema: 'sales.orders', 'odd name': '"Order ␀ Total "' },
  ),
  ...features(
    'postgresql',
    (part: string) => specified('sql-ddl', `create table orders (f int); ${part}`, 'postgres'),
    '',
    {
      comment: "comment on table orders is 'd'",
      'column comment': "comment on column orders.f is 'd'",
    },
  ),
]

const BIGQUERY = features(
  'bigquery json',
  (field: ObjectValue) =>
    specified('bigquery', {
      tableReference: { projectId: 'my-project', datasetId: 'd', tableId: 'orders' },
      schema: {
        fields: [
          { name: 'id', type: 'INTEGER' },
          { name: 'f', ...field },
        ],
      },
    }),
  { type: 'STRING' },
  {
    ...Object.fromEntries(
      'INTEGER FLOAT BOOLEAN BYTES DATE TIME DATETIME TIMESTAMP NUMERIC BIGNUMERIC JSON GEOGRAPHY'
        .split(' ')
        .map((type) => [type, { type }]),
    ),
    REQUIRED: { type: 'STRING', mode: 'REQUIRED' },
    REPEATED: { type: 'STRING', mode: 'REPEATED' },
    RECORD: { type: 'RECORD', fields: [{ name: 'select', type: 'STRING', description: 'd' }] },
    'REPEATED RECORD': {
      type: 'RECORD',
      mode: 'REPEATED',
      fields: [{ name: 'a', type: 'STRING' }],
    },
    'NUMERIC with digits': { type: 'NUMERIC', precision: '30', scale: '5' },
    maxLength: { type: 'STRING', maxLength: '10' },
    description: { type: 'STRING', description: 'd' },
    policyTags: { type: 'STRING', policyTags: { names: ['projects/p/locations/l/taxonomies/1'] } },
  },
)

const DBT = features(
  'dbt',
  (column: ObjectValue) =>
    specified('dbt', {
      models: [{ name: 'orders', columns: [{ name: 'f', ...column }] }],
    }),
  { data_type: 'varchar(9)' },
  {
    numeric: { data_type: 'numeric(10,2)' },
    timestamptz: { data_type: 'timestamp with time zone' },
    description: { data_type: 'varchar(9)', description: 'd' },
    tags: { data_type: 'varchar(9)', tags: ['t'] },
    not_null: { data_type: 'varchar(9)', data_tests: ['not_null'] },
    unique: { data_type: 'varchar(9)', data_tests: ['unique'] },
    accepted_values: {
      data_type: 'varchar(9)',
      data_tests: [{ accepted_values: { arguments: { values: ['a'] } } }],
    },
    relationships: {
      data_type: 'varchar(9)',
      data_tests: [{ relationships: { arguments: { to: "ref('customers')", field: 'id' } } }],
    },
    'own test': { data_type: 'varchar(9)', data_tests: [{ 'dbt_utils.at_least_one': {} }] },
  },
)

const odcs = (property: ObjectValue, model: ObjectValue = {}): ObjectValue => ({
  apiVersion: 'v3.1.0',
  kind: 'DataContract',
  id: 'a',
  name: 'A',
  version: '1',
  status: 'active',
  team: { name: 't' },
  schema: [
    {
      name: 'orders',
      properties: [
        { name: 'id', logicalType: 'integer' },
        { name: 'f', ...property },
      ],
      ...model,
    },
  ],
})

const ODCS = [
  ...features(
    'odcs',
    (property: ObjectValue) => odcs(property),
    { logicalType: 'string' },
    {
      ...Object.fromEntries(
        ['integer', 'number', 'boolean', 'date', 'timestamp', 'object', 'array'].map(
          (logicalType) => [logicalType, { logicalType }],
        ),
      ),
      'timestamp with time zone': {
        logicalType: 'timestamp',
        logicalTypeOptions: { timezone: true },
      },
      'timestamp without time zone': {
        logicalType: 'timestamp',
        logicalTypeOptions: { timezone: false },
      },
      'date of a format': { logicalType: 'date', logicalTypeOptions: { format: 'yyyy' } },
      'physical type': { logicalType: 'string', physicalType: 'varchar(max)' },
      'physical name': { logicalType: 'string', physicalName: 'F_TXT' },
      required: { logicalType: 'string', required: true },
      unique: { logicalType: 'string', unique: true },
      'primary key': { logicalType: 'string', primaryKey: true, primaryKeyPosition: 1 },
      description: { logicalType: 'string', description: 'd' },
      classification: { logicalType: 'string', classification: 'pii' },
      tags: { logicalType: 'string', tags: ['t'] },
      quality: { logicalType: 'string', quality: [{ type: 'text', description: 'q' }] },
      relationships: {
        logicalType: 'string',
        relationships: [{ type: 'foreignKey', to: 'customers.id' }],
      },
      maxLength: { logicalType: 'string', logicalTypeOptions: { maxLength: 9 } },
      pattern: { logicalType: 'string', logicalTypeOptions: { pattern: 'x' } },
      minimum: { logicalType: 'integer', logicalTypeOptions: { minimum: 1 } },
      items: { logicalType: 'array', items: { logicalType: 'string' } },
      properties: {
        logicalType: 'object',
        properties: [{ name: 'select', logicalType: 'string' }],
      },
    },
  ),
  ...features(
    'odcs',
    (model: ObjectValue) => odcs({ logicalType: 'string' }, model),
    {},
    {
      'model: description': { description: 'd' },
      'model: kind': { physicalType: 'view' },
      'model: physical name': { physicalName: 'ORD' },
      'model: tags': { tags: ['t'] },
      'model: quality': { quality: [{ type: 'text', description: 'q' }] },
    },
  ),
]

const DCS_FEATURES = features(
  'dcs',
  (field: ObjectValue) => ({
    ...DCS,
    dataContractSpecification: '1.2.1',
    models: { orders: { type: 'table', fields: { id: { type: 'long' }, f: field } } },
  }),
  { type: 'string' },
  {
    ...Object.fromEntries(
      (
        'text varchar number decimal integer long float double boolean timestamp timestamp_tz ' +
        'timestamp_ntz date array map object bytes null'
      )
        .split(' ')
        .filter((type) => type !== 'text' && type !== 'varchar')
        .map((type) => [type, { type }]),
    ),
    'decimal with digits': { type: 'decimal', precision: 76, scale: 38 },
    'array of texts': { type: 'array', items: { type: 'string' } },
    'map of numbers': { type: 'map', keys: { type: 'string' }, values: { type: 'int' } },
    fields: { type: 'object', fields: { group: { type: 'string', enum: ['a'] } } },
    enum: { type: 'string', enum: ['a', 'b'] },
    format: { type: 'string', format: 'uuid' },
    references: { type: 'string', references: 'customers.id' },
    classification: { type: 'string', classification: 'pii' },
  },
)

export const FEATURES: readonly Feature[] = [
  ...ODCS,
  ...DCS_FEATURES,
  ...JSON_SCHEMA,
  ...AVRO,
  ...PROTOBUF,
  ...BIGQUERY,
  ...DBT,
  ...SQL,
  ...SQL_PARTS,
]
