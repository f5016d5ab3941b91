// Every name that a target changes is among the losses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES } from '../schema/languages.ts'
import type { Field } from '../schema/model.ts'
import { Specification } from '../schema/specification.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { readText } from '../text/text.ts'
import { jsonText } from '../text/value.ts'
import { DIALECTS, EXPORT_FORMATS, exportContract } from './export.ts'
import { readDataContract } from './read.ts'

const NAMES = [
  'Order Items',
  'a.b',
  'a-b',
  'a/b',
  '1st',
  'select',
  'Größe',
  'ctid',
  'x"y',
  'x`y',
  '数',
  '_PARTITION_x',
  'a:b',
  'n'.repeat(80),
  'tab	here',
]

const field = (name: string) => ({ name, logicalType: 'string' })

function readContract() {
  const nested = { name: 'nested', logicalType: 'object', properties: NAMES.map(field) }
  const document = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'a',
    version: '1',
    status: 'active',
    team: { name: 't' },
    servers: [{ server: 's', type: 'kafka', host: 'h' }],
    schema: NAMES.map((name) => ({ name, properties: [...NAMES.map(field), nested] })),
  }
  const source = readText(jsonText(document), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  assert.ok(reading.ok, JSON.stringify(reading))
  return { contract: reading.contract, value: source.value }
}

const read = readContract()

for (const format of EXPORT_FORMATS.filter((name) => name !== 'odcs')) {
  for (const dialect of format === 'sql' || format === 'dbt' ? DIALECTS : [undefined]) {
    test(`${format} ${dialect ?? ''} › names that differ are listed with the new name`, () => {
      const { text, losses } = exportContract(read, { format, dialect })
      const messages = new Map<string, string>()
      for (const { path, message } of losses) {
        messages.set(path, `${messages.get(path) ?? ''}\n${message}`)
      }
      // A name that is kept beside the written one is not the name that consumers use.
      const plain = text.replaceAll('portbook.name', 'other').replaceAll('portbook:name', 'other')
      const language = LANGUAGES.find(({ name }) => name === format)
      const specification = new Specification(plain, [], new Notes(NOWHERE))
      const models = language?.read(specification, { platform: dialect ?? 'bigquery' }) ?? []
      const isLeftOut = ({ name }: { name: string }): boolean =>
        messages.get(name)?.includes('this one is left out') === true
      const written = read.contract.models.filter((model) => !isLeftOut(model))
      assert.equal(models.length, written.length)
      const missing: string[] = []
      // The type of a column contains the names of nested fields.
      const compare = (path: string, before: string, after: string): void => {
        const isListed = [...messages].some(
          ([place, words]) => path.startsWith(place) && words.includes(`"${after}"`),
        )
        if (before !== after && !isListed) missing.push(`${path}: ${after}`)
      }
      const compareAll = (
        path: string,
        before: readonly Field[],
        after: readonly Field[],
      ): void => {
        for (const [at, one] of after.entries()) {
          const name = before[at]?.name ?? ''
          compare(`${path}.${name}`, name, one.name)
          if (one.fields) compareAll(`${path}.${name}`, before[at]?.fields ?? [], one.fields)
        }
      }
      for (const [at, model] of models.entries()) {
        const before = written[at]
        if (before === undefined) continue
        compare(before.name, before.name, model.name)
        compareAll(before.name, before.fields, model.fields)
      }
      assert.deepEqual(missing.slice(0, 8), [])
    })
  }
}
