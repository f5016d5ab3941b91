import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editText, type TextEdit } from '../../formats/text/edit/text-edit.ts'
import type { Value } from '../../formats/text/value.ts'
import { CONTEXT_ORDER, listInstructionEdits, listObjectEdits } from './context-edits.ts'

const ORDER = ['id', 'description', 'context', 'schema', ...CONTEXT_ORDER]
const PATH = ['context']

function edit(text: string, edits: readonly TextEdit[]): string {
  const edited = editText(text, 'application/yaml', edits)
  assert.ok(edited.ok)
  return edited.text
}

function write(text: string, context: Value | undefined, instructions: string): string {
  return edit(text, listInstructionEdits(context, PATH, instructions, ORDER))
}

test('instructions of a new context are written before the schema, and nothing else changes', () => {
  const text = 'id: a   # as agreed\nschema: []\n'
  const written = write(text, undefined, 'Ask the yard first.')
  assert.equal(
    written,
    'id: a   # as agreed\ncontext:\n  instructions: Ask the yard first.\nschema: []\n',
  )
})

test('instructions of a context that is a text replace that text', () => {
  const text = "context: 'Old'   # short\nid: a\n"
  assert.match(write(text, 'Old', 'New'), /^context: \W?New\W?   # short\nid: a\n$/)
})

test('removed instructions leave the other guidance, and no empty context', () => {
  const more = { instructions: 'x', constraints: [{ constraint: 'y' }] }
  const text = 'context:\n  instructions: x\n  constraints:\n    - constraint: y\nid: a\n'
  assert.equal(write(text, more, ''), 'context:\n  constraints:\n    - constraint: y\nid: a\n')
  const only = 'context:\n  instructions: x\nid: a\n'
  assert.equal(write(only, { instructions: 'x' }, ''), 'id: a\n')
  assert.equal(write('context: x\nid: a\n', 'x', ''), 'id: a\n')
})

test('a question makes an object of a context that is a text', () => {
  const text = 'context: Ask first.   # short\nid: a\n'
  const question: TextEdit = {
    kind: 'add',
    path: [...PATH, 'verifiedStatements'],
    value: { question: 'How many?' },
    order: ORDER,
  }
  const edited = edit(text, [...listObjectEdits('Ask first.', PATH), question])
  assert.equal(
    edited,
    'context:\n  instructions: Ask first.   # short\n  verifiedStatements:\n    - question: "How many?"\nid: a\n',
  )
  assert.deepEqual(listObjectEdits({ instructions: 'x' }, PATH), [])
})
