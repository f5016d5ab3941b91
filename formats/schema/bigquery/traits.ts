// The parts of BigQuery's description of a table beyond the model: access to columns, targets of foreign
// keys, and everything that is not read.

import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import type { Model, Traits } from '../model.ts'
import { addTrait, pickOtherMembers } from '../unanalyzed.ts'

/** The names of the traits of BigQuery. */
export const BIGQUERY_TRAITS = {
  /** Policy tags and data policies of a column beyond its classification. */
  policies: 'bigquery.policies',
  /** The tables that foreign keys refer to, with project and dataset. */
  foreignTables: 'bigquery.foreignTables',
} as const

const MODES = new Set(['NULLABLE', 'REQUIRED', 'REPEATED'])

/** Descriptions, statistics, and how a table is stored: nothing that its readers depend on. */
export const BIGQUERY_ANNOTATIONS: readonly string[] = [
  'clustering',
  'creationTime',
  'defaultValueExpression',
  'description',
  'encryptionConfiguration',
  'etag',
  'friendlyName',
  'kind',
  'lastModifiedTime',
  'numActiveLogicalBytes',
  'numActivePhysicalBytes',
  'numBytes',
  'numCurrentPhysicalBytes',
  'numLongTermBytes',
  'numLongTermLogicalBytes',
  'numLongTermPhysicalBytes',
  'numPartitions',
  'numPhysicalBytes',
  'numRows',
  'numTimeTravelPhysicalBytes',
  'numTotalLogicalBytes',
  'numTotalPhysicalBytes',
  'partitionDefinition',
  'resourceTags',
  'selfLink',
  'streamingBuffer',
  'tableReplicationInfo',
]

const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...BIGQUERY_ANNOTATIONS,
  'dataPolicies',
  'fields',
  'maxLength',
  'mode',
  'name',
  'policyTags',
  'precision',
  'scale',
  'type',
])

const TABLE_NAMES: ReadonlySet<string> = new Set([
  ...BIGQUERY_ANNOTATIONS,
  'id',
  'labels',
  'schema',
  'tableConstraints',
  'tableReference',
  'type',
])

/** Returns the traits of a column; undefined when it has none. */
export function fieldTraits(value: ObjectValue, mode: string | undefined): Traits | undefined {
  const traits: { [name: string]: Value } = {}
  const [, ...tags] = listAt(getField(value, 'policyTags'), 'names')
  const policies = [...tags, ...listAt(value, 'dataPolicies')]
  if (policies.length > 0) traits[BIGQUERY_TRAITS.policies] = policies
  const unknownMode = mode !== undefined && !MODES.has(mode) ? { mode } : {}
  const rest = { ...pickOtherMembers(value, FIELD_NAMES), ...unknownMode }
  if (Object.keys(rest).length > 0) traits['unanalyzed'] = rest
  return Object.keys(traits).length === 0 ? undefined : traits
}

/** Adds the traits of a table to its model. */
export function addTableTraits(value: ObjectValue, model: Model): void {
  const constraints = getField(value, 'tableConstraints')
  const tables = listAt(constraints, 'foreignKeys').map((key) => {
    const table = getField(key, 'referencedTable')
    const names = ['projectId', 'datasetId', 'tableId'].map((name) => asText(getField(table, name)))
    return names.filter((name) => name !== undefined).join('.')
  })
  if (tables.length > 0) {
    addTrait(model, BIGQUERY_TRAITS.foreignTables, [...new Set(tables)].toSorted())
  }
  const schemaRest = pickOtherMembers(getField(value, 'schema'), new Set(['fields']))
  const rest = {
    ...pickOtherMembers(value, TABLE_NAMES),
    ...(schemaRest === undefined ? {} : { schema: schemaRest }),
  }
  if (Object.keys(rest).length > 0) addTrait(model, 'unanalyzed', rest)
}

function listAt(value: Value | undefined, name: string): Value[] {
  const list = getField(value, name)
  return Array.isArray(list)
    ? list.filter((item) => typeof item === 'string' || isObject(item))
    : []
}
