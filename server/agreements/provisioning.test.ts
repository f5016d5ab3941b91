import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { listAccessEvents, toName, type SeenAgreement } from '../../test/access-events.ts'
import { addAgreement } from '../../test/agreements.ts'
import { expectProblem, expectViolations, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, type World } from '../../test/world.ts'
import { provisioningReport, REPORT_NAMES, type AccessProvisioning } from './provisioning.ts'
import { listProvisioningReports } from './read-store.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const report = (path: string, name: string, body?: object): Promise<AccessProvisioning> =>
    readJson(world.as('T', 'POST', `${path}/provisioning/${name}`, { body }))
  const put = (path: string, body: object): Promise<Response> =>
    world.as('T', 'PUT', `${path}/provisioning`, { body })
  const listReports = (path: string) =>
    listProvisioningReports(store().db, {
      organizationId: world.organizationId,
      id: path.split('/').at(-1) ?? '',
    })
  const listEvents = async (path: string) => (await listAccessEvents(world, path)).slice(4)

  describe('POST /api/access/{id}/provisioning/…', () => {
    test('200 in any order; members that are left out keep their value', async () => {
      const path = await addAgreement(world, { isApproved: true })
      await expectProblem(world.as('O', 'GET', `${path}/provisioning`), 404)
      const started = await report(path, 'provisioning-started', {
        platform: 'snowflake',
        executor: 'connector',
        reference: null,
      })
      assert.deepEqual(Object.keys(started), [
        'status',
        'platform',
        'executor',
        'provisioningStartedAt',
      ])
      const done = await report(path, 'provisioning-succeeded', {
        reference: 'role SALES_READ',
        customProperties: [{ property: 'rows', value: { n: 1 } }],
        links: { ticket: 'https://example.test/1' },
      })
      assert.partialDeepStrictEqual(done, {
        status: 'provisioned',
        platform: 'snowflake',
        provisioningStartedAt: started.provisioningStartedAt,
        customProperties: [{ property: 'rows', value: { n: 1 } }],
      })
      assert.deepEqual(await readJson(world.as('Um', 'GET', `${path}/provisioning`)), done)
      const agreement = await readJson<SeenAgreement>(world.as('Um', 'GET', path))
      assert.deepEqual(agreement.provisioning, done)
      const listed = await readJson<SeenAgreement[]>(world.as('Um', 'GET', '/api/access'))
      assert.deepEqual(listed.find(({ provisioning }) => provisioning)?.provisioning, done)
      const failed = await report(path, 'deprovisioning-failed', { diagnostics: 'No such role' })
      assert.equal(failed.status, 'deprovisioning-failed')
      await report(path, 'provisioning-started')
    })

    test('an event with status and platform for each change of the status, and a report for each', async () => {
      const path = await addAgreement(world, { isApproved: true })
      for (const name of REPORT_NAMES) {
        await report(path, name, { platform: 'p' })
        await report(path, name, { platform: 'p' })
      }
      const events = await listEvents(path)
      assert.deepEqual(
        events.map((event) => [toName(event), event.data.status, event.data.platform]),
        [
          ['ProvisioningStarted', 'provisioning', 'p'],
          ['Provisioned', 'provisioned', 'p'],
          ['ProvisioningFailed', 'provisioning-failed', 'p'],
          ['DeprovisioningStarted', 'deprovisioning', 'p'],
          ['Deprovisioned', 'deprovisioned', 'p'],
          ['DeprovisioningFailed', 'deprovisioning-failed', 'p'],
        ],
      )
      const reports = await listReports(path)
      assert.equal(reports.length, 12)
      assert.equal(reports[0]?.status, 'deprovisioning-failed')
    })

    test('200 for reports at the same time, none lost; the last 100 are kept', async () => {
      const path = await addAgreement(world)
      await Promise.all(
        Array.from({ length: 104 }, () =>
          report(path, 'provisioning-failed', { diagnostics: 'x' }),
        ),
      )
      assert.equal((await listReports(path)).length, 100)
      assert.equal((await listEvents(path)).length, 0)
    })

    test('422 for other values', async () => {
      const path = await addAgreement(world)
      const body = { platform: 1, customProperties: [{ value: 1 }] }
      const answer = world.as('T', 'POST', `${path}/provisioning/provisioning-started`, { body })
      await expectViolations(answer, 422, ['customProperties.0.property', 'platform'])
    })

    test('404 for an unknown agreement', async () => {
      await expectProblem(
        world.as('T', 'POST', '/api/access/none/provisioning/provisioning-started', { body: {} }),
        404,
      )
    })
  })

  describe('PUT /api/access/{id}/provisioning', () => {
    test('200 replaces it; the same status makes no event', async () => {
      const path = await addAgreement(world, { isApproved: true })
      await report(path, 'provisioning-started', { platform: 'p', executor: 'e' })
      const body = { status: 'provisioned', platform: 'q', note: 'By hand' }
      assert.deepEqual(await readJson(put(path, body)), body)
      await expectOk(put(path, { status: 'provisioned' }))
      assert.deepEqual((await listEvents(path)).map(toName), ['ProvisioningStarted', 'Provisioned'])
    })

    test('400 for an unknown or missing status, 422 for other values', async () => {
      const path = await addAgreement(world)
      for (const body of [{}, { status: 'done' }, { status: null }]) {
        await expectProblem(put(path, body), 400, /status must be one of/)
      }
      await expectViolations(put(path, { status: 'provisioned', failedAt: 'x' }), 422, ['failedAt'])
    })
  })

  test('a decision keeps the provisioning, and If-Match holds after a report', async () => {
    const path = await addAgreement(world)
    const { headers } = await world.as('O', 'GET', path)
    const etag = headers.get('etag') ?? ''
    await report(path, 'provisioning-started')
    const noneMatch = { 'if-none-match': etag }
    assert.equal((await world.as('O', 'GET', path, { headers: noneMatch })).status, 200)
    const body = { ...(await readJson<SeenAgreement>(world.as('O', 'GET', path))), tags: ['x'] }
    await expectOk(world.as('O', 'PUT', path, { body, headers: { 'if-match': etag } }))
    await expectOk(world.as('O', 'POST', `${path}/approve`))
    const { provisioning } = await readJson<SeenAgreement>(world.as('O', 'GET', path))
    assert.equal(provisioning?.status, 'provisioning')
  })
})

test('a report has at most 50 links', () => {
  for (const [count, isValid] of [
    [50, true],
    [51, false],
  ] as const) {
    const names = Array.from({ length: count }, (_, at) => [`link-${at}`, 'https://example.test'])
    const report = { links: Object.fromEntries(names) }
    assert.equal(provisioningReport.safeParse(report).success, isValid)
  }
})
