import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccept, parseMediaType } from './media-types.ts'

const HEADERS: readonly [header: string, type: string, charset?: string][] = [
  ['application/json', 'application/json'],
  ['APPLICATION/JSON', 'application/json'],
  ['application/json; charset=utf-8', 'application/json', 'utf-8'],
  ['application/json;charset="UTF-8"', 'application/json', 'utf-8'],
  ['application/json ; Charset=utf8 ;', 'application/json', 'utf8'],
  ['application/json; profile="a;charset=x"; charset=utf-8', 'application/json', 'utf-8'],
  [String.raw`application/json; x="\";"; charset="utf\-8"`, 'application/json', 'utf-8'],
  ['application/json; charset', 'application/json'],
  ['application/yaml', 'application/yaml'],
  ['application/x-yaml', 'application/yaml'],
  ['text/yaml', 'application/yaml'],
  ['Text/X-YAML; version=1.2', 'application/yaml'],
  ['', ''],
  [';charset="', '', '"'],
]

for (const [header, type, charset] of HEADERS) {
  test(`parseMediaType › ${header}`, () => {
    assert.deepEqual(parseMediaType(header), { type, charset })
  })
}

const ACCEPTED: readonly [header: string, qualities: Record<string, number>][] = [
  ['text/yaml;q=0.5, application/json', { 'application/yaml': 0.5, 'application/json': 1 }],
  ['application/json;profile="a,b";q=0.2,*/*', { 'application/json': 0.2, '*/*': 1 }],
  ['application/yaml;q=0.1, TEXT/X-YAML;Q=0.8', { 'application/yaml': 0.8 }],
  ['application/yaml;q=0, application/json;q=x', {}],
]

for (const [header, qualities] of ACCEPTED) {
  test(`parseAccept › ${header}`, () => {
    assert.deepEqual(Object.fromEntries(parseAccept(header)), qualities)
  })
}

test('parseAccept › reads 16 KiB of quotes and separators in linear time', () => {
  assert.equal(parseAccept(`${'"\\'.repeat(4096)}${',;"'.repeat(2048)}`).size <= 2048, true)
})
