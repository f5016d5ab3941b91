/**
 * The bare server that figures are compared with: Node's own HTTP server, the driver, and one prepared
 * statement for each method. It parses no document, validates nothing and logs nothing. A POST appends its body to a
 * table. The environment selects the PostgreSQL: the database of a URL, or a local server in a data directory.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Pool } from 'pg'
import { openPlace } from './database-place.ts'

const TABLES = `
  create table if not exists document (id text primary key, document text not null);
  create table if not exists event (id bigint generated always as identity primary key, document text not null)`
const SELECT = { name: 'select', text: 'select document from document where id = $1' }
const UPSERT = {
  name: 'upsert',
  text: `insert into document (id, document) values ($1, $2)
    on conflict (id) do update set document = excluded.document
    returning document`,
}
const APPEND = { name: 'append', text: 'insert into event (document) values ($1)' }
const CONNECTIONS_MAX = 10

const { BARE_DATABASE_URL: databaseUrl, BARE_DATA_DIRECTORY: dataDirectory = '' } = process.env
const place = await openPlace(databaseUrl === undefined ? { dataDirectory } : { databaseUrl })
const pool = new Pool({ ...place.connection, max: CONNECTIONS_MAX })
await pool.query(TABLES)

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
process.once('SIGTERM', () => void stop())
process.on('disconnect', () => process.exit(1))

async function stop(): Promise<void> {
  await pool.end()
  await place.close()
  process.exit(0)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '' } = request
  if (request.method === 'POST') {
    await pool.query({ ...APPEND, values: [await readBody(request)] })
    response.writeHead(201, { 'content-length': 0 }).end()
    return
  }
  const id = url.slice(url.lastIndexOf('/') + 1)
  const statement =
    request.method === 'PUT'
      ? { ...UPSERT, values: [id, await readBody(request)] }
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

async function readBody(request: IncomingMessage): Promise<string> {
  return await new Promise((done, fail) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', fail)
    request.on('end', () => done(Buffer.concat(chunks).toString()))
  })
}
