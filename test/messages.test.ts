/** The messages of the pages for errors of the server: one for every code, written for people. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listGrants } from '../server/requests/access/permission.ts'
import { ApiError, type ApiErrorMembers } from '../server/platform/errors.ts'
import { getErrorKind, ERROR_CODES } from '../server/platform/error-codes.ts'
import { problemAnswer } from '../server/requests/http/problem.ts'
import { FOR_PROGRAMS } from '../web/api/for-people.ts'
import { MESSAGES } from '../web/api/messages.ts'
import { PERMISSIONS } from '../web/api/permission-groups.ts'
import { DEEDS, describePermission } from '../web/api/permission-words.ts'
import { readProblem, solveSignedOut, type Problem } from '../web/api/problem.ts'

const DETAILS_FOR_PROGRAMS = [
  'DATAPRODUCT_ADD on team fleet is missing.',
  'If-None-Match does not hold: it exists already.',
  'Send an API key in the header x-api-key, or as Authorization: Bearer <key>.',
  'Unknown team "fleet". Create it with PUT /api/teams/{id} first.',
  'The source refused a statement (SQLSTATE 55P03).',
  '',
]

const TITLES = new Set(ERROR_CODES.map((code) => getErrorKind(code).title))

async function read(apiError: ApiError, path = '/api/dataproducts/x'): Promise<Problem> {
  return await readProblem(problemAnswer(apiError, path))
}

function lacks(extensions: ApiErrorMembers, path?: string): Promise<Problem> {
  return read(new ApiError('permission_missing', 'X_Y on team z is missing.', { extensions }), path)
}

test('the table has an entry for every code, and for no other', () => {
  assert.deepEqual(Object.keys(MESSAGES).toSorted(), ERROR_CODES.toSorted())
})

for (const code of ERROR_CODES) {
  test(`${code} › has a message for people that is independent of the server's detail`, async () => {
    for (const detail of DETAILS_FOR_PROGRAMS) {
      const { title, message, summary } = await read(new ApiError(code, detail))
      assert.match(title, /^[A-Z].*[^.]$/u)
      assert.doesNotMatch(summary, FOR_PROGRAMS)
      assert.doesNotMatch(summary, /\b[A-Z0-9]{2}[0-9][A-Z0-9]{2}\b|\b[1-5]\d\d\b(?! characters)/)
      assert.ok(!TITLES.has(title) || title === 'Not found', title)
      assert.ok(message === '' || /[.?]$/.test(message), message)
    }
  })
}

test('every permission has a role that grants it, and a sentence without its constant', () => {
  for (const permission of PERMISSIONS) {
    const { role } = DEEDS[permission]
    const name = `${role.charAt(0).toUpperCase()}${role.slice(1)}`
    assert.ok(listGrants(name).has(permission), `${name} has ${permission}`)
    for (const team of ['Wagon Fleet', null, undefined]) {
      assert.match(describePermission(permission, team), /^Only [a-z ]+ of [^_]+ can [a-z, ]+$/i)
    }
  }
})

test('permission_missing › names the role, the team and people who can help', async () => {
  const people = [{ name: 'Ada Lindqvist' }, { name: 'Jonas Weber' }]
  const team = { id: 'fleet', name: 'Wagon Fleet' }
  const add = await lacks({ permission: 'DATAPRODUCT_ADD', team, people })
  assert.equal(
    add.summary,
    'Only editors of Wagon Fleet can add data products. Ask Ada Lindqvist or Jonas Weber.',
  )
  const edit = await lacks({ permission: 'DATACONTRACT_EDIT', team }, '/api/datacontracts/c')
  assert.equal(edit.title, 'Only editors of Wagon Fleet can edit this data contract')
  assert.equal(edit.message, 'Ask an owner of the organization.')
  const unowned = await lacks({ permission: 'DATAPRODUCT_EDIT', team: null, people })
  assert.equal(
    unowned.title,
    'Only owners of the organization can edit this data product, which no team owns',
  )
  const nowhere = await lacks({ permission: 'DATAPRODUCT_ADD' })
  assert.equal(nowhere.title, 'Only editors of a team can add data products')
  const owners = await lacks({ team: null, people: [{ name: 'Olga' }] })
  assert.equal(owners.summary, 'Only owners of the organization can do this. Ask Olga.')
})

test('permission_missing › names custom roles, or the owners if no role grants it', async () => {
  const team = { id: 'fleet', name: 'Wagon Fleet' }
  const add = await lacks({ permission: 'DATAPRODUCT_ADD', team, roles: ['Data Keeper', 'Editor'] })
  assert.equal(
    add.title,
    'Only members of Wagon Fleet with the role "Data Keeper" or "Editor" can add data products',
  )
  const none = await lacks({ permission: 'DATAPRODUCT_ADD', team, roles: [] })
  assert.equal(none.title, 'Only owners of the organization can add data products')
})

test('an unknown team › suggests similar ones, also at the field', async () => {
  const suggestions = [{ id: 'fleet', name: 'Wagon Fleet' }]
  const field = 'team.name'
  const message = 'Unknown team "Fleet". Create it with PUT /api/teams/{id} first.'
  const problem = await read(
    new ApiError('document_invalid', message, {
      violations: [{ field, message, line: 4, column: 2 }],
      extensions: { unknownTeam: { id: 'Fleet', field, suggestions } },
    }),
  )
  const sentence = 'There is no team "Fleet". Did you mean Wagon Fleet?'
  assert.equal(problem.summary, sentence)
  assert.deepEqual(problem.violations, [{ field, message: sentence, line: 4, column: 2 }])
  assert.deepEqual(problem.action, { label: 'Create a team', href: '/teams/new' })
})

test('a team typed by its exact name › is suggested with its id', async () => {
  const unknownTeam = {
    id: 'Wagon Fleet',
    field: 'owner',
    suggestions: [{ id: 'fleet', name: 'Wagon Fleet' }],
  }
  const problem = await read(new ApiError('document_invalid', 'x', { extensions: { unknownTeam } }))
  assert.equal(
    problem.summary,
    'There is no team "Wagon Fleet". Did you mean Wagon Fleet (id fleet)?',
  )
})

test('a taken id › names the id and links to its document', async () => {
  const extensions: ApiErrorMembers = { precondition: 'exists' }
  const problem = await read(
    new ApiError('precondition_failed', 'If-None-Match', { extensions }),
    '/api/datacontracts/a%20b',
  )
  assert.equal(problem.summary, 'The id "a b" is taken. Choose another, or open the existing one.')
  assert.deepEqual(problem.action, {
    label: 'Open the existing data contract',
    href: '/data-contracts/a%20b',
  })
})

test('a conflicting save › reports the conflict or the deletion', async () => {
  const [changed, missing] = await Promise.all(
    (['changed', 'missing'] as const).map((precondition) =>
      read(new ApiError('precondition_failed', 'If-Match', { extensions: { precondition } })),
    ),
  )
  assert.equal(changed?.title, 'Changed by another person')
  assert.equal(missing?.title, 'This data product was deleted in the meantime')
})

test('too_many_requests › contains the time of the next attempt', async () => {
  const apiError = new ApiError('too_many_requests', 'x', { retryAfterSeconds: 40 })
  assert.equal((await read(apiError)).summary, 'Too many requests. Try again in 40 seconds.')
})

test('signed out › the next sign-in resolves the message', async () => {
  const expired = (): Promise<Problem> => read(new ApiError('credentials_expired', 'x'))
  const first = await expired()
  assert.equal(first.title, 'You were signed out')
  assert.equal(first.solved?.aborted, false)
  solveSignedOut()
  assert.equal(first.solved.aborted, true)
  assert.equal((await expired()).solved?.aborted, false)
  assert.equal((await read(new ApiError('not_found', 'x'))).solved, undefined)
})

test('a wrong password › is not reported as an ended session', async () => {
  const answer = problemAnswer(new ApiError('credentials_unknown', 'x'), '/ui/sign-in')
  const problem = await readProblem(answer, true)
  assert.equal(problem.summary, 'Wrong password. The e-mail address or the password is wrong.')
  assert.equal(problem.solved, undefined)
})

test('a response without a problem › is reported without its HTTP title', async () => {
  const answer = new Response('<html>', { status: 502, statusText: 'Bad Gateway' })
  assert.doesNotMatch((await readProblem(answer)).summary, /gateway|502/i)
})
