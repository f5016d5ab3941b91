/** Documents that clients own accept every value of the enums of the newest client. */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { addAgreement } from './agreements.ts'
import { readJson } from './answers.ts'
import { CLIENT_ENUMS } from './client-enums.ts'
import { addPlainRecord, toPlainPath } from './plain-records.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, odcs, putOne, uniqueId, type World } from './world.ts'

type EnumName = keyof typeof CLIENT_ENUMS

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** Sends a value; returns the one that is answered. Settings are tested beside them. */
  const senders: Partial<Record<EnumName, (value: string) => Promise<unknown>>> = {
    async 'team type'(type) {
      const id = uniqueId()
      await putOne(world, 'teams', { id, name: id, type })
      const team = await readJson<{ type: string }>(world.as('O', 'GET', `/api/teams/${id}`))
      return team.type
    },
    async 'notification-channel type'(type) {
      const kind = PLAIN_RECORDS.find((one) => one.kind === 'notification-channel')
      assert.ok(kind)
      const id = await addPlainRecord(world, kind, { id: uniqueId(), team: 'a', more: { type } })
      const path = toPlainPath(kind, id)
      return (await readJson<{ type: string }>(world.as('O', 'GET', path))).type
    },
    async 'policy status'(status) {
      const id = uniqueId()
      await putOne(world, 'policies', { id, name: id, status })
      const path = `/api/policies/${id}`
      return (await readJson<{ status: string }>(world.as('O', 'GET', path))).status
    },
    async 'test-result result'(result) {
      const id = uniqueId()
      const body = { id, dataContractId: 'c', result, checks: [] }
      await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
      const path = `/api/test-results/${id}`
      return (await readJson<{ result: string }>(world.as('O', 'GET', path))).result
    },
    async 'access provisioning status'(status) {
      const path = `${await addAgreement(world)}/provisioning`
      await expectOk(world.as('O', 'PUT', path, { body: { status } }))
      return (await readJson<{ status: string }>(world.as('O', 'GET', path))).status
    },
    async 'generate type'(type) {
      const id = uniqueId()
      await putOne(world, 'datacontracts', odcs(id))
      const path = `/api/datacontracts/${id}/generate`
      const answer = await world.as('O', 'POST', path, { body: { type } })
      // Files of this type need a language model: the value is known, and the contract cannot have them.
      return (answer.status === 422 && type === 'custom') || answer.status === 200
        ? type
        : undefined
    },
  }

  for (const [name, { values }] of Object.entries(CLIENT_ENUMS)) {
    const send = senders[name as EnumName]
    for (const value of send === undefined ? [] : values) {
      test(`${name} › accepts and answers ${value}`, async () => {
        assert.equal(await send?.(value), value)
      })
    }
  }

  test('every enum is sent here, or is one of a settings document', () => {
    const others = Object.keys(CLIENT_ENUMS).filter((name) => !Object.hasOwn(senders, name))
    for (const name of others) assert.match(name, /^(features|scim-mapping|team-roles) /)
  })
})
