/** A properties file of dbt, and the manifests that dbt Core 1.5, 1.6, 1.7 and 1.10 wrote of it. */

import { readFileSync } from 'node:fs'
import { readDbt } from '../formats/schema/dbt/read.ts'
import type { Model } from '../formats/schema/model.ts'
import { Specification } from '../formats/schema/specification.ts'
import { Notes, type Problem } from '../formats/text/problem.ts'
import { jsonText, type Value } from '../formats/text/value.ts'

const FOLDER = new URL('dbt-manifests/', import.meta.url)

/** The properties file. */
export const PROPERTIES = readFileSync(new URL('schema.yml', FOLDER), 'utf8')

/** Returns the text of a manifest of a version: 9, 10, 11 or 12. */
export function readManifestFile(version: number): string {
  return readFileSync(new URL(`v${version}.json`, FOLDER), 'utf8')
}

/** Reads models of dbt, with the warnings. */
export function readModels(given: Value): { models: Model[]; warnings: Problem[] } {
  const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
  const models = readDbt(new Specification(given, ['schema', 'specification'], notes), {
    platform: 'postgresql',
  })
  return { models, warnings: notes.warnings }
}

/** Returns what the models promise, by their names: columns, types, keys, tests. */
export function listPromises(given: Value): Record<string, unknown> {
  const { models } = readModels(given)
  return Object.fromEntries(
    models.map((model) => [
      model.name,
      {
        description: model.description,
        primaryKey: model.primaryKey,
        rules: model.quality.map(({ name }) => name),
        fields: model.fields.map(({ quality, ...field }) => ({
          ...field,
          origin: '',
          quality: new Set(quality.map(({ name, rule }) => name ?? jsonText(rule))),
        })),
      },
    ]),
  )
}
