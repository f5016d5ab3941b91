// The JSON Schemas that tools request by the name of a file, such as `odcs-3.1.0.schema.json`.

import odcs222 from './odcs-v2.2.2.schema.json' with { type: 'json' }
import odcs300 from './odcs-v3.0.0.schema.json' with { type: 'json' }
import odcs301 from './odcs-v3.0.1.schema.json' with { type: 'json' }
import odcs302 from './odcs-v3.0.2.schema.json' with { type: 'json' }
import odcs310 from './odcs-v3.1.0.schema.json' with { type: 'json' }
import odcs320 from './odcs-v3.2.0.schema.json' with { type: 'json' }
import odps090 from './odps-v0.9.0.schema.json' with { type: 'json' }
import odps100 from './odps-v1.0.0.schema.json' with { type: 'json' }
import odps110 from './odps-v1.1.0.schema.json' with { type: 'json' }

/** The schema of a version of a standard. */
interface PublishedSchema {
  /** `3.1.0`. */
  version: string
  /** The schema with its dialect. */
  schema: object
}

interface PublishedStandard {
  /** The version without a request for one, which existing clients write. */
  usual: string
  versions: ReadonlyMap<string, object>
}

const STANDARDS: ReadonlyMap<string, PublishedStandard> = new Map([
  [
    'odcs',
    {
      usual: '3.1.0',
      versions: new Map<string, object>([
        ['2.2.2', odcs222],
        ['3.0.0', odcs300],
        ['3.0.1', odcs301],
        ['3.0.2', odcs302],
        ['3.1.0', odcs310],
        ['3.2.0', odcs320],
      ]),
    },
  ],
  [
    'odps',
    {
      usual: '1.0.0',
      versions: new Map<string, object>([
        ['0.9.0', odps090],
        ['1.0.0', odps100],
        ['1.1.0', odps110],
      ]),
    },
  ],
])

// The schemas are stored without it, like all their annotations. It is that of every version.
const DIALECT = 'https://json-schema.org/draft/2019-09/schema'

const FILE_NAME = /^(odcs|odps)(?:-(\d+\.\d+\.\d+))?(?:-custom)?\.schema\.json$/

/**
 * Finds a schema by the name of its file: `odcs.schema.json`, `odps-1.0.0.schema.json`. With `-custom`, it is the same:
 * organizations do not change the standards here.
 */
export function findPublishedSchema(fileName: string): PublishedSchema | undefined {
  const [, name = '', requested] = FILE_NAME.exec(fileName) ?? []
  const standard = STANDARDS.get(name)
  if (standard === undefined) return undefined
  const version = requested ?? standard.usual
  const schema = standard.versions.get(version)
  return schema && { version, schema: { $schema: DIALECT, ...schema } }
}

/** The names of all schemas with a version. */
export const PUBLISHED_SCHEMA_NAMES: readonly string[] = [...STANDARDS].flatMap(
  ([name, { versions }]) => [...versions.keys()].map((version) => `${name}-${version}`),
)
