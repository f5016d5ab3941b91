import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scimPatch, type ScimPatchOperation } from 'scim-patch'
import { readGroupPatch } from './group-change.ts'
import { readUserPatch } from './user-change.ts'
import { applyUserChange, type UserRow } from './user.ts'

// PATCH has the same result as the public library scim-patch. It keeps the text "False", which is truthy, so that truth
// values are compared as JSON has them.

const IDS = [1, 2, 3, 4].map((at) => `00000000-0000-4000-8000-00000000000${at}`)
const id = fc.constantFrom(...IDS)
const members = fc.array(
  id.map((value) => ({ value })),
  { maxLength: 4 },
)
const verb = (op: string) => fc.constantFrom(op, op.toUpperCase())

const memberStep = fc.oneof(
  fc.record({ op: verb('add'), path: fc.constant('members'), value: members }),
  fc.record({ op: verb('replace'), path: fc.constant('members'), value: members }),
  fc.record({ op: verb('remove'), path: id.map((value) => `members[value eq "${value}"]`) }),
  fc.record({ op: verb('remove'), path: fc.constant('members') }),
)

test('a PATCH of the members of a group › equals scim-patch', () => {
  fc.assert(
    fc.property(fc.uniqueArray(id), fc.array(memberStep, { maxLength: 6 }), (before, steps) => {
      const change = readGroupPatch({ Operations: steps }).members
      const after = new Set(change.clears ? [] : before)
      for (const one of change.removed) after.delete(one)
      for (const one of change.added) after.add(one)
      const resource = { schemas: [], members: before.map((value) => ({ value })) }
      const expected = patchBy(resource, steps)
      const theirs = new Set((expected.members ?? []).map(({ value }) => value))
      assert.deepEqual([...after].toSorted(), [...theirs].toSorted())
    }),
  )
})

interface Patched {
  members?: { value: string }[]
  active?: boolean
  externalId?: string
  name?: { givenName?: string; familyName?: string }
}

/** Applies steps by the library, one by one, without those that it refuses because they select no value. */
function patchBy(resource: object, steps: readonly object[]): Patched {
  return steps.reduce<object>((before, step) => {
    const { op, ...rest } = step as { op: string }
    try {
      const one = { ...rest, op: op.toLowerCase() } as ScimPatchOperation
      return scimPatch(structuredClone(before) as never, [one])
    } catch {
      return before
    }
  }, resource)
}

const text = fc.constantFrom('Ada', 'Bea', 'Größe')
const userStep = fc.oneof(
  fc.record({
    op: verb('replace'),
    path: fc.constantFrom('name.givenName', 'name.familyName', 'externalId'),
    value: text,
  }),
  fc.record({ op: verb('replace'), path: fc.constant('active'), value: fc.boolean() }),
  fc.record({ op: verb('replace'), value: fc.record({ active: fc.boolean(), externalId: text }) }),
  fc.record({ op: verb('remove'), path: fc.constantFrom('name.givenName', 'externalId') }),
)

const USER: UserRow = {
  id: IDS[0] ?? '',
  isProvisioned: true,
  userName: 'ada@example.test',
  externalId: 'x',
  givenName: 'A',
  familyName: 'B',
  displayName: 'Countess',
  email: 'ada@example.test',
  active: true,
  created: '',
  lastModified: '',
}

test('a PATCH of a person › equals scim-patch, and a repeat changes nothing', () => {
  fc.assert(
    fc.property(fc.array(userStep, { maxLength: 8 }), (steps) => {
      const change = readUserPatch({ Operations: steps })
      const after = applyUserChange(USER, change)
      const { externalId, givenName, familyName, active } = USER
      const expected = patchBy(
        { schemas: [], externalId, active, name: { givenName, familyName } },
        steps,
      )
      assert.deepEqual(
        [after.externalId, after.givenName, after.familyName, after.active],
        [
          expected.externalId ?? null,
          expected.name?.givenName ?? null,
          expected.name?.familyName ?? null,
          expected.active,
        ],
      )
      assert.deepEqual(applyUserChange(after, change), after)
    }),
  )
})
