import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { openPlace } from './database-place.ts'
import type { BenchSource } from './ingest-source.ts'
import type { ServerKind, Stage } from './stage.ts'

/**
 * The minimum time of any ingestion: the connector's own statements, sent by the platform's own client,
 * and their results, copied into a table of a server like the product's.
 */
export interface Floor {
  /** Measures both in seconds, sequentially. */
  measure(): Promise<{ readSeconds: number; copySeconds: number }>
  close(): Promise<void>
}

/** Prepares the floor of a source and a kind of server. */
export async function prepareFloor(
  stage: Stage,
  kind: ServerKind,
  source: BenchSource,
  statements: readonly string[],
): Promise<Floor> {
  const place = await openPlace(await stage.newDatabase(kind))
  const client = new Client(place.connection)
  await client.connect()
  const file = join(stage.newDirectory(), 'rows')
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
      await pipeline(createReadStream(file), client.query(copyFrom('copy floor from stdin')))
      const endedAtMs = performance.now()
      await client.query('drop table floor')
      return {
        readSeconds: (readAtMs - startedAtMs) / 1000,
        copySeconds: (endedAtMs - readAtMs) / 1000,
      }
    },
    async close() {
      await client.end()
      await place.close()
    },
  }
}

async function countFields(file: string): Promise<number> {
  const handle = await open(file)
  for await (const line of handle.readLines()) return line.split('\t').length
  throw new Error('The source returned no rows.')
}
