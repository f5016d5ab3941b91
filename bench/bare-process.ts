/**
 * The limit that figures are held against: Node's own HTTP server, the driver, and one prepared
 * statement for each method; nothing is read of a document, nothing checked, nothing logged. It
 * serves PostgreSQL, or an embedded store of its own, by the environment.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool, type ClientConfig } from 'pg'

const TABLE = 'create table if not exists document (id text primary key, document text not null)'
const SELECT = { name: 'select', text: 'select document from document where id = $1' }
const UPSERT = {
  name: 'upsert',
  text: `insert into document (id, document) values ($1, $2)
    on conflict (id) do update set document = excluded.document
    returning document`,
}

const { BARE_DATABASE_URL: databaseUrl, BARE_DIRECTORY: directory } = process.env
const { connection, connectionsMax } = await openStore()
// Connections stay: the embedded store runs all of them in one session, where a second one could not
// prepare its statements under the same names.
const pool = new Pool({ ...connection, max: connectionsMax, idleTimeoutMillis: 0 })
await pool.query(TABLE)

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`bare listening on http://127.0.0.1:${port}\n`)
})
process.on('disconnect', () => process.exit(1))

async function openStore(): Promise<{ connection: ClientConfig; connectionsMax: number }> {
  if (directory === undefined) {
    process.once('SIGTERM', () => process.exit(0))
    return { connection: { connectionString: databaseUrl }, connectionsMax: 10 }
  }
  // Loaded only where it is used: a cold start on PostgreSQL is not to pay for it.
  const { openEmbeddedStore } = await import('../server/kit/embedded-store.ts')
  const { connection, close } = await openEmbeddedStore(directory, () => process.exit(1))
  process.once('SIGTERM', () => void close().then(() => process.exit(0)))
  return { connection, connectionsMax: 1 }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '' } = request
  const id = url.slice(url.lastIndexOf('/') + 1)
  const statement =
    request.method === 'PUT'
      ? { ...UPSERT, values: [id, await textOf(request)] }
      : { ...SELECT, values: [id] }
  const { rows } = await pool.query<{ document: string }>(statement)
  const text = rows[0]?.document
  if (text === undefined) {
    response.writeHead(404).end()
    return
  }
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

async function textOf(request: IncomingMessage): Promise<string> {
  return await new Promise((done, fail) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', fail)
    request.on('end', () => done(Buffer.concat(chunks).toString()))
  })
}
