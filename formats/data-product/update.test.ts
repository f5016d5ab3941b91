import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillSchema } from '../../test/full-products.ts'
import { diffDataProducts } from '../diff/diff.ts'
import { editText } from '../text/edit/text-edit.ts'
import { type MediaType, readText } from '../text/text.ts'
import { readDataProduct } from './read.ts'
import { listOdpsUpdates } from './update.ts'

function update(text: string, mediaType: MediaType): string {
  const source = readText(text, mediaType)
  assert.ok(source.ok)
  const edited = editText(text, mediaType, listOdpsUpdates(source.value, 'v1.1.0'))
  assert.ok(edited.ok, edited.ok ? '' : edited.reason)
  return edited.text
}

test('only the version and what it forbids change, byte for byte', () => {
  const text = 'apiVersion: v1.0.0   # first\nkind: DataProduct\nid: a\nteam: {name: x}\n'
  assert.equal(update(text, 'application/yaml'), text.replace('v1.0.0', 'v1.1.0'))
  const list = 'apiVersion: v0.9.0\nteam:\n  - username: ada\nid: a   # stays\n'
  assert.equal(
    update(list, 'application/yaml'),
    'apiVersion: v1.1.0\nteam:\n  members:\n    - username: ada\nid: a   # stays\n',
  )
})

for (const version of ['v0.9.0', 'v1.0.0']) {
  test(`${version} › a document with every field keeps its meaning, and is valid`, () => {
    const document = { ...fillSchema(`odps-${version}`), apiVersion: version, id: 'a' }
    const text = JSON.stringify(document, undefined, 2)
    const [before, after] = [text, update(text, 'application/json')].map((one) => {
      const source = readText(one, 'application/json')
      assert.ok(source.ok)
      const reading = readDataProduct(source, { id: 'a', strict: true, owner: 'x' })
      assert.ok(reading.ok, JSON.stringify(reading))
      return reading
    })
    assert.ok(before?.ok === true && after?.ok === true)
    const changes = diffDataProducts(before, after)
    assert.deepEqual(
      changes.filter(({ level }) => level !== 'wording'),
      [],
    )
  })
}
