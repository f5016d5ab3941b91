/**
 * Roles are read from the views `team_role` and `organization_role`, which count groups and leave out suspended members.
 * Every other statement that reads members of organizations or of team documents is listed here with its reason.
 */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

// A statement that reads or writes the table, or the columns of the roles in team documents.
const USES =
  /(?:\b(?:from|join|update|into|using)\s+|(?:From|Join|Table|Into)\(')organization_member\b|\bmember_(?:emails|roles)\b/g

// The number of uses, and why they are right: what they decide about a suspended member, and about roles.
const REASONS: Readonly<Record<string, readonly [number, string]>> = {
  'server/agreements/occasion-store.ts': [
    1,
    'access ends with the membership, not at a suspension',
  ],
  'server/agreements/party-store.ts': [
    2,
    'a consumer is a member who is not suspended; the lock keeps the row',
  ],
  'server/agreements/query.ts': [1, 'the name of a consumer, who may be suspended'],
  'server/catalog/teams/service.ts': [2, 'writes the columns of the document'],
  'server/catalog/teams/store.ts': [
    4,
    'changes of documents compare addresses, also of people who are not members yet; lists leave out suspended ones',
  ],
  'server/catalog/teams/use-store.ts': [1, 'the name of a consumer, who may be suspended'],
  'server/documents/search/reader-store.ts': [
    1,
    'counts who has read data, also before a suspension',
  ],
  'server/ledger/activity/list-store.ts': [1, 'the name of an actor, who may be suspended'],
  'server/ledger/activity/record.ts': [1, 'an entry in every organization of the person'],
  'server/ledger/activity/store.ts': [1, 'the names of actors, who may be suspended'],
  'server/ledger/principals/store.ts': [1, 'the names of actors, who may be suspended'],
  'server/notices/follows/store.ts': [1, 'locks the row of the caller, who is not suspended'],
  'server/notices/notification-mails/digest-store.ts': [1, 'without suspended members'],
  'server/notices/notification-mails/recipient-store.ts': [1, 'without suspended members'],
  'server/notices/notifications/audience-store.ts': [1, 'without suspended members'],
  'server/notices/notifications/delivery-store.ts': [1, 'without suspended members'],
  'server/notices/notifications/distribution-store.ts': [
    2,
    'settings of the recipients that the audience names; old notifications of all members',
  ],
  'server/people/directory/group-store.ts': [1, 'members of a group may be suspended'],
  'server/people/directory/state-store.ts': [1, 'counts suspended members'],
  'server/people/directory/user-store.ts': [4, 'provisions members, suspended ones, too'],
  'server/people/erasure/erasure-store.ts': [2, 'the last owner is one by the manual role'],
  'server/people/organization-documents/store.ts': [
    2,
    'roles in use, also those of people who are not members yet; groups are added',
  ],
  'server/people/organizations/demo-store.ts': [1, 'people of the demo, which has no directory'],
  'server/people/organizations/invitation-store.ts': [
    1,
    'an address is taken by a suspended member, too',
  ],
  'server/people/organizations/member-store.ts': [
    10,
    'members with their manual role and suspension; the last owner is one by the manual role and not suspended',
  ],
  'server/people/organizations/sign-in-rule-store.ts': [
    1,
    'break-glass owners are owners by the manual role',
  ],
  'server/people/organizations/store.ts': [3, 'organizations of a person, with the suspended ones'],
  'server/people/organizations/suspension-store.ts': [3, 'suspends, restores and removes members'],
  'server/people/sign-ins/identity-store.ts': [
    3,
    'the person of an identity, with the suspension, which refuses the sign-in',
  ],
  'server/people/users/managed-account-store.ts': [2, 'who has the address, also while suspended'],
  'server/people/users/reset-store.ts': [
    7,
    'organizations of a person that have to agree; owners are asked by the view',
  ],
  'server/people/users/session-list-store.ts': [
    2,
    'the sessions of a member, who may be suspended',
  ],
  'server/people/users/session-store.ts': [
    4,
    'whether a session can begin, and where sessions end',
  ],
  'server/people/users/store.ts': [
    2,
    'accounts without an organization; entries in every organization',
  ],
  'server/reality/grants/identity-store.ts': [1, 'the person of a name, who may be suspended'],
  'server/reality/grants/settings-store.ts': [1, 'a name may be that of a suspended member, too'],
  'server/reports/usage/consumer-store.ts': [2, 'the names of readers, who may be suspended'],
  'server/requests/access/caller-store.ts': [
    3,
    'finds the suspension of a caller; roles come from the views',
  ],
  'server/requests/access/session-use-store.ts': [2, 'the last visit of a member'],
  'server/transfer/verify/agreements.ts': [1, 'access belongs to a member, who may be suspended'],
  'server/transfer/verify/documents.ts': [2, 'compares the columns with the document'],
  'server/transfer/verify/expected.ts': [2, 'compares the columns with the document'],
  'server/transfer/verify/people.ts': [
    3,
    'names of members beside the activity; owners without a provider',
  ],
}

test('roles › every other statement that reads members has a reason', () => {
  const files = globSync('server/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts') && path !== 'server/platform/tables.ts',
  )
  const uses = files.flatMap((path) => {
    const count = readFileSync(join(ROOT, path), 'utf8').match(USES)?.length ?? 0
    return count === 0 ? [] : [[path, count] as const]
  })
  const listed = Object.entries(REASONS).map(([path, [count]]) => [path, count])
  assert.deepEqual(Object.fromEntries(uses), Object.fromEntries(listed))
})
