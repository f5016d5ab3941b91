// The levels of changes of a contract outside of its models. The tables below are the specification: each row
// has a location, the level of its changes, and the reason. Changes without a row are documentation.

import type { Rule } from './level.ts'

const PLACE = 'Consumers look where the data was; naming more of the place only helps them.'
const WORDS = 'It describes the location without changing it.'
const ACCESS = 'Consumers read the data in a role; without it they are locked out.'
const PROMISE = 'A service level is a promise; one more is one promise more.'
const SCOPE = 'The promise is about other data now.'
const RULE = 'A quality rule is a promise about the data; one more is one promise more.'
const COST = 'It describes the price or the terms of use, and removes no data.'
const STANDING = 'It describes the contract within the organization, and removes no data.'
const VALUES = 'It limits the values; without it others may come.'
const SENSITIVE = 'It describes how the data may be used, and removes no data.'

// What of a server is no part of its place.
const SERVER_WORDS = ['id', 'description', 'tags', 'customProperties', 'roles']

function all(level: 'additive' | 'wording', reason: string, paths: readonly string[]): Rule[] {
  return paths.map((path) => ({ path, changed: level, reason }))
}

function unlessFirst(reason: string, paths: readonly string[]): Rule[] {
  return paths.map((path) => ({ path, changed: 'breaking', added: 'additive', reason }))
}

const SERVER_RULES: readonly Rule[] = [
  ...unlessFirst(PLACE, ['servers.*']),
  ...all(
    'wording',
    WORDS,
    SERVER_WORDS.map((name) => `servers.*.${name}`),
  ),
  ...unlessFirst(ACCESS, ['servers.*.roles.*', 'servers.*.roles.*.access']),
  ...unlessFirst(PLACE, ['servers.*.*']),
]

const FIELD_RULES: readonly Rule[] = [
  ...unlessFirst(
    VALUES,
    [
      'multipleOf',
      'uniqueItems',
      'minProperties',
      'maxProperties',
      'timezone',
      'defaultTimezone',
    ].map((name) => `field.logicalTypeOptions.${name}`),
  ),
  ...all('additive', SENSITIVE, ['field.pii']),
]

/** Decisions about ODCS documents of all versions. The first row that fits counts. */
export const ODCS_RULES: readonly Rule[] = [
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
  ].map((path): Rule => ({ path, changed: 'breaking', reason: SCOPE })),
  ...all('additive', COST, ['price', 'price.*']),
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
  // Before v3 the location of the data was in fields of the contract itself.
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

/** Decisions about DCS documents of all versions. The first row that fits counts. */
export const DCS_RULES: readonly Rule[] = [
  ...SERVER_RULES,
  ...['availability', 'retention', 'latency', 'freshness', 'frequency', 'support', 'backup'].map(
    (level): Rule => ({
      path: `servicelevels.${level}.description`,
      changed: 'wording',
      reason: 'It explains the promise.',
    }),
  ),
  ...unlessFirst(PROMISE, ['servicelevels.*', 'servicelevels.*.*']),
  ...unlessFirst(RULE, ['quality', 'quality.*', 'quality.**']),
  ...all('additive', COST, ['terms.billing', 'terms.noticePeriod']),
  ...all('additive', STANDING, [
    'info.status',
    'info.version',
    'info.owner',
    'info.dataProduct',
    'info.outputPort',
  ]),
  ...FIELD_RULES,
]
