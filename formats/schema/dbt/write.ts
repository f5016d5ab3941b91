// Writing of a properties file of dbt, in YAML.

import { put, type ObjectValue, type Value } from '../../text/value.ts'
import { yamlText } from '../../text/yaml-write.ts'
import { isKnownTest } from './test-read.ts'
import { type Attribute, Losses } from '../losses.ts'
import type { Field, Model, QualityCheck, Written } from '../model.ts'
import type { Platform } from '../types/native-type.ts'
import { writeNativeType } from '../types/write-type.ts'

/** Writes models as dbt's `schema.yml`; types are those of the dialect, by default PostgreSQL. */
export function writeDbt(
  models: readonly Model[],
  { dialect = 'postgresql' }: { dialect?: Platform; name: string; id: string },
): Written {
  const losses = new Losses('dbt')
  const value = { version: 2, models: models.map((model) => modelValue(model, dialect, losses)) }
  return { text: yamlText(value), losses: losses.all }
}

function modelValue(model: Model, dialect: Platform, losses: Losses): Value {
  const { name, kind, physicalName, namespace, primaryKey } = model
  if (kind !== 'table' && kind !== 'view') losses.add(name, `A ${kind} is written as a table.`)
  losses.addModelTraits(model)
  losses.addForeignKeys(model)
  const config: ObjectValue = { materialized: kind === 'view' ? 'view' : 'table' }
  // dbt rejects names with blanks; the alias keeps them.
  const legal = name.replaceAll(/\s/g, '_')
  if (legal !== name)
    losses.add(name, `dbt does not accept this name; it is written as "${legal}".`)
  const alias = physicalName ?? name
  put(config, 'alias', alias === legal ? undefined : alias)
  if (physicalName === name) losses.add(name, 'The identical physical name is not written.')
  put(config, 'database', model.database)
  put(config, 'schema', namespace)
  if (model.tags.length > 0) config.tags = model.tags
  const value: ObjectValue = { name: legal }
  put(value, 'description', model.description)
  value.config = config
  if (primaryKey.length > 0) value.constraints = [{ type: 'primary_key', columns: primaryKey }]
  const tests = ownTests(model.quality, name, losses)
  if (tests.length > 0) value.data_tests = tests
  value.columns = writeColumns(model, dialect, losses)
  return value
}

/** Writes the columns of a model with their tests. */
export function writeColumns(
  { name, primaryKey, fields }: Model,
  dialect: Platform,
  losses: Losses,
): Value[] {
  return fields.map((field) => {
    const path = `${name}.${field.name}`
    if (primaryKey.includes(field.name) && !field.required) {
      losses.add(path, 'A column of a primary key is required.')
    }
    return column(field, path, dialect, losses)
  })
}

const COVERED: readonly Attribute[] = [
  'unique',
  'primaryKeyPosition',
  'description',
  'enum',
  'maxLength',
  'precision',
  'scale',
  'format',
  'tags',
  'references',
  'quality',
]

function column(field: Field, path: string, dialect: Platform, losses: Losses): Value {
  const { text, losses: messages } = writeNativeType(field, dialect)
  for (const message of messages) losses.add(path, message)
  losses.addUncovered(field, path, new Set(COVERED))
  const value: ObjectValue = { name: field.name, data_type: text }
  put(value, 'description', field.description)
  if (field.tags.length > 0) value.config = { tags: field.tags }
  const tests: Value[] = []
  if (field.required) tests.push('not_null')
  if (field.unique) tests.push('unique')
  if (field.enum !== undefined)
    tests.push({ accepted_values: { arguments: { values: field.enum } } })
  for (const reference of field.references) {
    const at = reference.lastIndexOf('.')
    if (at < 1 || /['"]/.test(reference)) {
      losses.add(path, `dbt cannot refer to "${reference}".`)
      continue
    }
    const to = `ref('${reference.slice(0, at)}')`
    tests.push({ relationships: { arguments: { to, field: reference.slice(at + 1) } } })
  }
  tests.push(...ownTests(field.quality, path, losses))
  if (tests.length > 0) value.data_tests = tests
  return value
}

function ownTests(quality: readonly QualityCheck[], path: string, losses: Losses): Value[] {
  return quality.flatMap(({ type, rule }) => {
    if (type === 'dbt' && !isKnownTest(rule)) return [rule]
    losses.add(path, `A quality check of type "${type}" cannot be expressed in dbt.`)
    return []
  })
}
