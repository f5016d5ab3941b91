import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { describeRefusal, describeSetting } from './setting.ts'
import { describeUnused, getSetting, listSettings, toGuideRows } from './lookup.ts'
import { SETTINGS } from './table.ts'

test('SETTINGS › has each member of a document once', () => {
  const names = SETTINGS.map(({ document, member }) => `${document} ${member}`)
  assert.equal(new Set(names).size, names.length)
})

test('SETTINGS › every refused setting lists the values that are refused', () => {
  for (const { effect, values = [], member } of SETTINGS) {
    if (effect === 'refused') assert.ok(values.length > 0, member)
  }
})

test('docs/guides/settings.md › has the rows of every document, and no other', () => {
  const guide = readFileSync(new URL('../../docs/guides/settings.md', import.meta.url), 'utf8')
  const [, tables = ''] = guide.split('## What each setting does')
  const documents = [...new Set(SETTINGS.map(({ document }) => document))]
  // The guide has a section about team roles.
  const rows = documents.filter((one) => one !== 'team-roles').flatMap(toGuideRows)
  const written = tables.split('\n').filter((line) => line.startsWith('| `'))
  assert.deepEqual(written, rows)
})

test('describeRefusal › describes what is wrong, and how to fix it', () => {
  const text = describeRefusal(getSetting('features', 'changeProcessMode'))
  assert.match(text, /^is not supported yet .* Set changeProcessMode to null, or remove it$/)
})

test('describeSetting › marks what is not used, not supported and computed', () => {
  const marks = { enforced: /^/, refused: /^Not supported/, stored: /^Not used/, computed: /^Comp/ }
  for (const setting of SETTINGS) assert.match(describeSetting(setting), marks[setting.effect])
})

test('describeUnused › names the members that are only stored', () => {
  assert.equal(
    describeUnused('access'),
    'Stored, and not used as rules: `info.individualAgreements`, `roles[]`.',
  )
  assert.equal(describeUnused('team-roles'), '')
})

test('getSetting › throws for a member that is not in the list', () => {
  assert.throws(() => getSetting('features', 'constructor'), /no setting constructor/)
  assert.ok(listSettings('features').length > 0)
})
