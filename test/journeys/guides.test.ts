/**
 * The guides of operators, as they are written: the commands of a section run in a shell, with folders and addresses
 * of the test in place of those of a machine.
 */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createUnattendedStart, PRODUCT, startProduct } from '../process.ts'
import { newLocalPlace, newStorePlace, type StorePlace } from '../stores.ts'

const GUIDES = join(import.meta.dirname, '../../docs/guides')
const DATABASE = 'postgres://portbook:password@db.example.com/portbook'

/** Returns the first block of commands in a section of a guide. */
function readCommands(guide: string, heading: string): string {
  const [, section = ''] = readFileSync(join(GUIDES, guide), 'utf8').split(`\n## ${heading}\n`)
  const [, commands] = /^```sh\n([^]*?)^```$/m.exec(section) ?? []
  assert.ok(commands !== undefined, `${guide} has no commands below "${heading}"`)
  return commands
}

describe('the guides of operators', () => {
  const local = newLocalPlace()
  const directory = local.environment['PORTBOOK_DATA_DIR'] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'portbook-guides-'))
  const backups = join(folder, 'backups')
  let database: StorePlace

  before(async () => {
    const programs = join(folder, 'bin')
    mkdirSync(programs)
    writeProgram(join(programs, 'npx'), `shift\nexec '${process.execPath}' '${PRODUCT}' "$@"\n`)
    // No service runs: the tests stop the product themselves.
    writeProgram(join(programs, 'systemctl'), '')
    database = await newStorePlace()
    const start = createUnattendedStart(local)
    const product = await startProduct(start.environment)
    const answer = await fetch(`${product.url}/api/teams/fleet`, {
      method: 'PUT',
      headers: { 'x-api-key': start.key(), 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'fleet', name: 'Fleet', type: 'Team' }),
    })
    assert.equal(answer.status, 200)
    await product.stop()
  })
  after(async () => {
    await local.remove()
    await database.remove()
  })

  /** Runs the commands of a section with some settings; returns the output. Fails if one of them does. */
  async function run(commands: string, settings: Record<string, string>): Promise<string> {
    const script = commands
      .replaceAll('/var/lib/portbook', directory)
      .replaceAll('/var/backups/portbook', backups)
      .replaceAll('/var/tmp', folder)
      .replaceAll(DATABASE, database.environment['DATABASE_URL'] ?? '')
    const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
      env: {
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        TMPDIR: tmpdir(),
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    }
    const [code] = (await once(shell, 'close')) as [number | null]
    assert.equal(code, 0, `${script}\n${output}`)
    return output
  }

  test('backup-and-restore.md › Back up › writes a file with the date', async () => {
    const output = await run(readCommands('backup-and-restore.md', 'Back up'), local.environment)
    assert.match(output, /^backed up to .+: [\d.]+ kB, \d+ rows$/m)
    assert.match(readdirSync(backups).join(), /^portbook-\d{8}T\d{6}Z\.jsonl\.gz$/)
  })

  test('backup-and-restore.md › Trial restore › restores the newest backup beside the data', async () => {
    const output = await run(readCommands('backup-and-restore.md', 'Trial restore'), {
      DATABASE_URL: database.environment['DATABASE_URL'] ?? '',
    })
    assert.match(output, /^restored from .+ 1 team,/m)
    assert.match(output, /^ok {3}every current document is the last version/m)
    assert.ok(!readdirSync(folder).includes('portbook-trial'))
  })

  test("move.md › From Portbook's own PostgreSQL to yours, and back", async () => {
    const heading = "From Portbook's own PostgreSQL to yours"
    const there = await run(readCommands('move.md', heading), local.environment)
    assert.match(there, /^imported from .+ 1 team,/m)
    const key = readFileSync(join(directory, 'encryption.key'), 'utf8').trim()
    const other = newLocalPlace()
    const commands = readCommands('move.md', "From yours to Portbook's own")
    const back = await run(commands.replaceAll('/var/lib/portbook', dataDirectory(other)), {
      ...other.environment,
      DATABASE_URL: database.environment['DATABASE_URL'] ?? '',
      PORTBOOK_ENCRYPTION_KEY: key,
    })
    await other.remove()
    assert.match(back, /^imported from .+ 1 team,/m)
  })
})

function dataDirectory({ environment }: StorePlace): string {
  return environment['PORTBOOK_DATA_DIR'] ?? ''
}

function writeProgram(path: string, text: string): void {
  writeFileSync(path, `#!/bin/sh\n${text}`)
  chmodSync(path, 0o755)
}
