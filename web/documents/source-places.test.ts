import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSourcePlace, type SoughtPlace } from './source-places.ts'

const YAML = `apiVersion: v3.1.0
# The models.
schema:
  - name: a
    properties:
      - name: x
        description: >
          several
          lines
      - name: y
price:
  priceAmount: 1
`

const JSON_TEXT = '{"schema":[{"name":"a","properties":[{"name":"x"},{"name":"y"}]}]}'

function inYaml(sought: SoughtPlace) {
  return findSourcePlace(YAML, 'application/yaml', sought)
}

describe('findSourcePlace', () => {
  test('a field › has the line of its name', () => {
    assert.deepEqual(inYaml({ field: 'schema[0].properties[1].name' }), {
      field: 'schema[0].properties[1].name',
      line: 10,
      column: 9,
    })
    assert.equal(inYaml({ field: 'price' })?.line, 11)
  })

  test('a field that is not there › its nearest parent', () => {
    assert.deepEqual(inYaml({ field: 'schema[0].properties[1].tags[2]' })?.line, 10)
    assert.equal(inYaml({ field: 'servers' })?.field, '')
  })

  test('a position › the field that begins there, or before', () => {
    const fields = [1, 2, 3, 4, 8, 10, 12, 99].map((line) => inYaml({ line, column: 99 })?.field)
    assert.deepEqual(fields, [
      'apiVersion',
      'apiVersion',
      'schema',
      'schema[0].name',
      'schema[0].properties[0].description',
      'schema[0].properties[1].name',
      'price.priceAmount',
      'price.priceAmount',
    ])
  })

  test('JSON › also in a single line', () => {
    const find = (column: number) =>
      findSourcePlace(JSON_TEXT, 'application/json', { line: 1, column })?.field
    assert.equal(find(JSON_TEXT.indexOf('"y"') + 1), 'schema[0].properties[1].name')
    assert.equal(find(JSON_TEXT.indexOf('"x"')), 'schema[0].properties[0].name')
    const place = findSourcePlace(JSON_TEXT, 'application/json', { field: 'schema[0].properties' })
    assert.equal(place?.column, JSON_TEXT.indexOf('"properties"') + 1)
  })

  test('a text with errors › nothing', () => {
    assert.equal(findSourcePlace('a: [', 'application/yaml', { line: 1, column: 1 }), undefined)
  })

  test('names with dots, and those that begin alike', () => {
    const text = '"a.b": 1\n"a": {"b": 2}\nab:\n  c: 3\n'
    const find = (field: string) => findSourcePlace(text, 'application/yaml', { field })?.line
    assert.deepEqual([find('["a.b"]'), find('a.b'), find('ab.c')], [1, 2, 4])
  })
})
