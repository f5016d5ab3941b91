/** Members of documents that decide in place of a person: writing them needs the permission of the decision. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { DECIDING_MEMBERS } from '../server/documents/deciding-members.ts'
import { addAgreement, addProvider, buildAgreement } from './agreements.ts'
import { expectProblem, readJson } from './answers.ts'
import { newMember } from './people.ts'
import { onStore } from './stores.ts'
import { dps, expectOk, newProduct, newWorld, odps, uniqueId, type World } from './world.ts'

type Row = keyof typeof DECIDING_MEMBERS
type Document = Record<string, unknown>
type Write = (path: string, body: Document, query?: string) => Promise<Response>

/** An output port in each format; `approves` undefined = the document has no such member. */
interface PortOf {
  id: string
  approves?: boolean
}

/** Returns a data product of a team in a format. */
type Build = (id: string, owner: string, ports: readonly PortOf[], more?: Document) => Document

const buildOdps: Build = (id, owner, ports, more = {}) =>
  odps(id, {
    team: { name: owner },
    outputPorts: ports.map(({ id: port, approves }) => ({
      id: port,
      name: `Port ${port}`,
      version: '1',
      ...(approves !== undefined && {
        customProperties: [{ property: 'autoApprove', value: approves }],
      }),
    })),
    ...more,
  })

const buildDps: Build = (id, owner, ports, more = {}) =>
  dps(id, {
    info: { title: 'Product', owner, ...more },
    outputPorts: ports.map(({ id: port, approves }) => ({
      id: port,
      name: `Port ${port}`,
      ...(approves !== undefined && { autoApprove: approves }),
    })),
  })

const FORMATS = { ODPS: buildOdps, DPS: buildDps }
const PATH = '/api/dataproducts'
const OPEN = { id: 'out', approves: true }
const CLOSED = { id: 'out', approves: false }
const NEEDS_APPROVAL = /needs ACCESS_APPROVE on team/

function newPath(): string {
  return `${PATH}/${uniqueId()}`
}

function getId(path: string): string {
  return path.slice(PATH.length + 1)
}

const newAsset = (owner: string) => ({ info: { name: 'Asset', owner } })
const newExample = (dataProductId: string) => ({
  dataProductId,
  outputPortId: 'out',
  dataContractId: 'c',
  data: [],
})

onStore((store) => {
  let world: World
  /** An Editor of the teams A and B, who may approve in neither. */
  let editor: Awaited<ReturnType<typeof newMember>>
  before(async () => {
    world = await newWorld(newProduct(store()))
    editor = await newMember(world, world.organizationId, 'Member', 'Edda Editor')
    for (const id of ['a', 'b']) {
      const path = `/api/teams/${id}`
      const team = await readJson<{ members?: object[] }>(world.as('O', 'GET', path))
      const members = [...(team.members ?? []), { emailAddress: editor.email, role: 'Editor' }]
      await expectOk(world.as('O', 'PUT', path, { body: { ...team, members } }))
    }
  })

  const asOwner: Write = (path, body) => world.as('O', 'PUT', path, { body })
  /** The ways in which an editor writes: with the pages, or with a key, as JSON or YAML. */
  const WRITES: Record<string, Write> = {
    'the form': (path, body, query = '') => editor.browser.ask('PUT', `${path}${query}`, body),
    'a key, JSON': (path, body, query = '') => world.as('Ue', 'PUT', `${path}${query}`, { body }),
    'a key, YAML': (path, body, query = '') =>
      world.as('Ue', 'PUT', `${path}${query}`, { yaml: JSON.stringify(body, null, 1) }),
  }

  const TESTS: Record<Row, () => void> = {
    autoApprove() {
      for (const [format, build] of Object.entries(FORMATS)) {
        for (const [how, write] of Object.entries(WRITES)) {
          describe(`${format} with ${how}`, () => {
            test('403 › a new product, a new port, and a port that did not approve', async () => {
              const one = newPath()
              const open = build(getId(one), 'a', [OPEN])
              await expectProblem(write(one, open), 403, NEEDS_APPROVAL)
              await expectProblem(write(one, open, '?dryRun=true'), 403, NEEDS_APPROVAL)
              for (const port of [CLOSED, { id: 'out' }]) {
                await expectOk(write(one, build(getId(one), 'a', [port])))
                await expectProblem(write(one, open), 403, NEEDS_APPROVAL)
                const other = build(getId(one), 'a', [port, { id: 'more', approves: true }])
                await expectProblem(write(one, other), 403, /output port "more"/)
              }
            })

            test('403 › a port that approves, under another id', async () => {
              const one = newPath()
              await expectOk(asOwner(one, build(getId(one), 'a', [OPEN])))
              const renamed = build(getId(one), 'a', [{ id: 'new', approves: true }])
              await expectProblem(write(one, renamed), 403, NEEDS_APPROVAL)
              const copied = build('copy', 'a', [OPEN])
              await expectProblem(write(`${PATH}/copy`, copied), 403, NEEDS_APPROVAL)
            })

            test('403 › an old version with a port that approved', async () => {
              const one = newPath()
              const open = build(getId(one), 'a', [OPEN])
              await expectOk(asOwner(one, open))
              await expectOk(asOwner(one, build(getId(one), 'a', [CLOSED])))
              await expectProblem(write(one, open), 403, NEEDS_APPROVAL)
              await expectOk(world.as('O', 'DELETE', one))
              await expectProblem(write(one, open), 403, NEEDS_APPROVAL)
            })

            test('200 › a port that approves and stays, also in the other format, and one that no longer does', async () => {
              const one = newPath()
              await expectOk(asOwner(one, build(getId(one), 'a', [OPEN])))
              await expectOk(write(one, build(getId(one), 'a', [OPEN], { status: 'retired' })))
              for (const convert of Object.values(FORMATS)) {
                await expectOk(write(one, convert(getId(one), 'a', [OPEN])))
              }
              await expectOk(write(one, build(getId(one), 'a', [CLOSED])))
            })
          })
        }

        test(`${format} › a port that approves, under a new owner`, async () => {
          const id = uniqueId()
          const one = `${PATH}/${id}`
          const open = build(id, 'a', [OPEN])
          await expectOk(asOwner(one, open))
          const moved = build(id, 'b', [OPEN])
          await expectProblem(
            editor.browser.ask('PUT', one, moved),
            403,
            /ACCESS_APPROVE on team a/,
          )
          await give('a', 'Approver')
          await expectProblem(
            editor.browser.ask('PUT', one, moved),
            403,
            /ACCESS_APPROVE on team b/,
          )
          await give('b', 'Approver')
          await expectOk(editor.browser.ask('PUT', one, moved))
          await give('a', 'Editor')
          await give('b', 'Editor')
        })

        test(`${format} › 200 for a team key and an owner of the organization`, async () => {
          for (const caller of ['T', 'Uo', 'O'] as const) {
            const id = uniqueId()
            const body = build(id, 'a', [OPEN])
            await expectOk(world.as(caller, 'PUT', `${PATH}/${id}`, { body }))
          }
        })
      }

      test('the person who made a port approve › has to ask another person', async () => {
        const id = uniqueId()
        const one = `${PATH}/${id}`
        await give('a', 'Approver')
        await expectOk(editor.browser.ask('PUT', one, buildOdps(id, 'a', [OPEN])))
        const state = async (by: 'Um' | 'Uo' | 'editor'): Promise<string> => {
          const path = `${one}/outputports/out/request-access`
          const body = { purpose: 'Reports' }
          const answer =
            by === 'editor'
              ? world.call('POST', path, { body, key: await newKey() })
              : world.as(by, 'POST', path, { body })
          const { accessId } = await readJson<{ accessId: string }>(answer)
          const { info } = await readJson<{ info: { status: string } }>(
            world.as('O', 'GET', `/api/access/${accessId}`),
          )
          await expectOk(world.as('O', 'DELETE', `/api/access/${accessId}`))
          return info.status
        }
        assert.equal(await state('editor'), 'requested')
        assert.equal(await state('Um'), 'approved')
        // Another change by another person is not a decision.
        await expectOk(asOwner(one, buildOdps(id, 'a', [OPEN], { status: 'retired' })))
        assert.equal(await state('editor'), 'requested')
        await expectOk(asOwner(one, buildOdps(id, 'a', [CLOSED])))
        await expectOk(world.as('Uo', 'PUT', one, { body: buildOdps(id, 'a', [OPEN]) }))
        assert.equal(await state('editor'), 'approved')
        assert.equal(await state('Uo'), 'requested')
        await give('a', 'Editor')
      })
    },

    owner() {
      test('403 › a product with output ports that gets another owner', async () => {
        for (const build of Object.values(FORMATS)) {
          const id = uniqueId()
          const one = `${PATH}/${id}`
          await expectOk(asOwner(one, build(id, 'a', [{ id: 'out' }])))
          const write = (ports: PortOf[]): Promise<Response> =>
            editor.browser.ask('PUT', one, build(id, 'b', ports))
          await expectProblem(write([{ id: 'out' }]), 403, /ACCESS_APPROVE on team a/)
          await expectProblem(write([]), 403, /ACCESS_APPROVE on team a/)
          await give('a', 'Approver')
          await expectOk(write([{ id: 'out' }]))
          await give('a', 'Editor')
        }
      })

      test('200 › a product without output ports', async () => {
        const id = uniqueId()
        await expectOk(asOwner(`${PATH}/${id}`, buildOdps(id, 'a', [])))
        await expectOk(editor.browser.ask('PUT', `${PATH}/${id}`, buildOdps(id, 'b', [])))
      })
    },

    terms() {
      test('403 › dates and roles of an approved access', async () => {
        const product = await addProvider(world, 'a')
        const consumer = { teamId: 'b' }
        const path = await addAgreement(world, { product, consumer, isApproved: true })
        const change = (more: Parameters<typeof buildAgreement>[2]): Promise<Response> =>
          editor.browser.ask('PUT', path, buildAgreement(product, consumer, more))
        await expectOk(change({ tags: ['x'] }))
        await expectProblem(change({ info: { endDate: '2099-01-01' } }), 403, /ACCESS_APPROVE/)
        await expectProblem(change({ roles: ['admin'] }), 403, /ACCESS_APPROVE/)
      })
    },

    members() {
      test('403 › an Editor adds a member', async () => {
        const team = await readJson<{ members: object[] }>(world.as('O', 'GET', '/api/teams/a'))
        const members = [...team.members, { emailAddress: 'new@x.example', role: 'Member' }]
        await expectProblem(editor.browser.ask('PUT', '/api/teams/a', { ...team, members }), 403)
      })
    },

    parent() {
      test('403 › an Editor moves a team', async () => {
        const team = await readJson<object>(world.as('O', 'GET', '/api/teams/a'))
        const moved = { ...team, parent: 'b' }
        await expectProblem(editor.browser.ask('PUT', '/api/teams/a', moved), 403)
      })
    },

    assetOwner() {
      test('403 › an asset of another team', async () => {
        const path = `/api/assets/${uniqueId()}`
        await expectOk(world.as('O', 'PUT', path, { body: newAsset('b') }))
        await expectProblem(world.as('Ue', 'PUT', path, { body: newAsset('a') }), 403, /ASSET_EDIT/)
        await expectOk(world.as('O', 'PUT', path, { body: newAsset('a') }))
        await expectProblem(world.as('Ue', 'PUT', path, { body: newAsset('b') }), 403, /ASSET_EDIT/)
      })
    },

    product() {
      test('403 › a cost of the data product of another team', async () => {
        const [ofA, ofB] = [await addProvider(world, 'a'), await addProvider(world, 'b')]
        const cost = { dataProductId: ofB, name: 'Storage', amount: 1, currency: 'EUR' }
        await expectProblem(
          world.as('Ue', 'POST', '/api/costs', { body: cost }),
          403,
          /DATAPRODUCT_EDIT on team b/,
        )
        const path = `/api/example-data/${randomUUID()}`
        await expectOk(world.as('Ue', 'PUT', path, { body: newExample(ofA) }))
        await expectProblem(
          world.as('Ue', 'PUT', path, { body: newExample(ofB) }),
          403,
          /_EDIT on team b/,
        )
      })
    },

    tag() {
      test('403 › a tag by a member who may not add one', async () => {
        const path = `/api/tags/${uniqueId()}`
        const body = { info: { owner: 'a' } }
        await expectProblem(world.as('Um', 'PUT', path, { body }), 403, /MANAGED_TAG_ADD/)
      })
    },

    teamRoles: () => testSetting('/api/settings/team-roles', { mode: 'default' }),
    managedTags: () => testSetting('/api/organization/features', {}),
    scimMapping: () => testSetting('/api/settings/scim-mapping', {}),
  }

  function testSetting(path: string, body: object): void {
    test('403 › callers who do not own the organization', async () => {
      await expectProblem(editor.browser.ask('PUT', path, body), 403)
      for (const caller of ['Ue', 'Um', 'T'] as const) {
        await expectProblem(world.as(caller, 'PUT', path, { body }), 403)
      }
    })
  }

  for (const [row, define] of Object.entries(TESTS)) {
    const { kind, member } = DECIDING_MEMBERS[row as Row]
    describe(`${kind} › ${member}`, define)
  }

  /** Gives the editor another role in a team. */
  async function give(team: string, role: string): Promise<void> {
    const path = `/api/teams/${team}`
    const stored = await readJson<{ members: { emailAddress: string }[] }>(
      world.as('O', 'GET', path),
    )
    const members = stored.members.map((one) =>
      one.emailAddress === editor.email ? { ...one, role } : one,
    )
    await expectOk(world.as('O', 'PUT', path, { body: { ...stored, members } }))
  }

  /** Creates a personal key of the editor. */
  async function newKey(): Promise<string> {
    const answer = editor.browser.ask('POST', '/ui/api-keys', {
      scope: 'user',
      displayName: 'K',
    })
    return (await readJson<{ key: string }>(answer, 201)).key
  }
})
