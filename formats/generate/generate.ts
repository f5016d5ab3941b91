// Generates the files that a developer begins with: queries, models of dbt, classes. `export.ts` writes a contract for
// another tool as completely as possible; these are starting points that people edit.

import type { DataContract } from '../data-contract/data-contract.ts'
import { prepareModels } from '../data-contract/export-models.ts'
import { exportContract, type ExportFormat } from '../data-contract/export.ts'
import { writeDbtSources } from '../schema/dbt/write-sources.ts'
import { toSlug } from '../name/slug.ts'
import type { Value } from '../text/value.ts'
import type { GeneratedFile } from './generated-file.ts'
import { writePydantic } from './pydantic.ts'
import { findTarget } from './server-location.ts'
import { writeSelects } from './sql-select.ts'

/** The kinds of files that are generated from a data contract. */
export const GENERATION_TYPES = [
  'sql-select',
  'sql-ddl',
  'dbt-models',
  'dbt-sources',
  'json-schema',
  'pydantic',
] as const

/** A kind of files that is generated. */
export type GenerationType = (typeof GENERATION_TYPES)[number]

const FILE_NAME_CHARACTERS_MAX = 100

/** Generates files from a data contract. Names and types follow the platform of its first supported server. */
export function generateFiles(
  read: { contract: DataContract; value: Value },
  type: GenerationType,
): GeneratedFile[] {
  const { contract } = read
  const { name, id, servers } = contract
  const base = toSlug(id, FILE_NAME_CHARACTERS_MAX) || 'contract'
  const { platform: dialect, location } = findTarget(servers)
  const exported = (format: ExportFormat, filename: string, language: string): GeneratedFile[] => [
    { filename, language, content: exportContract(read, { format }).text },
  ]
  const tables = () => prepareModels(contract, dialect)
  switch (type) {
    case 'sql-select':
      return writeSelects(tables(), dialect, location)
    case 'sql-ddl':
      return exported('sql', `${base}.sql`, 'sql')
    case 'dbt-models':
      return exported('dbt', `${base}.yml`, 'yaml')
    case 'dbt-sources': {
      const content = writeDbtSources(tables(), { ...location, dialect, name: base })
      return [{ filename: `${base}-sources.yml`, language: 'yaml', content }]
    }
    case 'json-schema':
      return exported('json-schema', `${base}.schema.json`, 'json')
    case 'pydantic':
      return [
        {
          filename: `${base.replaceAll('-', '_')}.py`,
          language: 'python',
          content: writePydantic(prepareModels(contract, undefined).models, name),
        },
      ]
  }
}
