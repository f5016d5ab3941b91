// The project and dataset of BigQuery in a namespace.

import { legalName } from '../types/legal-name.ts'

interface BigQueryNamespace {
  project?: string
  dataset: string
  problem?: string
}

const PROJECT = /^(?:[a-z0-9.-]{1,100}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/

/** Splits a namespace into project and dataset. A namespace without a valid project is one dataset. */
export function splitNamespace(namespace: string): BigQueryNamespace {
  const at = namespace.lastIndexOf('.')
  const project = namespace.slice(0, Math.max(at, 0))
  const hasProject = namespace.length > at + 1 && PROJECT.test(project)
  const { name, problem } = legalName(
    hasProject ? namespace.slice(at + 1) : namespace,
    'schema',
    'bigquery',
  )
  return {
    ...(hasProject ? { project } : {}),
    dataset: name,
    ...(problem === undefined ? {} : { problem: `Namespace: ${problem}` }),
  }
}
