// Exports the public examples of the standards to every format and reads them back: differences are listed as losses,
// and the reference library of each format accepts the text.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import avsc from 'avsc'
import protobuf from 'protobufjs'
import { isMap, parseDocument } from 'yaml'
import { differingPaths, withRequiredKeys } from '../../test/model-equality.ts'
import { exportAll } from '../../test/exported-contracts.ts'
import { standardsFor } from '../../test/standards.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { Specification } from '../schema/specification.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { readText } from '../text/text.ts'
import { type ExportFormat, exportContract } from './export.ts'
import { readDataContract } from './read.ts'
import { sourceTextFor } from './source-text.ts'
import { useScratchDatabase } from '../../test/scratch-database.ts'
import type { Model } from '../schema/model.ts'
import { LANGUAGES } from '../schema/languages.ts'

const PLATFORM: Platform = 'postgresql'
const AJV = new Ajv2020({ strict: false, validateFormats: false })

/** Fails unless the reference library of a language accepts a text. */
const ACCEPT: Readonly<Record<Exclude<ExportFormat, 'odcs'>, (text: string) => unknown>> = {
  'json-schema': (text) => AJV.compile(JSON.parse(text)),
  avro(text) {
    const registry = Object.create(null)
    for (const record of [JSON.parse(text)].flat()) avsc.Type.forSchema(record, { registry })
  },
  protobuf: (text) => protobuf.parse(text),
  sql: execute,
  dbt: (text) => parseDocument(text, { strict: true }).toJS(),
  bigquery: (text) => JSON.parse(text),
}

const client = useScratchDatabase('examples')

async function execute(text: string): Promise<void> {
  await client().query('begin')
  try {
    if (text !== '') await client().query(text)
  } finally {
    await client().query('rollback')
  }
}

for (const standard of ['odcs', 'dcs'] as const) {
  test(`every example of ${standard} › survives a round trip through every format, except for listed losses`, async (t) => {
    const files = standardsFor(t, standard) ?? []
    for (const { name, text } of files.filter((file) => file.name.endsWith('.yaml'))) {
      const reading = readExample(text)
      // An export without models is empty.
      if (reading.contract.models.length === 0) continue
      for (const { name: format, read } of LANGUAGES) {
        const wanted = { format, dialect: PLATFORM }
        const { text: written, losses } = exportContract(reading, wanted)
        // An unchanged specification is as valid as its original.
        if (written === sourceTextFor(reading, format, PLATFORM)) continue
        await ACCEPT[format](written)
        const notes = new Notes(NOWHERE)
        const models: Model[] = read(new Specification(written, [], notes), { platform: PLATFORM })
        assert.deepEqual(notes.warnings, [], `${name} as ${format}`)
        const unexplained = differingPaths(
          withRequiredKeys(reading.contract.models),
          withRequiredKeys(models),
        ).filter((path) => !losses.some((loss) => isWithin(path, loss.path)))
        assert.deepEqual(unexplained, [], `${name} as ${format}`)
      }
    }
  })
}

test('every feature of every format › is a script that PostgreSQL executes', async () => {
  for (const text of new Set(exportAll({ format: 'sql', dialect: 'postgresql' }))) {
    await execute(text).catch((error: unknown) => assert.fail(`${String(error)}\n${text}`))
  }
})

function isWithin(path: string, lost: string): boolean {
  return path === lost || (path.startsWith(lost) && /^[.[{]/.test(path.slice(lost.length)))
}

/** Parses an example, adding an owner if it has none. */
function readExample(text: string) {
  const document = parseDocument(text)
  assert.ok(isMap(document.contents))
  if (document.has('info')) document.setIn(['info', 'owner'], 'a')
  else document.set('team', { name: 'a' })
  const source = readText(document.toString(), 'application/yaml')
  assert.ok(source.ok)
  const id = String(document.get('id') ?? document.get('uuid'))
  const reading = readDataContract(source, { id, strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading
}
