/** The places in which tests look for secrets. */

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { countSealedOtherwise } from '../server/platform/sealed-secrets.ts'
import type { Canary } from './canaries.ts'
import { runProduct } from './process.ts'
import { onDatabase } from './sources.ts'
import type { StorePlace } from './stores.ts'
import { uniqueId } from './world.ts'

const CHARACTERS_SHOWN = 500

/** All output of the product, by location. */
export class Seen {
  readonly texts = new Map<string, string>()

  /** Repeated output counts once. */
  note(where: string, text: string): void {
    if (!this.texts.has(text)) this.texts.set(text, where)
  }

  /** Lists the locations of a secret. */
  find({ isIn }: Canary): string[] {
    return [...this.texts]
      .filter(([text]) => isIn(text))
      .map(([text, where]) => `${where}: ${text.slice(0, CHARACTERS_SHOWN)}`)
  }
}

/** Reads the database, the export, and the output of the operator's commands. */
export async function lookBehind(place: StorePlace, seen: Seen): Promise<void> {
  await onDatabase(place, async (db) => {
    const { rows: tables } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1
    `.execute(db)
    for (const { name } of tables) {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(one)::text as row from ${sql.table(name)} as one
      `.execute(db)
      seen.note(`table ${name}`, rows.map(({ row }) => row).join('\n'))
    }
    const count = await countSealedOtherwise(db, { keyId: 'no key has this ID' })
    assert.ok(count > 0, 'found no secrets')
  })
  const folder = join(tmpdir(), `backup-${uniqueId()}`)
  const file = join(tmpdir(), `export-${uniqueId()}`)
  const environment = { ...place.environment, PORTBOOK_LOG_LEVEL: 'debug' }
  const { code, stdout, stderr } = await runProduct(environment, ['export', file])
  assert.equal(code, 0, stdout)
  seen.note('export', stdout + stderr)
  seen.note('export file', await readFile(file, 'utf8'))
  const backup = await runProduct(environment, ['backup', folder])
  assert.equal(backup.code, 0, backup.stdout)
  seen.note('backup', backup.stdout + backup.stderr)
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name))
    seen.note(`backup file ${name}`, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString())
  }
}
