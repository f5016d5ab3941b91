import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberReasons, membersMatching, type Member } from './member-rules.ts'

function memberOf(userId: string, role: 'Owner' | 'Member', teams: string[] = []): Member {
  return {
    userId,
    name: `Name of ${userId}`,
    email: `${userId}@velmora.example`,
    role,
    joinedAt: '2026-01-01T00:00:00Z',
    lastSeenAt: null,
    teams: teams.map((name) => ({ id: name, name, role: 'Editor' })),
  }
}

const ada = memberOf('ada', 'Owner', ['Fleet'])
const bo = memberOf('bo', 'Member', ['Customs'])

test('The last owner can be neither lowered nor removed, by nobody', () => {
  const { changeRole, remove } = memberReasons([ada, bo], ada, { id: 'ada', isOwner: true })
  assert.match(changeRole ?? '', /needs an owner/)
  assert.match(remove ?? '', /needs an owner/)
})

test('One of two owners can be lowered and removed by an owner', () => {
  const cy = memberOf('cy', 'Owner')
  assert.deepEqual(memberReasons([ada, bo, cy], ada, { id: 'cy', isOwner: true }), {
    changeRole: undefined,
    resetPassword: undefined,
    remove: undefined,
  })
})

test('A member may leave, and do nothing else with anybody', () => {
  const own = memberReasons([ada, bo], bo, { id: 'bo', isOwner: false })
  assert.equal(own.remove, undefined)
  assert.match(own.changeRole ?? '', /Only an owner/)
  assert.match(
    memberReasons([ada, bo], ada, { id: 'bo', isOwner: false }).remove ?? '',
    /Only an owner/,
  )
})

test('Owners reset the passwords of others, and nobody their own', () => {
  const reasonFor = (member: Member, id: string, isOwner: boolean) =>
    memberReasons([ada, bo], member, { id, isOwner }).resetPassword
  assert.equal(reasonFor(bo, 'ada', true), undefined)
  assert.match(reasonFor(ada, 'ada', true) ?? '', /your profile/)
  assert.match(reasonFor(ada, 'bo', false) ?? '', /Only an owner/)
})

test('Members are found by name, address and team, in any order of the words', () => {
  assert.deepEqual(membersMatching([ada, bo], 'customs BO'), [bo])
  assert.deepEqual(membersMatching([ada, bo], 'velmora'), [ada, bo])
  assert.deepEqual(membersMatching([ada, bo], 'fleet bo'), [])
  assert.deepEqual(membersMatching([ada, bo], ''), [ada, bo])
})
