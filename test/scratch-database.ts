import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import { Client } from 'pg'
import { startPostgres, type TestPostgres } from './postgres.ts'

/** Creates an empty database for the tests of a file or suite; returns a function for its client. */
export function useScratchDatabase(prefix: string): () => Client {
  let own: TestPostgres | undefined
  let client: Client

  before(async () => {
    let url = process.env.PORTBOOK_TEST_POSTGRES
    if (url === undefined) {
      own = await startPostgres()
      url = own.url
    }
    const name = `${prefix}_${randomBytes(6).toString('hex')}`
    const server = new Client({ connectionString: url })
    await server.connect()
    await server.query(`create database ${name}`)
    await server.end()
    const database = new URL(url)
    database.pathname = `/${name}`
    client = new Client({ connectionString: database.href })
    await client.connect()
  })

  after(async () => {
    await client?.end()
    await own?.stop()
  })

  return () => client
}
