/** Traces as an operator has them: off by default at no cost, and never in the way of the product. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { listTraceScripts } from '../loaded-scripts.ts'
import { onPlace } from '../operator.ts'
import { startOtlpReceiver } from '../otlp-receiver.ts'
import { createUnattendedStart, startProduct } from '../process.ts'

const SEND_MS_MAX = 20_000
const REMOTE = 'a'.repeat(32)

/** Returns the addresses of the scripts that a process loads until `work` ends, and its log. */
async function watch(
  environment: Record<string, string>,
  work: (url: string) => Promise<void>,
): Promise<ReturnType<typeof listTraceScripts> & { log: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-coverage-'))
  try {
    const product = await startProduct({ ...environment, NODE_V8_COVERAGE: directory })
    await work(product.url)
    const { stderr: log } = await product.stop()
    return { ...listTraceScripts(directory), log }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

describe('traces', { concurrency: 2 }, () => {
  test('without a collector, a process loads no code of them', async () => {
    await onPlace(async (place) => {
      const { environment, key } = createUnattendedStart(place)
      const off = {
        ...environment,
        OTEL_SERVICE_NAME: 'portbook',
        OTEL_TRACES_SAMPLER: 'always_on',
      }
      const { all, traces } = await watch(off, async (url) => {
        const headers = { 'x-api-key': key() }
        assert.equal((await fetch(`${url}/api/dataproducts`, { headers })).status, 200)
      })
      assert.ok(all.some((url) => /main\.(?:mjs|ts)$/.test(url)))
      assert.deepEqual(traces, [])
    })
  })

  test('a collector that hangs delays no answer, and the process still ends well', async () => {
    await onPlace(async (place) => {
      const receiver = await startOtlpReceiver()
      receiver.answer('never')
      const { environment, key } = createUnattendedStart(place)
      const on = {
        ...environment,
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20canary-of-the-collector',
        OTEL_BSP_SCHEDULE_DELAY: '1',
      }
      const { traces, log } = await watch(on, async (url) => {
        const headers = {
          'x-api-key': key(),
          traceparent: `00-${REMOTE}-${'b'.repeat(16)}-01`,
        }
        for (let i = 0; i < 3; i += 1) {
          const response = await fetch(`${url}/api/dataproducts`, { headers })
          assert.equal(response.status, 200)
          await response.text()
        }
        await eventually(SEND_MS_MAX, async () => receiver.bodies.length > 0, 'spans are sent')
      })
      assert.notDeepEqual(traces, [])
      assert.equal(receiver.headers[0]?.authorization, 'Bearer canary-of-the-collector')
      assert.equal(receiver.headers[0][':path'], '/v1/traces')
      assert.match(log, new RegExp(`"trace_id":"${REMOTE}"`))
      assert.ok(!log.includes('canary-of-the-collector'))
      await receiver.close()
    })
  })
})
