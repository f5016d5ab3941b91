import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Plan } from '../../ledger/history/plan.ts'
import { readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, uniqueId, type World } from '../../../test/world.ts'

const ODPS = `{"kind":"DataProduct","id":"ID","name":"X","team":{"name":"a"},"tags":["x","y"],
"outputPorts":[{"name":"one","version":"1"},{"name":"two","version":"1"}],
"customProperties":[{"property":"p","value":[1,2]},{"property":"q","value":1.0}]}`

// Pairs of documents with equal meaning.
const SAME: Record<string, [string, string]> = {
  'the same text': [ODPS, ODPS],
  'the order of keys': [
    '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":{"y":1,"z":2}}',
    '{"x":{"z":2,"y":1},"team":{"name":"a"},"name":"X","kind":"DataProduct"}',
  ],
  'white space': [ODPS, `\r\n  ${ODPS.replaceAll(',', ' ,\n\t')}  `],
  'the spelling of a number': [ODPS, ODPS.replace('1.0', '10e-1').replace('[1,2]', '[1e0,2.00]')],
  'the spelling of a text': [ODPS, ODPS.replace('"X"', '"\\u0058"')],
  'the order of tags': [ODPS, ODPS.replace('["x","y"]', '["y","x"]')],
  'the order of ports': [
    ODPS,
    ODPS.replace(
      '{"name":"one","version":"1"},{"name":"two","version":"1"}',
      '{"name":"two","version":"1"},{"name":"one","version":"1"}',
    ),
  ],
  'the order of custom properties': [
    ODPS,
    ODPS.replace(
      '{"property":"p","value":[1,2]},{"property":"q","value":1.0}',
      '{"property":"q","value":1},{"property":"p","value":[1,2]}',
    ),
  ],
  'the order of DPS tags and ports': [
    '{"info":{"title":"X","owner":"a"},"tags":["a","b"],"outputPorts":[{"id":"a"},{"id":"b"}]}',
    '{"info":{"owner":"a","title":"X"},"tags":["b","a"],"outputPorts":[{"id":"b"},{"id":"a"}]}',
  ],
}

// Pairs that differ, though they look alike.
const DIFFERENT: Record<string, [string, string]> = {
  'the order of a list inside a custom property': [ODPS, ODPS.replace('[1,2]', '[2,1]')],
  'a number and a text': [ODPS, ODPS.replace('1.0', '"1.0"')],
  'the 20th digit of an integer': [
    ODPS.replace('1.0', '12345678901234567890'),
    ODPS.replace('1.0', '12345678901234567891'),
  ],
  'null and absent': [ODPS, ODPS.replace('"kind"', '"x":null,"kind"')],
  'letter case': [ODPS, ODPS.replace('"X"', '"x"')],
  'composed and decomposed letters': [
    ODPS.replace('"X"', '"\u00e9"'),
    ODPS.replace('"X"', '"e\u0301"'),
  ],
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** PUTs two texts one after the other; returns their versions and events. */
  async function putBoth(texts: [string, string]) {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const [first, second] = texts.map((text) => text.replace('ID', id))
    assert.ok(first && second)
    const one = await world.as('T', 'PUT', path, { body: first })
    const plan = await readJson<Plan>(world.as('T', 'PUT', `${path}?dryRun=true`, { body: second }))
    const two = await world.as('T', 'PUT', path, { body: second })
    assert.deepEqual([one.status, two.status], [200, 200])
    const versions = await readJson<unknown[]>(world.as('T', 'GET', `${path}/versions`))
    return {
      first,
      outcome: plan.outcome,
      sameTag: one.headers.get('etag') === two.headers.get('etag'),
      versions: versions.length,
      answered: await two.text(),
      stored: await readText(world.as('T', 'GET', path)),
      events: (await listEventsOfSubject(world, id))
        .map(summarizeEvent)
        .filter((name) => name.startsWith('Data')),
    }
  }

  for (const [what, texts] of Object.entries(SAME)) {
    test(`PUT /api/dataproducts/{id} › ${what} makes no version and no event`, async () => {
      const { first, ...seen } = await putBoth(texts)
      assert.deepEqual(seen, {
        outcome: 'unchanged',
        sameTag: true,
        versions: 1,
        answered: first,
        stored: first,
        events: ['DataProductCreatedEvent'],
      })
    })
  }

  for (const [what, texts] of Object.entries(DIFFERENT)) {
    test(`PUT /api/dataproducts/{id} › ${what} makes a version and an event`, async () => {
      const seen = await putBoth(texts)
      assert.deepEqual([seen.outcome, seen.versions, seen.sameTag], ['updated', 2, false])
      assert.deepEqual(seen.events, ['DataProductCreatedEvent', 'DataProductUpdatedEvent'])
    })
  }

  test('PUT /api/dataproducts/{id} › the same as YAML makes no version and keeps the JSON', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const text = '{"kind":"DataProduct", "name":"X","team":{"name":"a"}}'
    await readText(world.as('T', 'PUT', path, { body: text }))
    const yaml = 'team:\n  name: a\nname: X\nkind: DataProduct\n'
    assert.equal(await readText(world.as('T', 'PUT', path, { yaml })), text)
    assert.equal((await readJson<unknown[]>(world.as('T', 'GET', `${path}/versions`))).length, 1)
  })
})
