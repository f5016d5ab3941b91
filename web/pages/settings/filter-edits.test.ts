import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createApiDescription } from '../../../test/api-description.ts'
import {
  CUSTOM_FILTER_SCHEMA,
  CUSTOM_FILTERS_MAX,
} from '../../../formats/settings/custom-filter.ts'
import { editFilters, listFilterRows, type FilterEdit } from './filter-edits.ts'

const TEXT = `# Agreed in March.
dataProduct:
  customFilters:
    - displayName: Maturity   # as in the guide
      customField: maturity
      icon: star
    - customField: region
  layout: wide
other:
  kept: 1.0
`

function edit(text: string, change: FilterEdit): string {
  const edited = editFilters(text, change)
  assert.ok(edited.ok, JSON.stringify(edited))
  return edited.text
}

describe('editFilters', () => {
  test('changes one value; unknown members, comments and numbers stay', () => {
    const changed = edit(TEXT, { kind: 'set', at: 0, name: 'displayName', value: 'Level' })
    assert.equal(changed, TEXT.replace('Maturity', 'Level'))
  })

  test('adds a member that is missing', () => {
    const changed = edit(TEXT, { kind: 'set', at: 1, name: 'displayName', value: 'Region: EU' })
    const [, second] = listFilterRows(changed) ?? []
    assert.deepEqual({ ...second?.stored }, { displayName: 'Region: EU', customField: 'region' })
    assert.ok(changed.includes('icon: star') && changed.includes('kept: 1.0'))
  })

  test('adds and removes filters, down to an empty list', () => {
    const added = edit(TEXT, { kind: 'add' })
    assert.equal(listFilterRows(added)?.length, 3)
    let text = added
    for (const at of [2, 0, 0]) text = edit(text, { kind: 'remove', at })
    assert.deepEqual(listFilterRows(text), [])
    assert.match(text, /layout: wide/)
  })

  for (const text of ['', '{}\n', 'dataProduct:\n  customFilters: []\n', 'dataContract: {}\n']) {
    test(`adds the first filter to ${JSON.stringify(text)}`, () => {
      const added = edit(text === '' ? '{}\n' : text, { kind: 'add' })
      assert.equal(listFilterRows(added)?.length, 1)
    })
  }
})

describe('listFilterRows', () => {
  test('nothing where the text has errors or something else', () => {
    for (const text of ['a: [', 'dataProduct: 1\n', 'dataProduct:\n  customFilters: x\n']) {
      assert.equal(listFilterRows(text), undefined, text)
    }
  })
})

test('the form has the members and the limits of the API', () => {
  const { components } = createApiDescription() as unknown as {
    components: { schemas: Record<string, Schema> }
  }
  const filters =
    components.schemas['Customization']?.properties?.['dataProduct']?.properties?.['customFilters']
  assert.equal(filters?.maxItems, CUSTOM_FILTERS_MAX)
  const item = filters?.items
  assert.deepEqual(item?.required?.toSorted(), [...CUSTOM_FILTER_SCHEMA.required].toSorted())
  for (const [name, { maxLength }] of Object.entries(CUSTOM_FILTER_SCHEMA.properties)) {
    assert.equal(item?.properties?.[name]?.maxLength, maxLength, name)
  }
})

interface Schema {
  required?: string[]
  maxItems?: number
  maxLength?: number
  items?: Schema
  properties?: Record<string, Schema>
}
