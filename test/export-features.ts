/**
 * The features of each source language: for each, a contract without the feature and the same contract with
 * it. The field `f` of the model `orders` differs, or the model itself.
 */

import type { ObjectValue } from '../formats/text/value.ts'
import { DCS, createSpecification, createFeatures, type Feature } from './feature.ts'
import { AVRO, PROTOBUF, JSON_SCHEMA } from './schema-features.ts'

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
function getTypes(list: string): string[] {
  return [...list.matchAll(/"((?:[^"]|"")*)"|((?:\([^)]*\)|<[^>]*>|[^,])+)/g)].map(
    ([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim(),
  )
}

const SQL = Object.entries(SQL_TYPES).flatMap(([platform, types]) =>
  createFeatures(
    platform,
    (column: string) =>
      createSpecification(
        'sql-ddl',
        `create table orders (id int not null, f ${column});`,
        platform,
      ),
    'date not null',
    Object.fromEntries(getTypes(types).map((type) => [type, type])),
  ),
)

const SQL_PARTS = [
  ...createFeatures(
    'postgresql',
    (part: string) =>
      createSpecification('sql-ddl', `create table orders (f varchar(9) ${part});`, 'postgres'),
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
  ...createFeatures(
    'postgresql',
    (part: string) => createSpecification('sql-ddl', `create table ${part} (f int);`, 'postgres'),
    'orders',
    { schema: 'sales.orders', 'odd name': '"Order ␀ Total "' },
  ),
  ...createFeatures(
    'postgresql',
    (part: string) =>
      createSpecification('sql-ddl', `create table orders (f int); ${part}`, 'postgres'),
    '',
    {
      comment: "comment on table orders is 'd'",
      'column comment': "comment on column orders.f is 'd'",
    },
  ),
]

const BIGQUERY = createFeatures(
  'bigquery json',
  (field: ObjectValue) =>
    createSpecification('bigquery', {
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

const DBT = createFeatures(
  'dbt',
  (column: ObjectValue) =>
    createSpecification('dbt', {
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
  ...createFeatures(
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
  ...createFeatures(
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

const odcs32 = (property: ObjectValue, model: ObjectValue = {}): ObjectValue => ({
  ...odcs(property, model),
  apiVersion: 'v3.2.0',
})

const toVector = (options: ObjectValue): ObjectValue => ({
  logicalType: 'vector',
  logicalTypeOptions: { dimensions: 3, ...options },
})

const ODCS_32 = [
  ...createFeatures(
    'odcs 3.2',
    (property: ObjectValue) => odcs32(property),
    { logicalType: 'string' },
    {
      deprecated: { logicalType: 'string', deprecated: true },
      'deprecated with a description': {
        logicalType: 'string',
        deprecated: true,
        description: 'd',
      },
      replacedBy: {
        logicalType: 'string',
        customProperties: [{ property: 'replacedBy', value: 'g' }],
      },
      vector: toVector({}),
      ...Object.fromEntries(
        'bfloat16 binary float16 float64 int8 uint8'
          .split(' ')
          .map((elementType) => [`vector of ${elementType}`, toVector({ elementType })]),
      ),
      'normalized vector': toVector({ normalized: true }),
      'vector of a model': toVector({ embeddingModel: 'm', embeddingModelVersion: '1' }),
      'vector with a metric': toVector({ distanceMetric: 'cosine' }),
      'vector of a physical type': { ...toVector({}), physicalType: 'vector(3)' },
      measure: { logicalType: 'number', semanticType: 'measure', transformLogic: 'sum(a)' },
      dimension: { logicalType: 'string', semanticType: 'dimension', transformLogic: 'a' },
      enum: { logicalType: 'string', enum: [{ value: 'a', label: 'A' }, { value: 'b' }] },
      map: {
        logicalType: 'map',
        map: { key: { logicalType: 'string' }, value: { logicalType: 'integer' } },
      },
      synonyms: { logicalType: 'string', synonyms: [{ synonym: 's', locale: 'en' }] },
      'nested measure': {
        logicalType: 'object',
        properties: [
          { name: 'a', logicalType: 'integer' },
          { name: 'm', logicalType: 'number', semanticType: 'measure' },
        ],
      },
      'array of vectors': { logicalType: 'array', items: toVector({}) },
    },
  ),
  ...createFeatures(
    'odcs 3.2',
    (model: ObjectValue) => odcs32({ logicalType: 'string' }, model),
    {},
    {
      'model: deprecated': { deprecated: true },
      'model: synonyms': { synonyms: [{ synonym: 's' }] },
      'model: context': { context: { instructions: 'i', constraints: [{ constraint: 'c' }] } },
      'model: replacedBy': { customProperties: [{ property: 'replacedBy', value: 'g' }] },
    },
  ),
]

const DCS_FEATURES = createFeatures(
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
  ...ODCS_32,
  ...DCS_FEATURES,
  ...JSON_SCHEMA,
  ...AVRO,
  ...PROTOBUF,
  ...BIGQUERY,
  ...DBT,
  ...SQL,
  ...SQL_PARTS,
]
