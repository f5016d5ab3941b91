/** Clients that send so slowly that they could hold every connection: they hold nobody up. */

import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, unattended, type ProductProcess } from '../process.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'
import { isLong } from './load.ts'

// As many as the file handles of one ordinary process allow for, in the long run.
const CONNECTIONS = isLong ? 8000 : 500
const DRIP_MS = 300
const NORMAL_MS_MAX = 1000
// Headers must be there within ten seconds; the server looks every two seconds.
const CUT_WITHIN_MS = 16_000

let place: StorePlace
let product: ProductProcess
let client: HttpClient

before(async () => {
  place = await newStorePlace()
  const start = unattended(place)
  product = await startProduct(start.environment)
  client = newHttpClient(product.url, start.key())
})
after(async () => {
  client.close()
  await product.stop()
  await place.remove()
})

test(`${CONNECTIONS} connections that drip their headers › normal requests are answered, they are cut`, async () => {
  const startedAtMs = performance.now()
  const dripping = await Promise.all(Array.from({ length: CONNECTIONS }, startDripping))
  let slowestMs = 0
  let answered = 0
  const open = new Set(dripping)
  for (const connection of dripping) void connection.cut.then(() => open.delete(connection))
  while (open.size > 0) {
    const { status, durationMs } = await client.send('GET', '/api/organization/settings')
    assert.equal(status, 200)
    slowestMs = Math.max(slowestMs, durationMs)
    answered += 1
    assert.ok(performance.now() - startedAtMs < CUT_WITHIN_MS, `${open.size} are still open`)
    await new Promise((done) => setTimeout(done, 20))
  }
  assert.ok(slowestMs < NORMAL_MS_MAX, `a normal request took ${slowestMs} ms`)
  assert.ok(answered > 20)
  const received = await Promise.all(dripping.map(({ cut }) => cut))
  // Who is cut is told why, where there is still someone to tell.
  const told = received.filter((text) => text.startsWith('HTTP/1.1 408 Request Timeout\r\n'))
  assert.ok(told.length > CONNECTIONS / 2, `${told.length} were told`)
  assert.equal(received.filter((text) => text !== '' && !text.startsWith('HTTP/1.1 408')).length, 0)
})

interface Dripping {
  /** Resolves to what came, when the server has closed the connection. */
  cut: Promise<string>
}

/** Opens a connection that sends one more byte of endless headers every now and then. */
async function startDripping(): Promise<Dripping> {
  const { hostname, port } = new URL(product.url)
  const socket: Socket = connect(Number(port), hostname)
  socket.setEncoding('latin1')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  const cut = new Promise<string>((done) => {
    socket.once('close', () => {
      clearInterval(timer)
      done(received)
    })
  })
  const timer = setInterval(() => socket.writable && socket.write('x'), DRIP_MS)
  await new Promise<void>((done, failed) => {
    socket.once('error', failed)
    socket.once('connect', done)
  })
  // Bytes that are under way when the server closes come back as a reset.
  socket.removeAllListeners('error').on('error', () => undefined)
  socket.write('GET /api/teams HTTP/1.1\r\nhost: portbook\r\nx-slow: ')
  return { cut }
}
