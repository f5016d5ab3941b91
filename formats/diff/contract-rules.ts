// Levels of changes of a contract outside its models. The tables below are the specification: each row contains the
// position of a change, its level, and the reason. Changes without a row are wording.

import { ending, type LevelRule, unknownByVariable } from './level.ts'

const PLACE = 'Consumers read from the old location; a more precise location only helps them.'
const WORDS = 'It describes the location and does not change it.'
const ACCESS = 'Consumers read the data with a role; without it they lose access.'
const PROMISE = 'A service level is a promise; another one adds a promise.'
const SCOPE = 'The promise now applies to different data.'
const RULE = 'A quality rule is a promise about the data; another one adds a promise.'
const COST = 'It describes what the data costs or how it may be used, and removes no data.'
const STANDING = 'It describes the role of the contract in the organization, and removes no data.'
const VALUES = 'It limits the values; without it other values are possible.'
const SEMANTICS = 'Queries select columns, measures and dimensions in different ways.'
const VECTORS = 'Vectors of another kind cannot be compared with stored ones.'
const SENSITIVE = 'It describes how the data may be used, and removes no data.'

// Fields of a server that are not part of its location.
const SERVER_WORDS = ['id', 'description', 'tags', 'customProperties', 'roles']

function all(level: 'additive' | 'wording', reason: string, paths: readonly string[]): LevelRule[] {
  return paths.map((path) => ({ path, changed: level, reason }))
}

function unlessFirst(reason: string, paths: readonly string[]): LevelRule[] {
  return paths.map((path) => ({ path, changed: 'breaking', added: 'additive', reason }))
}

const SERVER_RULES: readonly LevelRule[] = [
  ...unlessFirst(PLACE, ['servers.*']),
  ...all(
    'wording',
    WORDS,
    SERVER_WORDS.map((name) => `servers.*.${name}`),
  ),
  ...unlessFirst(ACCESS, ['servers.*.roles.*', 'servers.*.roles.*.access']),
  ...unlessFirst(PLACE, ['servers.*.*']),
]

// The options of vectors that decide what can be compared with them, with their defaults.
const VECTOR_OPTIONS = [
  ['dimensions', null],
  ['elementType', 'float32'],
  ['embeddingModel', null],
  ['embeddingModelVersion', null],
] as const

const ADVICE = 'It is advice, or its effect on the values is compared.'
const UNKNOWN_OPTION = 'An option that is not known may allow other values.'

const FIELD_RULES: readonly LevelRule[] = [
  ...unknownByVariable(['model.physicalType', 'field.logicalType', 'field.semanticType']),
  ...unknownByVariable(
    [
      'model.relationships.**',
      'field.required',
      'field.unique',
      'field.primaryKey',
      'field.primaryKeyPosition',
      'field.logicalTypeOptions.*',
    ],
    'additive',
  ),
  { path: 'field.semanticType', changed: 'breaking', default: 'column', reason: SEMANTICS },
  ...VECTOR_OPTIONS.map(([name, standard]): LevelRule => {
    const path = `field.logicalTypeOptions.${name}`
    return { path, changed: 'breaking', default: standard, reason: VECTORS }
  }),
  {
    path: 'field.logicalTypeOptions.defaultTimezone',
    changed: 'breaking',
    default: 'Etc/UTC',
    reason: 'Local times of another zone are other moments.',
  },
  {
    path: 'field.logicalTypeOptions.uniqueItems',
    changed: 'breaking',
    added: 'additive',
    default: false,
    reason: VALUES,
  },
  ...unlessFirst(
    VALUES,
    ['multipleOf', 'minProperties', 'maxProperties', 'timezone'].map(
      (name) => `field.logicalTypeOptions.${name}`,
    ),
  ),
  ...all(
    'wording',
    ADVICE,
    [
      'distanceMetric',
      'normalized',
      'required',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'pattern',
      'format',
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
    ].map((name) => `field.logicalTypeOptions.${name}`),
  ),
  { path: 'field.logicalTypeOptions.*', changed: 'breaking', reason: UNKNOWN_OPTION },
  ...all('additive', SENSITIVE, ['field.pii']),
]

/** Rules for ODCS documents of all versions. The first matching row applies. */
export const ODCS_RULES: readonly LevelRule[] = [
  ...SERVER_RULES,
  ...unlessFirst(
    PLACE,
    ['topic', 'http_path', 'httpPath', 'driver', 'stream', 'path', 'customType'].map(
      (name) => `servers.*.customProperties.${name}`,
    ),
  ),
  ...unlessFirst(ACCESS, ['roles.*', 'roles.*.access']),
  ...unlessFirst(PROMISE, ['slaProperties.*']),
  ...[
    'slaProperties.*.element',
    'slaProperties.*.column',
    'slaDefaultElement',
    'slaDefaultColumn',
  ].map((path): LevelRule => ({ path, changed: 'breaking', reason: SCOPE })),
  ...all('additive', COST, ['price', 'price.*']),
  ...ending(['status']),
  ...all('additive', STANDING, [
    'status',
    'version',
    'domain',
    'tenant',
    'dataProduct',
    'datasetDomain',
    'quantumName',
    'team.name',
    'customProperties.owner',
  ]),
  // Before v3 a contract gave the location of its data in separate fields.
  ...unlessFirst(PLACE, [
    'server',
    'database',
    'driver',
    'project',
    'datasetName',
    'sourcePlatform',
    'type',
  ]),
  ...FIELD_RULES,
]

/** Rules for DCS documents of all versions. The first matching row applies. */
export const DCS_RULES: readonly LevelRule[] = [
  ...SERVER_RULES,
  ...['availability', 'retention', 'latency', 'freshness', 'frequency', 'support', 'backup'].map(
    (level): LevelRule => ({
      path: `servicelevels.${level}.description`,
      changed: 'wording',
      reason: 'It describes the promise.',
    }),
  ),
  ...unlessFirst(PROMISE, ['servicelevels.*', 'servicelevels.*.*']),
  ...unlessFirst(RULE, ['quality', 'quality.*', 'quality.**']),
  ...all('additive', COST, ['terms.billing', 'terms.noticePeriod']),
  ...ending(['info.status']),
  ...all('additive', STANDING, [
    'info.status',
    'info.version',
    'info.owner',
    'info.dataProduct',
    'info.outputPort',
  ]),
  ...FIELD_RULES,
]
