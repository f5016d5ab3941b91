/**
 * Serves the scripted server of a platform with many tables behind a delaying proxy, in a separate process. The
 * parent process sends an extent, receives the settings, and then takes the received requests.
 */

import { startFaultProxy } from '../test/warehouses/fault-proxy.ts'
import type { CaseContents } from '../test/warehouses/platform.ts'
import { PLATFORMS } from '../test/warehouses/platforms.ts'
import type { WarehouseExtent } from './warehouse-source.ts'

process.once('message', (extent: WarehouseExtent) => {
  void serve(extent)
})

async function serve(extent: WarehouseExtent): Promise<void> {
  const platform = PLATFORMS.find(({ connector }) => connector.source === extent.source)
  if (platform === undefined) throw new Error(`Unknown platform ${extent.source}`)
  const server = await platform.startServer()
  server.setContents(createContents(extent))
  const proxy = await startFaultProxy(server.url)
  // The proxy delays the request and the answer.
  proxy.delayMs = extent.latencyMs / 2
  server.acceptProxy(proxy.url, true)
  process.on('message', () => {
    const requests = proxy.requests.splice(0)
    process.send?.({ requests })
  })
  // Some platforms create a key in each process.
  process.send?.({ url: proxy.url, ...platform.configure(proxy.url) })
}

function createContents({ schemas, tablesPerSchema, columns }: WarehouseExtent): CaseContents {
  const createTable = (at: number) => ({
    name: `table_${String(at).padStart(5, '0')}`,
    comment: `Table ${at} of the benchmark`,
    columns: Array.from({ length: columns }, (_, column) => ({
      name: `column_${column}`,
      comment: `Column ${column}`,
    })),
  })
  const tables = Array.from({ length: tablesPerSchema }, (_, at) => createTable(at))
  const names = Array.from({ length: schemas }, (_, at) => `schema_${String(at).padStart(3, '0')}`)
  return Object.fromEntries(names.map((name) => [name, tables]))
}
