/** Cases of which only the process that reads a source decides, for every platform. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isolateConnectors } from '../../server/connectors/source-process/isolated-connectors.ts'
import { readSource } from '../source-reading.ts'
import { startCaseSource } from './case-source.ts'
import { PLATFORMS } from './platforms.ts'

const TOO_MANY_COLUMNS = 100_000

for (const platform of PLATFORMS) {
  const { connector } = platform

  test(`${connector.source} › keeps the first columns of a table with 100,000, and logs it`, async (t) => {
    const source = await startCaseSource(t, platform)
    const columns = Array.from({ length: TOO_MANY_COLUMNS }, (_, at) => ({ name: `c${at}` }))
    source.server.setContents({ sales: [{ name: 'huge', columns }, { name: 'orders' }] })
    const isolated = isolateConnectors(new Map([[connector.source, connector]]))
    const reading = await readSource(isolated.get(connector.source) ?? connector, source.setup())
    assert.equal(source.listTables(reading).length, 2)
    assert.deepEqual(source.listComplete(reading), [source.name('sales')])
    const { columns: kept = [], custom } = source.getTable(reading, 'sales', 'huge')
    assert.ok(kept.length > 10_000 && kept.length < TOO_MANY_COLUMNS, String(kept.length))
    assert.equal(kept.at(-1)?.name, columns[kept.length - 1]?.name)
    assert.equal(custom?.['columnCount'], TOO_MANY_COLUMNS)
    const message = `${source.name('sales', 'huge')}: only the first ${kept.length} of 100000 columns are kept`
    assert.ok(
      source.log.some((line) => line.includes(message)),
      source.log.join('\n'),
    )
  })
}
