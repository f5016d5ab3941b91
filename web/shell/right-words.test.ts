import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERMISSIONS } from '../api/permission-groups.ts'
import type { Session } from '../api/session.ts'
import { listFirstSteps } from './first-steps.ts'
import type { PageReaders } from './page-rights.ts'
import { describeHidden, describeMissing } from './right-words.ts'

const NOTHING_DONE = {
  team: false,
  dataProduct: false,
  apiKey: false,
  integration: false,
  isInUse: false,
}

function newSession(
  role: 'Owner' | 'Member',
  teams: Session['teams'] = [],
  more: readonly string[] = [],
): Session {
  const organization = {
    id: 'o',
    name: 'Velmora',
    vanityUrl: 'velmora',
    role,
    providerRequired: false,
  }
  return {
    user: { id: 'u', name: 'Juno', email: 'j@x.example', managedBy: null },
    organization,
    organizations: [organization, ...more.map((id) => ({ ...organization, id }))],
    suspendedIn: [],
    limitedTo: null,
    mayChangeAccount: true,
    customRoles: null,
    teams,
  }
}

function newTeam(name: string, role: string, permissions: Session['teams'][number]['permissions']) {
  return { id: name.toLowerCase(), name, roles: [role], permissions }
}

const EDITOR = newTeam(
  'Fleet',
  'Editor',
  PERMISSIONS.filter((one) => !one.startsWith('TEAM_') && !one.startsWith('ACCESS_')),
)
const CALLERS = {
  owner: newSession('Owner'),
  editor: newSession('Member', [EDITOR]),
  member: newSession('Member', [newTeam('Fleet', 'Member', ['ACCESS_REQUEST'])]),
  lone: newSession('Member'),
}

const owners = ['Ada Lindqvist', 'Jonas Weber']
const hide = (caller: keyof typeof CALLERS, seenBy: PageReaders): string | undefined =>
  describeHidden(CALLERS[caller], { things: 'integrations', seenBy, owners })

test('describeHidden › returns nothing for owners of the organization, and where everyone sees everything', () => {
  assert.equal(hide('owner', 'members of its team'), undefined)
  assert.equal(hide('owner', 'owners of the organization'), undefined)
  for (const caller of ['owner', 'editor', 'member', 'lone'] as const) {
    assert.equal(hide(caller, 'everyone'), undefined)
  }
})

test('describeHidden › names who can add a person without a team to one', () => {
  assert.equal(
    hide('lone', 'members of its team'),
    'Integrations belong to teams. You are in none of them; Ada Lindqvist or Jonas Weber can add you.',
  )
})

test('describeHidden › names the teams whose things a member sees', () => {
  for (const caller of ['editor', 'member'] as const) {
    assert.equal(
      hide(caller, 'members of its team'),
      'Integrations are visible to the team that owns them. You see those of Fleet; Ada Lindqvist or Jonas Weber can add you to other teams.',
    )
  }
  const teams = ['A', 'B', 'C', 'D', 'E'].map((name) => newTeam(name, 'Member', []))
  assert.match(
    describeHidden(newSession('Member', teams), {
      things: 'runs',
      seenBy: 'members of its team',
      owners,
    }) ?? '',
    /You see those of A, B and 3 more teams;/,
  )
})

test('describeHidden › is a whole sentence before the owners are known', () => {
  const texts = (['members of its team', 'owners of its team'] as const).map((seenBy) =>
    describeHidden(CALLERS.lone, { things: 'webhooks', seenBy, owners: undefined }),
  )
  assert.deepEqual(texts, [
    'Webhooks belong to teams. You are in none of them.',
    'Webhooks are visible to owners of their team and of the organization.',
  ])
})

test('describeHidden › names owners for things that only owners see', () => {
  assert.equal(
    hide('member', 'owners of the organization'),
    'Only owners of the organization see integrations. Ask Ada Lindqvist or Jonas Weber.',
  )
})

const miss = (session: Session, seenBy: PageReaders): string =>
  describeMissing(session, { seenBy, owners })

test('describeMissing › is true for what is gone and for what is hidden', () => {
  assert.equal(
    miss(CALLERS.lone, 'members of its team'),
    'It may have been deleted, or it belongs to a team that you are not in. Ask Ada Lindqvist or Jonas Weber.',
  )
  assert.equal(
    miss(CALLERS.owner, 'members of its team'),
    'It may have been deleted, or the address is wrong.',
  )
  assert.equal(miss(CALLERS.lone, 'everyone'), 'It may have been deleted, or the address is wrong.')
})

test('describeMissing › mentions other organizations only to people who are in several', () => {
  const session = newSession('Member', [EDITOR], ['other'])
  assert.equal(
    miss(session, 'everyone'),
    'It may have been deleted, or it belongs to another organization.',
  )
  assert.equal(
    miss(session, 'owners of its team'),
    'It may have been deleted, or it is visible only to owners of its team and of the organization, or it belongs to another organization. Ask Ada Lindqvist or Jonas Weber.',
  )
})

const list = (caller: keyof typeof CALLERS): string[] =>
  listFirstSteps(CALLERS[caller], NOTHING_DONE).map(({ title }) => title)

test('listFirstSteps › lists only what the person may do', () => {
  assert.deepEqual(list('owner'), [
    'Create a team',
    'Register a data product',
    'Create an API key',
    'Connect a source',
  ])
  assert.deepEqual(list('editor'), [
    'Register a data product',
    'Create an API key',
    'Connect a source',
  ])
  assert.deepEqual(list('member'), ['Create an API key'])
  assert.deepEqual(list('lone'), ['Create an API key'])
})
