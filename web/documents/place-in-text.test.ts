import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTypedPlace } from './place-in-text.ts'

/** Finds the place of the bar in a text. */
function getPlace(text: string, mediaType: 'application/json' | 'application/yaml') {
  const offset = text.indexOf('|')
  const place = findTypedPlace(text.replace('|', ''), offset, mediaType)
  return place && [place.path.join('/'), place.key, place.typed, text.slice(place.from, offset)]
}

const YAML: readonly (readonly [string, ReturnType<typeof getPlace>])[] = [
  ['na|', ['', undefined, 'na', 'na']],
  ['status: dep|', ['', 'status', 'dep', 'dep']],
  ['status: "dep|', ['', 'status', 'dep', 'dep']],
  ['team:\n  na|', ['team', undefined, 'na', 'na']],
  ['team:\n  name: a\n  mem|', ['team', undefined, 'mem', 'mem']],
  ['schema:\n  - name: a\n    prop|', ['schema/0', undefined, 'prop', 'prop']],
  ['schema:\n- name: a\n  prop|', ['schema/0', undefined, 'prop', 'prop']],
  [
    'schema:\n  - name: a\n    properties:\n      - name: b\n        logicalType: str|',
    ['schema/0/properties/0', 'logicalType', 'str', 'str'],
  ],
  ['schema:\n  - name: a\n    # why\n\n  - |', ['schema/0', undefined, '', '']],
  ['a:\n  b: 1\nc|', ['', undefined, 'c', 'c']],
  ['name: x # comm\n# na|', undefined],
]

test('finds the place of what is typed in YAML', () => {
  for (const [text, place] of YAML)
    assert.deepEqual(getPlace(text, 'application/yaml'), place, text)
})

const JSONS: readonly (readonly [string, ReturnType<typeof getPlace>])[] = [
  ['{"na|', ['', undefined, 'na', 'na']],
  ['{"status": "dep|', ['', 'status', 'dep', 'dep']],
  ['{"team": {"name": "a", "mem|', ['team', undefined, 'mem', 'mem']],
  ['{"schema": [{"name": "a"}, {"|', ['schema/0', undefined, '', '']],
  [
    '{"schema": [{"properties": [{"logicalType": |',
    ['schema/0/properties/0', 'logicalType', '', ''],
  ],
  ['{"a": "x,{", "b|', ['', undefined, 'b', 'b']],
  ['|', undefined],
]

test('finds the place of what is typed in JSON', () => {
  for (const [text, place] of JSONS)
    assert.deepEqual(getPlace(text, 'application/json'), place, text)
})
