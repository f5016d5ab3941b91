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

/** Writes models as one source of dbt, in YAML. */
export function writeDbtSources(
  models: readonly Model[],
  { name, database, schema, dialect }: DbtSourceOptions,
): string {
  const source: ObjectValue = { name }
  put(source, 'database', database)
  put(source, 'schema', schema ?? models.find(({ namespace }) => namespace)?.namespace)
  source.tables = models.map((model) => toTable(model, dialect))
  return yamlText({ version: 2, sources: [source] })
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
