import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberReasons, membersMatching, type Member } from './member-rules.ts'

function newMember(userId: string, role: 'Owner' | 'Member', teams: string[] = []): Member {
  return {
    userId,
    name: `Name of ${userId}`,
    email: `${userId}@velmora.example`,
    role,
    ownRole: role,
    ownerGroups: [],
    origin: 'invitation',
    suspendedAt: null,
    joinedAt: '2026-01-01T00:00:00Z',
    lastSeenAt: null,
    teams: teams.map((name) => ({ id: name, name, role: 'Editor', group: null })),
  }
}

const ada = newMember('ada', 'Owner', ['Fleet'])
const bo = newMember('bo', 'Member', ['Customs'])

test('the last owner cannot be changed or removed', () => {
  const { changeRole, remove } = memberReasons([ada, bo], ada, { id: 'ada', isOwner: true })
  assert.match(changeRole ?? '', /needs an owner/)
  assert.match(remove ?? '', /needs an owner/)
})

test('an owner by a group and a suspended owner leave the last owner the last one', () => {
  const byGroup: Member = { ...newMember('cy', 'Owner'), ownRole: 'Member', ownerGroups: ['Crew'] }
  const suspended: Member = { ...newMember('di', 'Owner'), suspendedAt: '2026-01-01T00:00:00Z' }
  const person = { id: 'ada', isOwner: true }
  const members = [ada, byGroup, suspended]
  assert.match(memberReasons(members, ada, person).changeRole ?? '', /needs an owner/)
  assert.equal(memberReasons(members, byGroup, person).changeRole, undefined)
  assert.equal(memberReasons(members, suspended, person).remove, undefined)
})

test('an owner changes and removes one of two owners', () => {
  const cy = newMember('cy', 'Owner')
  assert.deepEqual(memberReasons([ada, bo, cy], ada, { id: 'cy', isOwner: true }), {
    changeRole: undefined,
    resetPassword: undefined,
    sessions: undefined,
    remove: undefined,
    erase: undefined,
  })
})

test('allows members to leave, and to change no one', () => {
  const own = memberReasons([ada, bo], bo, { id: 'bo', isOwner: false })
  assert.equal(own.remove, undefined)
  assert.match(own.changeRole ?? '', /Only owners/)
  assert.match(
    memberReasons([ada, bo], ada, { id: 'bo', isOwner: false }).remove ?? '',
    /Only owners/,
  )
})

test('owners erase others, never themselves', () => {
  const reasonFor = (member: Member, id: string, isOwner: boolean) =>
    memberReasons([ada, bo], member, { id, isOwner }).erase
  assert.equal(reasonFor(bo, 'ada', true), undefined)
  assert.match(reasonFor(ada, 'ada', true) ?? '', /another owner/)
  assert.match(reasonFor(bo, 'bo', false) ?? '', /erase yourself/)
  assert.match(reasonFor(ada, 'bo', false) ?? '', /Only owners/)
})

test('owners reset the passwords of others, never their own', () => {
  const reasonFor = (member: Member, id: string, isOwner: boolean) =>
    memberReasons([ada, bo], member, { id, isOwner }).resetPassword
  assert.equal(reasonFor(bo, 'ada', true), undefined)
  assert.match(reasonFor(ada, 'ada', true) ?? '', /your profile/)
  assert.match(reasonFor(ada, 'bo', false) ?? '', /Only owners/)
})

test('finds members by name, address and team, in any order of words', () => {
  assert.deepEqual(membersMatching([ada, bo], 'customs BO'), [bo])
  assert.deepEqual(membersMatching([ada, bo], 'velmora'), [ada, bo])
  assert.deepEqual(membersMatching([ada, bo], 'fleet bo'), [])
  assert.deepEqual(membersMatching([ada, bo], ''), [ada, bo])
})
