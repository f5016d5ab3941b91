import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editText } from '../../formats/text/edit/text-edit.ts'
import type { DocumentKind } from './document-kind.ts'
import { toDeprecation } from './to-deprecation.ts'

function deprecate(reader: DocumentKind['reader'], text: string): string {
  const edited = editText(text, 'application/yaml', [toDeprecation(reader, text, ['status'])])
  assert.ok(edited.ok)
  return edited.text
}

test('a product of ODPS 1.1 gets the flag, and keeps its status', () => {
  const text = 'apiVersion: v1.1.0\nkind: DataProduct\nid: a\nname: A   # stays\nstatus: active\n'
  assert.equal(
    deprecate('data-product', text),
    text.replace('status:', 'deprecated: true\nstatus:'),
  )
})

test('a product of ODPS 1.0 and a contract, which have no flag, get the status', () => {
  const product = 'apiVersion: v1.0.0\nkind: DataProduct\nid: a\nstatus: active\n'
  assert.equal(deprecate('data-product', product), product.replace('active', 'deprecated'))
  const contract = 'apiVersion: v3.2.0\nkind: DataContract\nid: a\nstatus: active\n'
  assert.equal(deprecate('data-contract', contract), contract.replace('active', 'deprecated'))
})
