import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, type World } from '../../../test/world.ts'

const FEATURES = '/api/organization/features'
const CUSTOMIZATION = '/api/settings/customization'
const TEAM_ROLES = '/api/settings/team-roles'
const SCIM = '/api/settings/scim-mapping'
const EMAILS = '/api/settings/email-templates'
const YAML = { accept: 'application/yaml' }

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const read = (path: string): Promise<Record<string, unknown>> =>
    readJson(world.as('O', 'GET', path))
  const put = (path: string, body: unknown): Promise<Response> =>
    world.as('O', 'PUT', path, { body })
  const putMapping = (mapping: object): Promise<Response> =>
    put(SCIM, { scimGroupMappings: [{ scimGroup: 'g', ...mapping }] })
  const putYaml = (path: string, yaml: string): Promise<Response> =>
    world.as('O', 'PUT', path, { yaml })

  describe(`GET and PUT ${FEATURES}`, () => {
    test('200 › every feature is null before the first PUT', async () => {
      assert.deepEqual(await read(FEATURES), {
        changeProcessMode: null,
        managedTagsPolicy: null,
        autoApprovePolicy: null,
        accessProvisioningPolicy: null,
        customTeamRolesEnabled: false,
        dataContractTestsEnabled: null,
        dataContractTestsTags: null,
        openInOptions: null,
        customScript: null,
        intelligenceEnabled: null,
        intelligenceQueryExecutionEnabled: null,
      })
    })

    test('200 › PUT answers what is stored: omitted features are null', async () => {
      const sent = {
        openInOptions: [{ name: 'Notebook', url: 'https://n.example' }],
        dataContractTestsTags: ['nightly'],
      }
      const answer = await expectOk(put(FEATURES, sent))
      assert.equal(answer.headers.get('location-html'), 'http://portbook.test/settings/features')
      const stored = (await answer.json()) as Record<string, unknown>
      assert.partialDeepStrictEqual(stored, { ...sent, customScript: null })
      assert.deepEqual(await read(FEATURES), stored)
      const next = await readJson<Record<string, unknown>>(put(FEATURES, {}))
      assert.equal(next.openInOptions, null)
    })

    test('200 › customTeamRolesEnabled follows the team roles, and a value that is sent has no effect', async () => {
      const sent = await readJson<Record<string, unknown>>(
        put(FEATURES, { customTeamRolesEnabled: true }),
      )
      assert.equal(sent.customTeamRolesEnabled, false)
      const roles = ['Owner', 'Editor', 'Member'].map((name) => ({ name, permissions: [] }))
      await expectOk(put(TEAM_ROLES, { mode: 'custom-team-roles', 'team-roles': roles }))
      assert.equal((await read(FEATURES)).customTeamRolesEnabled, true)
      await expectOk(put(TEAM_ROLES, { mode: 'default' }))
      assert.equal((await read(FEATURES)).customTeamRolesEnabled, false)
    })

    test('422 › an unknown value, with its field and its position', async () => {
      const body = '{\n  "managedTagsPolicy": "some"}'
      const { code, violations } = await expectProblem(put(FEATURES, body), 422)
      assert.equal(code, 'validation_failed')
      assert.deepEqual(violations, [
        {
          field: 'managedTagsPolicy',
          message: 'must be only-managed-tags-allowed or null',
          line: 2,
          column: 3,
        },
      ])
    })
  })

  describe(`GET and PUT ${CUSTOMIZATION}`, () => {
    test('200 › an empty customization before the first PUT, as JSON and as YAML', async () => {
      assert.deepEqual(await read(CUSTOMIZATION), {
        dataProduct: { customFilters: [] },
        dataContract: {},
      })
      const yaml = await world.asPerson('Um', 'GET', CUSTOMIZATION, { headers: YAML })
      assert.equal(yaml.headers.get('content-type'), 'application/yaml')
      assert.equal(await yaml.text(), 'dataProduct:\n  customFilters: []\ndataContract: {}\n')
    })

    test('200 › YAML comes back as it was sent, with comments, and as JSON to clients that ask for it', async () => {
      const text =
        '# Filters\ndataProduct:\n  customFilters:\n  - {displayName: "Größe", customField: size}\n'
      const answer = await expectOk(
        world.as('O', 'PUT', CUSTOMIZATION, { yaml: text, headers: YAML }),
      )
      assert.equal(await answer.text(), text)
      assert.equal(await readText(world.as('O', 'GET', CUSTOMIZATION, { headers: YAML })), text)
      assert.deepEqual(await read(CUSTOMIZATION), {
        dataProduct: { customFilters: [{ displayName: 'Größe', customField: 'size' }] },
      })
    })

    test('200 › JSON comes back byte for byte', async () => {
      const text = '{ "dataContract":{  "x": 1.0 } }'
      assert.equal(await readText(put(CUSTOMIZATION, text)), text)
      assert.equal(await readText(world.as('O', 'GET', CUSTOMIZATION)), text)
    })

    test('422 › fields of a wrong type, with their positions in YAML', async () => {
      const yaml = 'dataProduct:\n  customFilters:\n  - displayName: X\n'
      const { violations } = await expectProblem(putYaml(CUSTOMIZATION, yaml), 422)
      const [first] = violations ?? []
      assert.deepEqual(
        [first?.field, first?.message, first?.line],
        ['dataProduct.customFilters[0].customField', 'is missing', 3],
      )
      await expectProblem(put(CUSTOMIZATION, { dataProduct: { customFilters: {} } }), 422)
      await expectProblem(put(CUSTOMIZATION, []), 422)
    })

    test('400, 413 and 415 › malformed, large and foreign bodies', async () => {
      await expectProblem(put(CUSTOMIZATION, '{'), 400)
      await expectProblem(putYaml(CUSTOMIZATION, 'a: b\n c: d\n'), 400)
      await expectProblem(put(CUSTOMIZATION, { x: 'x'.repeat(70_000) }), 413)
      const headers = { 'content-type': 'text/plain' }
      await expectProblem(world.as('O', 'PUT', CUSTOMIZATION, { body: '{}', headers }), 415)
    })

    test('304 and 412 › the entity tag is the condition of reading and writing', async () => {
      const first = await expectOk(put(CUSTOMIZATION, { dataProduct: {} }))
      const tag = first.headers.get('etag') ?? ''
      const unchanged = world.as('O', 'GET', CUSTOMIZATION, { headers: { 'if-none-match': tag } })
      assert.equal((await unchanged).status, 304)
      const headers = { 'if-match': tag }
      await expectOk(world.as('O', 'PUT', CUSTOMIZATION, { body: { dataContract: {} }, headers }))
      await expectProblem(world.as('O', 'PUT', CUSTOMIZATION, { body: {}, headers }), 412)
    })

    test('200 for one of two writers with the same entity tag, 412 for the other', async () => {
      const first = await expectOk(put(CUSTOMIZATION, {}))
      const headers = { 'if-match': first.headers.get('etag') ?? '' }
      const answers = await Promise.all(
        ['a', 'b'].map((note) =>
          world.as('O', 'PUT', CUSTOMIZATION, { body: { dataContract: { note } }, headers }),
        ),
      )
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 412]))
    })
  })

  describe(`GET and PUT ${SCIM}`, () => {
    test('200 › mappings as they were sent', async () => {
      assert.deepEqual(await read(SCIM), { scimGroupMappings: [] })
      const mappings = [
        { scimGroup: 'admins', type: 'organizationOwner' },
        { scimGroup: 'eds', type: 'teamMemberRole', teamId: 'a', teamMemberRole: 'Editor' },
      ]
      await expectOk(put(SCIM, { scimGroupMappings: mappings }))
      assert.deepEqual(await read(SCIM), { scimGroupMappings: mappings })
    })

    test('422 › an unknown type, and a team role without a team', async () => {
      await expectProblem(putMapping({ type: 'owner' }), 422)
      const { violations } = await expectProblem(putMapping({ type: 'teamMemberRole' }), 422)
      assert.deepEqual(
        violations?.map(({ field }) => field),
        ['scimGroupMappings[0].teamId', 'scimGroupMappings[0].teamMemberRole'],
      )
    })
  })

  describe(`GET and PUT ${EMAILS}`, () => {
    test('200 › PUT replaces the templates and answers the stored ones', async () => {
      assert.deepEqual(await read(EMAILS), { templates: {} })
      const text = { subject: 'S', body: 'B', customized: true }
      const templates = { 'access-approved': { enabled: true, languages: { de: text } } }
      assert.deepEqual(await readJson(put(EMAILS, { templates })), { templates })
      assert.deepEqual(await readJson(put(EMAILS, { templates: {} })), { templates: {} })
      await expectProblem(put(EMAILS, { templates: { x: { enabled: 'yes' } } }), 422)
    })
  })

  test('settings of another organization are not visible', async () => {
    const other = await newWorld(world)
    const body = { scimGroupDefaults: { defaultTeamMemberRole: 'theirs' } }
    await expectOk(other.as('O', 'PUT', SCIM, { body }))
    assert.ok(!('scimGroupDefaults' in (await read(SCIM))))
  })
})
