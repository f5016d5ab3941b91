import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openEmbeddedStore } from '../server/kit/embedded-store.ts'
import type { BenchSource } from './ingest-source.ts'
import type { Stage, StoreKind } from './stage.ts'

/**
 * What no ingestion can be faster than: the connector's own statements, sent by the platform's own
 * client, and what they answered, copied into a table of a store like the product's.
 */
export interface Floor {
  /** Seconds of both, one after the other. */
  measure(): Promise<{ readSeconds: number; copySeconds: number }>
  close(): Promise<void>
}

/** Prepares the floor of a source and a kind of store. */
export async function prepareFloor(
  stage: Stage,
  kind: StoreKind,
  source: BenchSource,
  statements: readonly string[],
): Promise<Floor> {
  const store = await openStore(stage, kind)
  const { client, file } = store
  await source.save(
    statements.filter((statement) => source.isLarge(statement)),
    file,
  )
  const columns = Array.from({ length: await countFields(file) }, (_, at) => `field_${at} text`)
  return {
    async measure() {
      await client.query(`create unlogged table floor (${columns.join(', ')})`)
      const startedAtMs = performance.now()
      await source.discard(statements)
      const readAtMs = performance.now()
      await store.copy()
      const endedAtMs = performance.now()
      await client.query('drop table floor')
      return {
        readSeconds: (readAtMs - startedAtMs) / 1000,
        copySeconds: (endedAtMs - readAtMs) / 1000,
      }
    },
    close: () => store.close(),
  }
}

/** A store with nothing in it. */
interface FloorStore {
  client: Client
  /** Where the rows are to lie. */
  file: string
  /** Copies them into the table `floor`. */
  copy(): Promise<void>
  close(): Promise<void>
}

async function openStore(stage: Stage, kind: StoreKind): Promise<FloorStore> {
  const directory = stage.newDirectory()
  if (kind === 'postgres') {
    const client = new Client({ connectionString: await stage.newDatabase() })
    await client.connect()
    const file = join(directory, 'rows')
    return {
      client,
      file,
      copy: () => pipeline(createReadStream(file), client.query(copyFrom('copy floor from stdin'))),
      close: () => client.end(),
    }
  }
  const { connection, close } = await openEmbeddedStore(directory, (error) => {
    throw error
  })
  const client = new Client(connection)
  await client.connect()
  return {
    client,
    // The embedded store takes no rows from a client, and sees no other directory than its own.
    file: join(directory, 'postgres', 'rows'),
    async copy() {
      const { rows } = await client.query<{ place: string }>(
        "select current_setting('data_directory') as place",
      )
      await client.query(`copy floor from '${rows[0]?.place}/rows'`)
    },
    async close() {
      await client.end()
      await close()
    },
  }
}

async function countFields(file: string): Promise<number> {
  const handle = await open(file)
  for await (const line of handle.readLines()) return line.split('\t').length
  throw new Error('the source answered no row')
}
