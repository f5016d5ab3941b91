/** The roles of members equal a small model of documents, groups and mappings, in every organization at once. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { onStore } from '../../../test/stores.ts'
import type { Database } from '../../platform/tables.ts'

const PEOPLE = 4
const TEAMS = ['a', 'b'] as const
const GROUPS = ['Größe', 'Owners', 'id-1'] as const
const ROLES = ['Owner', 'Editor', 'Member'] as const

const person = fc.nat(PEOPLE - 1)
const group = fc.constantFrom(...GROUPS)
// Mappings spell names in any letter case, and name teams that do not exist.
const spelled = fc.constantFrom(...GROUPS, 'GRÖSSE', 'GRÖßE', 'owners', 'ID-1')
const role = fc.constantFrom(...ROLES)

const catalog = fc.record({
  owners: fc.uniqueArray(person),
  suspended: fc.uniqueArray(person, { maxLength: 1 }),
  named: fc.array(fc.record({ team: fc.constantFrom(...TEAMS), person, role })),
  recorded: fc.uniqueArray(person),
  inGroup: fc.array(fc.record({ group, person })),
  hasExternalIds: fc.boolean(),
  claims: fc.array(fc.record({ group, person })),
  provider: fc.record({ enabled: fc.boolean(), readsGroups: fc.boolean() }),
  mappings: fc.array(
    fc.record({
      name: spelled,
      kind: fc.constantFrom('organizationOwner', 'teamMemberRole', 'teamMember'),
      team: fc.constantFrom(...TEAMS, 'gone'),
      role,
    }),
  ),
})

type Catalog = typeof catalog extends fc.Arbitrary<infer Value> ? Value : never

/** A catalog in the database, with the ids of its teams. */
interface Stored {
  organizationId: string
  teamIds: Map<string, string>
}

onStore((store) => {
  const people = Array.from({ length: PEOPLE }, (_, at) => ({
    id: randomUUID(),
    email: `p${at}@roles.example`,
  }))
  before(async () => {
    for (const { id, email } of people) {
      await sql`insert into user_account (id, name, email, email_key, password_hash)
        values (${id}, 'Person', ${email}, ${email}, '')`.execute(store().db)
    }
  })

  test('team_role and organization_role › equal a model of documents, groups and mappings', async () => {
    const { db } = store()
    const expected = { team: new Set<string>(), organization: new Set<string>() }
    const property = fc.asyncProperty(catalog, async (drawn) => {
      const stored = await insertCatalog(db, drawn, people)
      const model = listRoles(drawn)
      // The catalogs of earlier runs stay, with the same people, addresses, teams and groups.
      for (const { team, person: at, role: held, source, group: name } of model.team) {
        const teamId = stored.teamIds.get(team)
        expected.team.add(
          toKey([stored.organizationId, teamId, people[at]?.id, held, source, name]),
        )
      }
      for (const { person: at, role: held, source, group: name } of model.organization) {
        expected.organization.add(
          toKey([stored.organizationId, people[at]?.id, held, source, name]),
        )
      }
      assert.deepEqual(await readViews(db), {
        team: [...expected.team].toSorted(),
        organization: [...expected.organization].toSorted(),
      })
    })
    await fc.assert(property, { numRuns: 25 })
  })
})

function toKey(parts: unknown): string {
  return JSON.stringify(parts)
}

async function readViews(db: Database): Promise<{ team: string[]; organization: string[] }> {
  const team = await sql<{ key: string }>`
    select distinct json_build_array(organization_id, team_id, user_id, role, source, group_name)::text as key
    from team_role
  `.execute(db)
  const grouped = await sql<{ key: string }>`
    select distinct json_build_array(team.organization_id, team.id, in_group.user_id, mapping.role, in_group.source,
      mapping.group_name)::text as key
    from member_group as in_group
    join directory_mapping as mapping on mapping.organization_id = in_group.organization_id
      and (mapping.group_key = in_group.group_key or mapping.group_name = in_group.external_id)
    join team on team.organization_id = mapping.organization_id
      and team.external_id = mapping.team
  `.execute(db)
  const byGroup = await sql<{ key: string }>`
    select distinct json_build_array(organization_id, team_id, user_id, role, source, group_name)::text as key
    from team_role
    where source <> 'manual'
  `.execute(db)
  assert.deepEqual(
    grouped.rows.map(({ key }) => key).toSorted(),
    byGroup.rows.map(({ key }) => key).toSorted(),
  )
  const organization = await sql<{ key: string }>`
    select distinct json_build_array(organization_id, user_id, role, source, group_name)::text as key
    from organization_role
  `.execute(db)
  return {
    team: team.rows.map(({ key }) => toKey(JSON.parse(key))).toSorted(),
    organization: organization.rows.map(({ key }) => toKey(JSON.parse(key))).toSorted(),
  }
}

/** Lists the roles of a catalog, as its documentation describes them. */
function listRoles(drawn: Catalog) {
  const active = Array.from({ length: PEOPLE }, (_, at) => at).filter(
    (at) => !drawn.suspended.includes(at),
  )
  const granted = active.flatMap((at) => {
    const isRecorded = drawn.recorded.includes(at)
    const source = isRecorded ? 'directory' : 'provider'
    const groups = isRecorded ? drawn.inGroup : listClaims(drawn)
    return groups
      .filter((entry) => entry.person === at)
      .flatMap((entry) =>
        drawn.mappings
          .filter(
            ({ name }) =>
              name.toLowerCase() === entry.group.toLowerCase() ||
              (isRecorded && drawn.hasExternalIds && name === toExternalId(entry.group)),
          )
          .map((mapping) => ({ ...mapping, person: at, source, group: mapping.name })),
      )
  })
  const inTeams = granted.filter(
    ({ kind, team }) => kind !== 'organizationOwner' && team !== 'gone',
  )
  const owning = granted.filter(({ kind }) => kind === 'organizationOwner')
  const manual = { source: 'manual', group: null }
  return {
    team: [
      ...drawn.named
        .filter((entry) => active.includes(entry.person))
        .map((entry) => ({ ...entry, ...manual })),
      ...inTeams.map(({ team, person: at, role: held, source, group: name }) => {
        return { team, person: at, role: held, source, group: name }
      }),
    ],
    organization: [
      ...active.map((at) => {
        return { person: at, role: drawn.owners.includes(at) ? 'Owner' : 'Member', ...manual }
      }),
      ...owning.map(({ person: at, source, group: name }) => {
        return { person: at, role: 'Owner', source, group: name }
      }),
    ],
  }
}

function listClaims({ claims, provider }: Catalog): Catalog['claims'] {
  return provider.enabled && provider.readsGroups ? claims : []
}

// The external id of one group is the name of another.
function toExternalId(name: string): string {
  return name === 'Größe' ? 'id-1' : `external ${name}`
}

async function insertCatalog(
  db: Database,
  drawn: Catalog,
  people: readonly { id: string; email: string }[],
): Promise<Stored> {
  const organizationId = randomUUID()
  const providerId = randomUUID()
  const teamIds = new Map(TEAMS.map((team) => [team as string, randomUUID()]))
  const groupIds = new Map(GROUPS.map((name) => [name as string, randomUUID()]))
  const idAt = (at: number): string => people[at]?.id ?? ''
  await sql`insert into organization (id, name) values (${organizationId}, 'Roles')`.execute(db)
  for (const [at, { id }] of people.entries()) {
    const suspendedAt = drawn.suspended.includes(at) ? '2026-01-01T00:00:00Z' : null
    await sql`insert into organization_member (organization_id, user_id, role, suspended_at)
      values (${organizationId}, ${id}, ${drawn.owners.includes(at) ? 'Owner' : 'Member'}, ${suspendedAt})`.execute(
      db,
    )
  }
  for (const [team, id] of teamIds) {
    const members = drawn.named.filter((entry) => entry.team === team)
    await sql`insert into team (organization_id, id, external_id, name, type, member_emails, member_roles, document,
        digest, version, created_at, updated_at, updated_by)
      values (${organizationId}, ${id}, ${team}, ${team}, 'Team',
        ${members.map((entry) => people[entry.person]?.email ?? '')}, ${members.map((entry) => entry.role)},
        '{}', '', 1, now(), now(), 'system')`.execute(db)
  }
  await sql`insert into identity_provider (organization_id, id, name, issuer, client_id, client_authentication,
      groups_claim, enabled, updated_by)
    values (${organizationId}, ${providerId}, 'P', 'https://id.example', 'c', 'none',
      ${drawn.provider.readsGroups ? 'groups' : null}, ${drawn.provider.enabled}, 'system')`.execute(
    db,
  )
  for (const [name, id] of groupIds) {
    await sql`insert into directory_group (organization_id, id, display_name, display_name_key, external_id, updated_by)
      values (${organizationId}, ${id}, ${name}, ${name.toLowerCase()},
        ${drawn.hasExternalIds ? toExternalId(name) : null}, 'system')`.execute(db)
  }
  for (const at of drawn.recorded) {
    await sql`insert into directory_user (organization_id, user_id, user_name, user_name_key, updated_by)
      values (${organizationId}, ${idAt(at)}, ${idAt(at)}, ${idAt(at)}, 'system')`.execute(db)
  }
  for (const entry of drawn.inGroup.filter(({ person: at }) => drawn.recorded.includes(at))) {
    await sql`insert into directory_group_member (organization_id, group_id, user_id)
      values (${organizationId}, ${groupIds.get(entry.group)}, ${idAt(entry.person)})
      on conflict do nothing`.execute(db)
  }
  for (const [at, { id }] of people.entries()) {
    const groups = drawn.claims.filter((entry) => entry.person === at).map((entry) => entry.group)
    await sql`insert into provider_identity (organization_id, provider_id, subject, user_id, groups, group_keys, groups_known)
      values (${organizationId}, ${providerId}, ${id}, ${id}, ${groups},
        ${groups.map((name) => name.toLowerCase())}, true)`.execute(db)
  }
  for (const [position, { name, kind, team, role: given }] of drawn.mappings.entries()) {
    const isTeam = kind !== 'organizationOwner'
    await sql`insert into directory_mapping (organization_id, position, group_name, group_key, kind, team, role)
      values (${organizationId}, ${position}, ${name}, ${name.toLowerCase()}, ${kind},
        ${isTeam ? team : null}, ${isTeam ? given : null})`.execute(db)
  }
  return { organizationId, teamIds }
}
