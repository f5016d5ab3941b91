/** Everything outside `server/connectors/` that lists the source platforms, and would treat a new one as unknown. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { getServerPlatform } from '../formats/schema/types/platform.ts'
import { CONNECTORS } from '../server/connectors/connectors.ts'
import type { Connector } from '../server/connectors/connector.ts'
import { holdsSchemas } from '../web/parts/asset-types.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const MARKS = read('web/parts/platform-mark.tsx')
const README = read('README.md')
const SOURCES_README = read('docs/guides/sources/README.md')

/** The places, each with what a connector needs there. */
const PLACES: Readonly<Record<string, (connector: Connector) => boolean>> = {
  'web/parts/platform-mark.tsx: a mark in LOOKS': ({ source }) =>
    new RegExp(`^  ${source}: \\{ letters: '`, 'm').test(MARKS),
  'web/parts/asset-types.ts: whether its databases hold schemas': ({ source, description }) => {
    const { levels, assetKinds } = description
    const containers = assetKinds.filter((kind) => kind === 'database' || kind === 'catalog')
    const hasSchemas = levels.some((level) => level === 'schema')
    return containers.every((kind) => holdsSchemas(`${source}_${kind}`) === hasSchemas)
  },
  'formats/schema/types/platform.ts: the platform of its types': ({ source }) =>
    getServerPlatform(source) !== undefined,
  'README.md: its name among the sources, and its guide': ({ description: { title, guide } }) =>
    README.includes(title) &&
    (guide === undefined || README.includes(`(docs/guides/sources/${guide}.md)`)),
  'docs/guides/sources/README.md: a link to its guide': ({ description: { guide } }) =>
    guide === undefined || SOURCES_README.includes(`(${guide}.md)`),
}

describe('every source', () => {
  for (const connector of CONNECTORS.values()) {
    test(`${connector.source} › is listed everywhere`, () => {
      const missing = Object.entries(PLACES).filter(([, isKnown]) => !isKnown(connector))
      assert.deepEqual(
        missing.map(([place]) => place),
        [],
      )
    })
  }

  test('an unknown one › lacks every place that goes by its name', () => {
    const [first] = CONNECTORS.values()
    assert.ok(first)
    const description = { ...first.description, title: 'No such product', guide: 'none' }
    const unknown = { ...first, source: 'none', description }
    const known = Object.entries(PLACES).filter(([, isKnown]) => isKnown(unknown))
    assert.deepEqual(known, [])
  })
})
