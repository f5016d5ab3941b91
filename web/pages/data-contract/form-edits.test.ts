import assert from 'node:assert/strict'
import test from 'node:test'
import { odcsShape } from '../../../formats/data-contract/odcs/shape.ts'
import { readText } from '../../../formats/text/text.ts'
import type { Value } from '../../../formats/text/value.ts'
import { editText, type TextEdit } from '../../../formats/text/edit/text-edit.ts'
import {
  fieldAddition,
  listTypeEdits,
  listTypeNames,
  modelAddition,
  ownerEdit,
  primaryKeyEdits,
  textEdit,
} from './form-edits.ts'

const TEXT = `# A comment that stays.
apiVersion: v3.1.0
kind: DataContract
id: orders
team:
  name: sales   # who answers
schema:
  - name: orders
    properties:
      - name: id
        logicalType: integer
        primaryKey: true
        primaryKeyPosition: 1
      - name: new_field
`

function readValue(text: string): Value {
  const source = readText(text, 'application/yaml')
  assert.ok(source.ok)
  return source.value
}

function edited(...edits: TextEdit[]): string {
  const result = editText(TEXT, 'application/yaml', edits)
  assert.ok(result.ok, 'the edit is possible')
  return result.text
}

test('ownerEdit › writes the team at its place, and nothing else', () => {
  assert.equal(
    edited(ownerEdit(readValue(TEXT), 'fleet')),
    TEXT.replace('name: sales', 'name: fleet'),
  )
})

test('ownerEdit › a list of members has no name: the owner becomes a custom property', () => {
  assert.deepEqual(ownerEdit({ team: [{ username: 'a' }] }, 'fleet').kind, 'add')
})

test('ownerEdit › the domain is the owner where it was before', () => {
  assert.deepEqual(ownerEdit({ domain: 'sales' }, 'fleet').path, ['domain'])
})

test('textEdit › an emptied text goes, so that no empty promise stays', () => {
  assert.deepEqual(textEdit(['status'], ''), { kind: 'remove', path: ['status'] })
})

test('fieldAddition › takes a name that is free, and keeps all else byte for byte', () => {
  const text = edited(fieldAddition(readValue(TEXT), ['schema', 0, 'properties']))
  assert.ok(text.startsWith(TEXT.trimEnd()))
  assert.match(text, /name: new_field_2/)
})

test('modelAddition › the first model of a document makes the list', () => {
  const edit = modelAddition({})
  assert.deepEqual(edit.path, ['schema'])
  assert.equal(edit.kind, 'add')
})

test('primaryKeyEdits › a further key follows the existing ones', () => {
  const path = ['schema', 0, 'properties', 1]
  const text = edited(...primaryKeyEdits(readValue(TEXT), path, true))
  assert.match(text, /primaryKeyPosition: 2/)
  const [, position] = primaryKeyEdits(readValue(TEXT), path, false)
  assert.equal(position?.kind, 'remove')
})

test('listTypeEdits › removes the options of the former type, and nothing else', () => {
  const path = ['schema', 0, 'properties', 0, 'logicalType']
  const vector = TEXT.replace(
    'logicalType: integer\n',
    'logicalType: vector\n        logicalTypeOptions: {dimensions: 3}\n',
  )
  const value = readValue(vector)
  const text = editText(vector, 'application/yaml', listTypeEdits(value, path, 'string'))
  assert.ok(text.ok)
  assert.equal(text.text, TEXT.replace('integer', 'string'))
  assert.equal(
    edited(...listTypeEdits(readValue(TEXT), path, 'vector')),
    TEXT.replace('integer', 'vector'),
  )
  const long = readValue(vector.replace('vector', 'array').replace('dimensions', 'minItems'))
  assert.equal(listTypeEdits(long, path, 'string').length, 1)
})

test('listTypeNames › offers the types of the version, and the one that a field has', () => {
  const path = ['schema', 0, 'properties', 0, 'logicalType']
  const list = (version: string, type = '') => listTypeNames(odcsShape(version), path, type)
  assert.ok(list('v3.2.0').includes('vector'))
  assert.ok(!list('v3.1.0').includes('vector'))
  assert.ok(!list('v3.0.0').includes('timestamp'))
  assert.equal(list('v3.1.0', 'vector')[0], 'vector')
})
