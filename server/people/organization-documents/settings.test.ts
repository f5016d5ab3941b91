/** Every setting does what the table of settings describes: it is enforced, refused, or stored and marked as not used. */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { z } from '@hono/zod-openapi'
import { listSettings } from '../../../formats/settings/lookup.ts'
import { SETTINGS } from '../../../formats/settings/table.ts'
import { expectProblem, readJson, type Problem } from '../../../test/answers.ts'
import { CLIENT_ENUMS } from '../../../test/client-enums.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { ORGANIZATION_DOCUMENTS } from './kinds.ts'

const FEATURES = '/api/organization/features'
const SCIM = '/api/settings/scim-mapping'

// Another rule decides about the members of this document.
const settingsDocuments = ORGANIZATION_DOCUMENTS.filter(({ kind }) => kind !== 'team-roles')

/** Lists the members of a schema as the table names them; those of open objects are not followed. */
function listMembers(schema: z.ZodType, at = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return listMembers(schema.unwrap() as z.ZodType, at)
  }
  if (schema instanceof z.ZodDefault) return listMembers(schema.unwrap() as z.ZodType, at)
  if (schema instanceof z.ZodArray) return listMembers(schema.element as z.ZodType, `${at}[]`)
  if (schema instanceof z.ZodRecord) return listMembers(schema.valueType as z.ZodType, `${at}{}`)
  if (!(schema instanceof z.ZodObject) || Object.keys(schema.shape).length === 0) return [at]
  return Object.entries(schema.shape).flatMap(([name, member]) =>
    listMembers(member as z.ZodType, at === '' ? name : `${at}.${name}`),
  )
}

function covers(row: string, member: string): boolean {
  return member === row || member.startsWith(`${row}.`) || member.startsWith(`${row}[]`)
}

for (const { kind, schema } of settingsDocuments) {
  test(`the table of settings has every member of ${kind}, and no other`, () => {
    const rows = listSettings(kind as 'features').map(({ member }) => member)
    const members = listMembers(schema)
    const without = members.filter((member) => !rows.some((row) => covers(row, member)))
    assert.deepEqual(without, [])
    const unused = rows.filter((row) => !members.some((member) => covers(row, member)))
    assert.deepEqual(unused, [])
  })
}

test('the table of settings has the values of the newest client', () => {
  for (const { document, member, values } of SETTINGS) {
    const named = new Map<string, { values: readonly string[] }>(Object.entries(CLIENT_ENUMS))
    const { values: ofClient } = named.get(`${document} ${member}`) ?? {}
    assert.deepEqual(values, ofClient, `${document} ${member}`)
  }
})

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (path: string, body: unknown): Promise<Response> =>
    world.as('O', 'PUT', path, { body })

  describe(`PUT ${FEATURES}`, () => {
    for (const { member, effect, values = [] } of listSettings('features')) {
      if (effect !== 'refused') continue
      for (const value of [...values, 'other', '']) {
        test(`422 that names ${member} and how to fix it, for ${JSON.stringify(value)}`, async () => {
          const before = await readJson(world.as('O', 'GET', FEATURES))
          const { code, detail, violations } = await expectProblem(
            put(FEATURES, { [member]: value, customScript: 'new' }),
            422,
          )
          assert.equal(code, 'validation_failed')
          assert.equal(violations?.[0]?.field, member)
          assert.match(detail, new RegExp(`^${member}: is not supported yet .*or remove it`))
          assert.deepEqual(await readJson(world.as('O', 'GET', FEATURES)), before)
        })
      }
    }

    test('200 for null in every refused setting, and for a document that was read', async () => {
      const read = await readJson<object>(world.as('O', 'GET', FEATURES))
      assert.deepEqual(await readJson(put(FEATURES, read)), read)
      const refused = listSettings('features').filter(({ effect }) => effect === 'refused')
      const off = Object.fromEntries(refused.map(({ member }) => [member, null]))
      assert.partialDeepStrictEqual(await readJson(put(FEATURES, off)), off)
    })

    test('200 for what is stored, which comes back; managedTagsPolicy is enforced', async () => {
      const sent = {
        dataContractTestsEnabled: false,
        dataContractTestsTags: ['nightly'],
        openInOptions: ['snowflake', 'databricks'],
        customScript: 'alert(1)',
        intelligenceEnabled: true,
        intelligenceQueryExecutionEnabled: true,
        managedTagsPolicy: 'only-managed-tags-allowed',
      }
      const stored = listSettings('features').filter(({ effect }) => effect === 'stored')
      assert.ok(stored.every(({ member }) => Object.hasOwn(sent, member)))
      assert.partialDeepStrictEqual(await readJson(put(FEATURES, sent)), sent)
      const id = uniqueId()
      const body = odps(id, { tags: ['free'] })
      await expectProblem(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }), 422, /free/)
      await expectOk(put(FEATURES, {}))
      await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body }))
    })
  })

  describe(`PUT ${SCIM}`, () => {
    for (const type of CLIENT_ENUMS['scim-mapping scimGroupMappings[]'].values) {
      test(`200 for the type ${type}, which comes back`, async () => {
        const mapping = { scimGroup: 'g', type, teamId: 'a', teamMemberRole: 'Editor' }
        const body = {
          scimGroupDefaults: { defaultTeamMemberRole: 'Member' },
          scimGroupMappings: [mapping],
        }
        assert.deepEqual(await readJson(put(SCIM, body)), body)
        const one = { scimGroupMappings: [{ scimGroup: 'g', type }] }
        const needed = {
          organizationOwner: [],
          teamMemberRole: ['teamId', 'teamMemberRole'],
          teamMember: ['teamId'],
        }
        const fields = needed[type].map((name) => `scimGroupMappings[0].${name}`)
        const answer = await put(SCIM, one)
        const { violations = [] } = await readJson<Partial<Problem>>(
          Promise.resolve(answer),
          fields.length === 0 ? 200 : 422,
        )
        assert.deepEqual(
          violations.map(({ field }) => field),
          fields,
        )
      })
    }
  })

  /** A document of each kind with a member added to every object. */
  const PLACES: readonly (readonly [string, string, (unknown: object) => object])[] = [
    ['/api/organization/features', 'x', (unknown) => unknown],
    ['/api/settings/customization', 'x', (unknown) => unknown],
    ['/api/settings/customization', 'dataProduct.x', (unknown) => ({ dataProduct: unknown })],
    [
      '/api/settings/customization',
      'dataProduct.customFilters[0].x',
      (unknown) => ({
        dataProduct: { customFilters: [{ displayName: 'A', customField: 'a', ...unknown }] },
      }),
    ],
    [SCIM, 'x', (unknown) => unknown],
    [SCIM, 'scimGroupDefaults.x', (unknown) => ({ scimGroupDefaults: unknown })],
    [
      SCIM,
      'scimGroupMappings[0].x',
      (unknown) => ({
        scimGroupMappings: [{ scimGroup: 'g', type: 'organizationOwner', ...unknown }],
      }),
    ],
    ['/api/settings/email-templates', 'x', (unknown) => unknown],
    [
      '/api/settings/email-templates',
      'templates.a.x',
      (unknown) => ({ templates: { a: unknown } }),
    ],
    [
      '/api/settings/email-templates',
      'templates.a.languages.en.x',
      (unknown) => ({ templates: { a: { languages: { en: unknown } } } }),
    ],
  ]
  for (const [path, field, build] of PLACES) {
    test(`PUT ${path} › 422 that names ${field} if it is unknown, unless it is null`, async () => {
      for (const value of [true, false, '', 0, {}, []]) {
        const { violations, detail } = await expectProblem(put(path, build({ x: value })), 422)
        assert.equal(violations?.[0]?.field, field)
        assert.match(detail, /is not a setting of Portbook.* Remove it/)
      }
      await expectOk(put(path, build({ x: null })))
    })
  }

  test('PUT /api/settings/customization › 200 for any member of the editor of data contracts', async () => {
    const body = { dataContract: { sections: [{ title: 'Terms', 'title@de': 'Bedingungen' }] } }
    assert.deepEqual(await readJson(put('/api/settings/customization', body)), body)
  })

  for (const path of [FEATURES, '/api/settings/customization']) {
    test(`GET ${path} › 403 for team and personal keys, 200 for organization keys and sign-ins`, async () => {
      for (const caller of ['Uo', 'Ue', 'Um', 'Ur', 'T', 'Tr'] as const) {
        await expectProblem(world.as(caller, 'GET', path), 403, /Only keys of the organization/)
      }
      for (const caller of ['O', 'Or'] as const) await expectOk(world.as(caller, 'GET', path))
      for (const person of ['Uo', 'Ue', 'Um'] as const) {
        await expectOk(world.asPerson(person, 'GET', path))
      }
    })

    test(`GET /api/activity › names the members of a change of ${path}, not their values`, async () => {
      const other = await newWorld(world)
      const isFeatures = path === FEATURES
      const body = isFeatures ? { customScript: 'canary' } : { dataContract: { note: 'canary' } }
      await expectOk(other.as('O', 'PUT', path, { body }))
      for (const caller of ['T', 'Um', 'O'] as const) {
        const answer = await other.as(caller, 'GET', '/api/activity?kind=organization-settings')
        const text = await answer.text()
        assert.ok(text.includes(isFeatures ? 'customScript' : 'dataContract'), text)
        assert.ok(!text.includes('canary'), text)
      }
    })
  }
})
