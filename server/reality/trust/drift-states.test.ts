import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { addFinding, addPromise } from '../../../test/drift.ts'
import { newRandom } from '../../../test/random.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odcs, putOne } from '../../../test/world.ts'
import type { ContractDrift } from '../drift/drift.ts'
import { judgeResources } from './settle-service.ts'

const WORDS: Readonly<Record<ContractDrift['state'], string>> = {
  drift: 'Differs',
  accepted: 'Accepted differences',
  unknown: 'Not compared',
  none: 'As promised',
}
const LINKS = ['linked', 'linked', 'linked', 'linked', 'not_read', 'excluded', 'not_applicable']
const CONTRACTS = 80

onStore((store) => {
  test('the signal of drift and the state of a contract agree, also while a comparison is due', async () => {
    const world = await newWorld(newProduct(store()))
    const { db, clock } = world.services
    const { organizationId } = world
    const random = newRandom(31)
    const chance = (probability: number): boolean => random() < probability
    const contracts = Array.from({ length: CONTRACTS }, (_, at) => `contract-${at}`)
    for (const id of contracts) {
      await putOne(world, 'datacontracts', odcs(id))
      const hasProduction = chance(0.5)
      for (let at = 0; at < 1 + Math.floor(random() * 3); at += 1) {
        const model = `model-${at}`
        const isProduction = !hasProduction || at === 0 || chance(0.5)
        const state = LINKS[Math.floor(random() * LINKS.length)] ?? ''
        const assetId = state === 'linked' ? `${id}-${at}` : null
        await addPromise(world, id, { model, state, assetId, isProduction })
        if (chance(0.2)) {
          await sql`
            update asset_link
            set comparing_since = now()
            where organization_id = ${organizationId} and contract_id = ${id} and model = ${model}
          `.execute(db)
        }
        if (state !== 'linked' || chance(0.5)) continue
        const acceptedUntil = chance(0.5) ? (chance(0.5) ? '2000-01-01' : '9000-01-01') : undefined
        const level = chance(0.8) ? 'breaking' : 'additive'
        await addFinding(world, id, {
          model,
          level,
          isProduction,
          ...(acceptedUntil !== undefined && { acceptedUntil }),
        })
      }
    }
    const subjects = { products: [], contracts, assets: [] }
    const judged = await judgeResources(db, clock, organizationId, subjects)
    const words = new Map(judged.map(({ subject, signals }) => [subject, signals.drift[0]?.word]))
    const seen = new Set<string>()
    for (const id of contracts) {
      const path = `/api/datacontracts/${id}/drift`
      const { state } = await readJson<ContractDrift>(world.as('Or', 'GET', path))
      assert.equal(words.get(id), WORDS[state], id)
      seen.add(state)
    }
    assert.deepEqual([...seen].toSorted(), Object.keys(WORDS).toSorted())
  })
})
