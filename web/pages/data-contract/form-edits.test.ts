import assert from 'node:assert/strict'
import test from 'node:test'
import { readText } from '../../../formats/text/text.ts'
import type { Value } from '../../../formats/text/value.ts'
import { editText, type TextEdit } from '../../../formats/text/edit/text-edit.ts'
import { fieldAddition, modelAddition, ownerEdit, primaryKeyEdits, textEdit } from './form-edits.ts'

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
