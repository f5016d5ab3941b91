// Writing of tables as sources of dbt: they exist already, and models read them.

import { put, type ObjectValue } from '../../text/value.ts'
import { yamlText } from '../../text/yaml-write.ts'
import { Losses } from '../losses.ts'
import type { Model } from '../model.ts'
import type { Platform } from '../types/native-type.ts'
import { writeColumns } from './write.ts'

/** The source, and where its tables are. */
interface DbtSourceOptions {
  /** The name of the source, by which models refer to it. */
  name: string
  database?: string
  schema?: string
  dialect: Platform
}

/**
 * Writes models as a source of dbt, in YAML. A source is in one schema, so the qualified models, whose names contain
 * their schema, are in a source for each schema.
 */
export function writeDbtSources(
  { models, qualified }: { models: readonly Model[]; qualified: ReadonlySet<Model> },
  { name, database, schema, dialect }: DbtSourceOptions,
): string {
  const rest = models.filter((model) => !qualified.has(model))
  const own = schema ?? rest.find(({ namespace }) => namespace)?.namespace
  const sources =
    qualified.size > 0 && rest.length === 0 ? [] : [{ models: rest, database, schema: own }]
  const others = Map.groupBy(
    [...qualified],
    (model) => `${model.database ?? ''}.${model.namespace}`,
  )
  for (const [first, ...more] of others.values()) {
    if (first === undefined) continue
    const { namespace, database: other = database } = first
    sources.push({ models: [first, ...more], database: other, schema: namespace })
  }
  return yamlText({
    version: 2,
    sources: sources.map((source, at) => {
      const written: ObjectValue = { name: at === 0 ? name : `${name}-${source.schema}` }
      put(written, 'database', source.database)
      put(written, 'schema', source.schema)
      written.tables = source.models.map((model) => toTable(model, dialect))
      return written
    }),
  })
}

function toTable(model: Model, dialect: Platform): ObjectValue {
  const { name, physicalName, description } = model
  // dbt rejects names with blanks; the identifier keeps them.
  const legal = name.replaceAll(/\s/g, '_')
  const identifier = physicalName ?? name
  const table: ObjectValue = { name: legal }
  put(table, 'identifier', identifier === legal ? undefined : identifier)
  put(table, 'description', description)
  // A source has the columns of the platform.
  const fields = model.fields.map((field) => ({ ...field, name: field.physicalName ?? field.name }))
  table.columns = writeColumns({ ...model, fields }, dialect, new Losses('dbt'))
  return table
}
