import assert from 'node:assert/strict'
import test from 'node:test'
import { ExactNumber, jsonText } from '../../../formats/text/value.ts'
import { toTeamDocument, toTeamForm, findTeamIdProblem, rebaseTeam } from './team-form-values.ts'

const DOCUMENT = {
  id: 'fleet',
  name: 'Fleet',
  type: 'Team',
  parent: 'rail',
  members: [{ emailAddress: 'a@x.example', role: 'Owner', since: '2024' }],
  links: { wiki: 'https://wiki.example', odd: 7 },
  custom: { share: new ExactNumber('1.0') },
  unheardOf: { kept: true },
}

test('toTeamDocument › what the form does not change stays byte for byte', () => {
  assert.equal(jsonText(toTeamDocument(DOCUMENT, toTeamForm(DOCUMENT))), jsonText(DOCUMENT))
})

test('toTeamDocument › a change only affects its field; fields that the form does not show are kept', () => {
  const form = { ...toTeamForm(DOCUMENT), description: 'Keeps wagons', parent: '' }
  const { parent, ...rest } = DOCUMENT
  assert.equal(parent, 'rail')
  assert.equal(
    jsonText(toTeamDocument(DOCUMENT, form)),
    jsonText({ ...rest, description: 'Keeps wagons' }),
  )
})

test('toTeamDocument › members and links keep further fields of the document', () => {
  const form = toTeamForm(DOCUMENT)
  const changed = toTeamDocument(DOCUMENT, {
    ...form,
    members: [...form.members, { emailAddress: ' b@x.example ', role: '', kept: {} }],
    links: [{ name: 'chat', href: 'https://chat.example' }],
  })
  assert.deepEqual(changed['members'], [
    { since: '2024', emailAddress: 'a@x.example', role: 'Owner' },
    { emailAddress: 'b@x.example', role: 'Member' },
  ])
  assert.deepEqual(changed['links'], { chat: 'https://chat.example', odd: 7 })
})

test('toTeamDocument › removing the last member sends an empty list', () => {
  const changed = toTeamDocument(DOCUMENT, { ...toTeamForm(DOCUMENT), members: [] })
  assert.deepEqual(changed['members'], [])
})

test('rebaseTeam › takes over what only the other changed, and keeps what was typed', () => {
  const typed = { ...toTeamForm(DOCUMENT), name: 'Wagon fleet', description: 'Mine' }
  const current = { ...DOCUMENT, name: 'Fleet of wagons', tags: ['rail'] }
  const { form, taken, disputed } = rebaseTeam(DOCUMENT, typed, current)
  assert.equal(form.name, 'Wagon fleet')
  assert.equal(form.description, 'Mine')
  assert.deepEqual(form.tags, ['rail'])
  assert.deepEqual(taken, ['tags'])
  assert.deepEqual(disputed, ['name'])
})

test('rebaseTeam › the same change by both is not a conflict', () => {
  const typed = { ...toTeamForm(DOCUMENT), name: 'Wagons' }
  const { disputed } = rebaseTeam(DOCUMENT, typed, { ...DOCUMENT, name: 'Wagons' })
  assert.deepEqual(disputed, [])
})

test('findTeamIdProblem › rejects what a path cannot contain', () => {
  for (const id of ['', 'a/b', '..', 'a\u0000', 'x://y', 'a'.repeat(257)]) {
    assert.notEqual(findTeamIdProblem(id), undefined, id)
  }
  assert.equal(findTeamIdProblem('urn:a:b'), undefined)
})
