/** The sources that a server may connect to by default, and the log line of the policy. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startListener } from '../canaries.ts'
import { onPlace } from '../operator.ts'
import { startProduct, type LogLine, type ProductProcess } from '../process.ts'
import { newOwner } from '../sources.ts'
import { withSession } from '../world.ts'

const isPolicy = (line: LogLine): boolean => line['privateSources'] !== undefined

async function testSource(product: ProductProcess, session: string, port: number): Promise<string> {
  const answer = await fetch(`${product.url}/ui/integrations/test`, {
    method: 'POST',
    headers: { ...withSession(session), 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'Private',
      source: 'postgres',
      configuration: {
        host: '127.0.0.1',
        port,
        user: 'reader',
        database: ['postgres'],
        sslMode: 'disable',
      },
      secrets: { password: 'reader' },
    }),
  })
  return await answer.text()
}

test('a server on loopback with a public base URL rejects private sources and mentions the setting', async () => {
  await onPlace(async (place) => {
    const { session } = await newOwner(place)
    const source = await startListener((socket) => socket.end())
    const product = await startProduct({
      ...place.environment,
      HOST: '127.0.0.1',
      PORTBOOK_BASE_URL: 'https://catalog.example.com',
    })
    try {
      const { msg } = await product.logged(isPolicy)
      assert.match(msg ?? '', /addresses are denied: .*PORTBOOK_BASE_URL https:\/\/catalog/)
      assert.match(
        await testSource(product, session, source.port),
        /private address.*PORTBOOK_PRIVATE_SOURCES/,
      )
      assert.equal(source.count(), 0)
    } finally {
      await product.stop()
      await source.close()
    }
  })
})

test('a server that allows private sources rejects its own ports', async () => {
  await onPlace(async (place) => {
    const { session } = await newOwner(place)
    const source = await startListener((socket) => socket.end())
    const product = await startProduct({
      ...place.environment,
      PORTBOOK_PRIVATE_SOURCES: 'allow',
      PORTBOOK_METRICS_PORT: '0',
    })
    try {
      const { msg } = await product.logged(isPolicy)
      assert.match(msg ?? '', /addresses are allowed: PORTBOOK_PRIVATE_SOURCES is allow/)
      const port = Number(new URL(product.url).port)
      assert.match(await testSource(product, session, port), /port of this server,/)
      await testSource(product, session, source.port)
      assert.equal(source.count(), 1)
    } finally {
      await product.stop()
      await source.close()
    }
  })
})
