import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { newIngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { secretBox } from '../../platform/kit/secret-box.ts'
import { upsertSecrets } from '../integrations/credential-store.ts'
import { toSecretContext } from '../integrations/service.ts'
import { listLogLines } from './run-store.ts'
import { SourceFailure } from '../../connectors/connector.ts'

onStore((store) => {
  test('rejected credentials fail the run, and the fifth failure in a row pauses the schedule', async () => {
    const world = await newIngestionWorld(store())
    world.source.fail('open', 'auth')
    for (const at of [1, 2, 3, 4, 5]) {
      const run = await world.run()
      assert.equal(run.status, 'FAILED')
      assert.match(run.message ?? '', /^The source fails: auth. Nothing was published./)
      assert.equal(/schedule is paused/.test(run.message ?? ''), at === 5)
      const { paused_because: reason } = await world.engine.db
        .selectFrom('integration')
        .select('paused_because')
        .where('id', '=', world.integrationId)
        .executeTakeFirstOrThrow()
      assert.equal(reason !== null, at === 5, String(reason))
    }
  })

  test('a secret that was sealed with another key fails the run with a message that names it', async () => {
    const lines: string[] = []
    const log = pino({}, { write: (line) => void lines.push(line) })
    const world = await newIngestionWorld(store(), { log })
    const { engine, organizationId, integrationId } = world
    const box = secretBox(Buffer.alloc(32, 9))
    const place = { organizationId, integrationId, field: 'password' }
    const secret = { field: 'password', sealed: box.seal('canary', toSecretContext(place)) }
    await upsertSecrets(engine.db, storeClock, { ...place, keyId: box.keyId }, [secret])
    const run = await world.run()
    assert.equal(run.status, 'FAILED')
    assert.match(run.message ?? '', /^The stored secret password was sealed with another .* key/)
    assert.match(run.message ?? '', /Nothing was published\.$/)
    assert.ok(
      lines.some((line) => line.includes(engine.secretBox.keyId)),
      lines.join(''),
    )
    // With the right key the next run succeeds: this failure does not pause the schedule.
    engine.secretBox = box
    world.source.put(['shop', 'sales', 'orders'])
    assert.equal((await world.run()).status, 'SUCCESS')
  })

  test('the log of a run reports the error with secrets redacted', async () => {
    const world = await newIngestionWorld(store())
    world.source.schema('shop', 'sales')
    world.source.fail('read', new SourceFailure('protocol', 'The answer was no JSON.'))
    const run = await world.run()
    assert.match(run.message ?? '', /Nothing could be read: The answer was no JSON/)
    const lines = await listLogLines(world.engine.db, world.organizationId, run.id)
    assert.ok(lines.some(({ text }) => text === 'shop: The answer was no JSON.'))
    assert.ok(lines.every(({ at }) => at.endsWith('Z')))
  })
})
