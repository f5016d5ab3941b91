import assert from 'node:assert/strict'
import test from 'node:test'
import { listPeople } from './team-roles.ts'

const team = (id: string, ...members: [emailAddress: string, role: string][]) => ({
  id,
  name: `Team ${id}`,
  members: members.map(([emailAddress, role]) => ({ emailAddress, role })),
})

const from = ({ id, name }: { id: string; name: string }) => ({ id, name })

test('listPeople › lists people with a role from a team above, once each, the nearest team first', () => {
  const domain = team('domain', ['ada@x.example', 'Owner'], ['Bo@x.example', 'Editor'])
  const middle = team('middle', ['cy@x.example', 'Editor'])
  const own = team('own', ['bo@x.example', 'Member'])
  assert.deepEqual(listPeople(own, [domain, middle]), [
    {
      emailAddress: 'bo@x.example',
      roles: [
        { role: 'Member', from: undefined },
        { role: 'Editor', from: from(domain) },
      ],
    },
    { emailAddress: 'cy@x.example', roles: [{ role: 'Editor', from: from(middle) }] },
    { emailAddress: 'ada@x.example', roles: [{ role: 'Owner', from: from(domain) }] },
  ])
})

test('listPeople › returns an empty list for a team without members', () => {
  assert.deepEqual(listPeople({ id: 'a', name: 'A', members: [] }, []), [])
})

test('listPeople › adds the roles of groups, with the group and the team above', () => {
  const team = {
    id: 'low',
    name: 'Low',
    members: [{ emailAddress: 'A@x.example', role: 'Editor' }],
  }
  const top = { id: 'top', name: 'Top', members: [] }
  const members = [
    {
      email: 'a@x.example',
      teams: [
        { id: 'low', role: 'Owner', group: 'Crew' },
        { id: 'low', role: 'Editor', group: null },
        { id: 'top', role: 'Steward', group: 'All' },
        { id: 'elsewhere', role: 'Owner', group: 'Crew' },
      ],
    },
  ]
  assert.deepEqual(listPeople(team, [top], members), [
    {
      emailAddress: 'A@x.example',
      roles: [
        { role: 'Editor', from: undefined },
        { role: 'Owner', from: undefined, group: 'Crew' },
        { role: 'Steward', from: { id: 'top', name: 'Top' }, group: 'All' },
      ],
    },
  ])
})
