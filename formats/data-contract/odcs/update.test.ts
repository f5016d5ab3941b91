import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FULL_ODCS } from '../../../test/full-contracts.ts'
import { standardsFor } from '../../../test/standards.ts'
import { diffDataContracts } from '../../diff/contract.ts'
import { editText } from '../../text/edit/text-edit.ts'
import { type MediaType, readText } from '../../text/text.ts'
import { asText, getField } from '../../text/value.ts'
import { readDataContract } from '../read.ts'
import { listOdcsUpdates } from './update.ts'

const VERSION = 'v3.2.0'
const YAML = 'application/yaml'

function update(text: string, mediaType: MediaType): string {
  const source = readText(text, mediaType)
  assert.ok(source.ok)
  const edited = editText(text, mediaType, listOdcsUpdates(source.value, VERSION))
  assert.ok(edited.ok, edited.ok ? '' : edited.reason)
  return edited.text
}

function read(text: string, mediaType: MediaType, strict = false) {
  const source = readText(text, mediaType)
  assert.ok(source.ok)
  const id = asText(getField(source.value, 'id')) ?? 'x'
  return readDataContract(source, { id, strict, owner: 'a' })
}

// Before v3.1.0 the schema of DuckDB is a number.
const NUMBER_AS_TEXT = 'Server "duckdb": schema changed from 1 to "1".'

/** Returns what an update changes, except for wording. */
function listChanges(text: string, mediaType: MediaType): string[] {
  const [before, after] = [read(text, mediaType), read(update(text, mediaType), mediaType)]
  assert.ok(
    before.ok && after.ok,
    JSON.stringify([before, after].map((one) => (one.ok ? [] : one.problems))),
  )
  const changes = diffDataContracts(before, after)
  const messages = changes.filter(({ level }) => level !== 'wording').map(({ message }) => message)
  return messages.filter((message) => message !== NUMBER_AS_TEXT)
}

const TEXT = `# Agreed on 3 March.
apiVersion: v3.0.2   # the version of the standard
kind: DataContract
id: orders
schema:
  - name: orders
    properties:
      - name: total
        logicalType: number
        logicalTypeOptions:
          minimum: 1.50   # in euros
          exclusiveMinimum: true
          exclusiveMaximum: false
        quality:
          - rule: rowCount   # every day
            mustBe: 3
          - {type: text, description: Checked by hand.}
`

test('only the version and what it forbids change, byte for byte', () => {
  assert.equal(
    update(TEXT, YAML),
    TEXT.replace('apiVersion: v3.0.2', 'apiVersion: v3.2.0')
      .replace('minimum: 1.50', 'exclusiveMinimum: 1.50')
      .replace('          exclusiveMinimum: true\n', '')
      .replace('          exclusiveMaximum: false\n', '')
      .replace('- rule: rowCount', '- metric: rowCount'),
  )
})

test('a document of the newest version stays as it is', () => {
  const updated = update(TEXT, YAML)
  assert.equal(update(updated, YAML), updated)
})

for (const [version, full] of FULL_ODCS) {
  if (!version.startsWith('v3.')) continue
  test(`${version} › a document with every field keeps its meaning`, () => {
    const text = JSON.stringify(full, undefined, 2)
    assert.deepEqual(listChanges(text, 'application/json'), [])
  })
}

test('every example of the standard keeps its meaning, and its validity', (t) => {
  for (const { name, text } of standardsFor(t, 'odcs') ?? []) {
    const source = name.endsWith('.yaml') ? readText(text, YAML) : undefined
    const version = source?.ok === true ? asText(getField(source.value, 'apiVersion')) : undefined
    if (version?.startsWith('v3.') !== true) continue
    assert.deepEqual(listChanges(text, YAML), [], name)
    if (read(text, YAML, true).ok) assert.ok(read(update(text, YAML), YAML, true).ok, name)
  }
})
