/**
 * The promises that PUT, GET and DELETE keep for every kind of document. What is special to a kind is tested in its
 * own module.
 */

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readJson, readText } from '../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../test/feed.ts'
import { onStore } from '../../test/stores.ts'
import { expectOk, newProduct, newWorld, odcs, odps, uniqueId } from '../../test/world.ts'
import type { CallOptions, World } from '../../test/world.ts'
import type { Plan } from '../history/plan.ts'

interface Kind {
  /** The path of its list. */
  list: string
  pages: string
  event: string
  /** A valid document of team `a`, or in it; documents with other tags have another meaning. */
  documentOf(id: string, tags?: readonly string[]): object
  /** Texts of a document `ID` that must be returned byte for byte, each with what is special to it. */
  texts: Readonly<Record<string, string>>
  /** A YAML text of a document `ID`, and the same as JSON. */
  yaml: string
  json: string
  /** Whether the YAML text itself is kept. Otherwise only its JSON form is. */
  keepsYaml: boolean
  /** The field that names the owning or the parent team, and a document whose team does not exist. */
  reference: { field: string; document: object }
  /** The status of deleting what does not exist. */
  absentStatus: 200 | 404
  bytesMax: number
}

const MIB = 1024 * 1024

const KINDS: readonly Kind[] = [
  {
    list: '/api/dataproducts',
    pages: 'data-products',
    event: 'DataProduct',
    documentOf: (id, tags = []) => odps(id, { tags }),
    texts: {
      'odd white space':
        '\n {"kind" :"DataProduct",\t"id": "ID" , "name":"X","team":{"name":"a"}  }\n\n',
      'an odd order of keys': '{"team":{"name":"a"},"name":"X","id":"ID","kind":"DataProduct"}',
      escapes: '{"kind":"DataProduct","id":"ID","name":"\\u0058\\/\\n","team":{"name":"\\u0061"}}',
      'unknown fields': '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":{"y":[null,{}]}}',
      'spelled numbers':
        '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":[1.0,1e2,-0,1E-7]}',
      'integers of 20 digits':
        '{"kind":"DataProduct","name":"X","team":{"name":"a"},"x":12345678901234567890}',
      'emoji and other scripts': '{"kind":"DataProduct","name":"🚂 Züge 列車","team":{"name":"a"}}',
      'lines that end with CR LF':
        '{\r\n"kind":"DataProduct",\r\n"name":"X",\r\n"team":{"name":"a"}\r\n}\r\n',
      'fields called like parts of JavaScript':
        '{"kind":"DataProduct","name":"X","team":{"name":"a"},"__proto__":{"a":1},"constructor":1,"toString":2}',
    },
    yaml: '# kept\nkind: DataProduct\nid: ID\nname: "Wagons"\nteam: {name: a}\nx: [1.0, 12345678901234567890]\n',
    json: '{"kind":"DataProduct","id":"ID","name":"Wagons","team":{"name":"a"},"x":[1.0,12345678901234567890]}',
    keepsYaml: true,
    reference: { field: 'team.name', document: odps('ID', { team: { name: 'nobody' } }) },
    absentStatus: 404,
    bytesMax: MIB,
  },
  {
    list: '/api/datacontracts',
    pages: 'data-contracts',
    event: 'DataContract',
    documentOf: (id, tags = []) => odcs(id, { tags }),
    texts: {
      'ODCS 2.2.2':
        '{"apiVersion":"v2.2.2","kind":"DataContract","uuid":"ID","datasetName":"x","version":"1","status":"current","datasetDomain":"d","quantumName":"q","userConsumptionMode":"Analytical","datasetKind":"virtualDataset","customProperties":[{"property":"owner","value":"a"}]}',
      'ODCS 3.0.2':
        '{"apiVersion":"v3.0.2","kind":"DataContract","id":"ID","version":"1.0","status":"active","domain":"a"}',
      'ODCS 3.1.0 with odd white space':
        '\n{ "apiVersion":"v3.1.0","kind" :"DataContract","id":"ID","version":"1.0.0","status":"draft",\r\n"team":{"name":"a"}, "x":[1.0,12345678901234567890] }\n',
      'ODCS 3.2.0':
        '{"kind":"DataContract","apiVersion":"v3.2.0","id":"ID","version":"2","status":"active","team":{"name":"a"},"__proto__":{"a":1}}',
      'DCS 0.9.3':
        '{"dataContractSpecification":"0.9.3","id":"ID","info":{"title":"T","version":"0.1","owner":"a"},"schema":{"type":"custom","specification":"any \\u0074hing"}}',
      'DCS 1.2.1':
        '{"dataContractSpecification":"1.2.1","id":"ID","info":{"title":"T","version":"1","owner":"a"},"models":{"m":{"type":"table","fields":{"f":{"type":"text"}}}}}',
    },
    yaml: '# kept\nkind: DataContract\napiVersion: v3.1.0\nid: ID\nversion: 1.0.0\nstatus: active\nteam: {name: a}\n',
    json: '{"kind":"DataContract","apiVersion":"v3.1.0","id":"ID","version":"1.0.0","status":"active","team":{"name":"a"}}',
    keepsYaml: true,
    reference: { field: 'team.name', document: odcs('ID', { team: { name: 'nobody' } }) },
    absentStatus: 404,
    bytesMax: 5 * MIB,
  },
  {
    list: '/api/assets',
    pages: 'assets',
    event: 'Asset',
    documentOf: (id, tags = []) => ({ id, info: { name: `Asset ${id}`, owner: 'a' }, tags }),
    texts: {
      'odd white space': '\n {"id": "ID" ,\t"info":{"name":"X","owner":"a"}  }\n\n',
      'unknown fields': '{"info":{"name":"X","owner":"a","more":[null]},"x":{"y":[{}]}}',
      'spelled numbers': '{"info":{"name":"X","owner":"a"},"x":[1.0,1e2,12345678901234567890]}',
      'fields called like parts of JavaScript':
        '{"info":{"name":"X","owner":"a"},"__proto__":{"a":1},"constructor":1}',
    },
    yaml: `# kept\nid: ID\ninfo: {name: "Wagons", owner: a, version: '1.0'}\nx: [1.0, 12345678901234567890]\n`,
    json: '{"id":"ID","info":{"name":"Wagons","owner":"a","version":"1.0"},"x":[1.0,12345678901234567890]}',
    keepsYaml: true,
    reference: { field: 'info.owner', document: { info: { name: 'x', owner: 'nobody' } } },
    absentStatus: 200,
    bytesMax: MIB,
  },
  {
    list: '/api/teams',
    pages: 'teams',
    event: 'Team',
    documentOf: (id, tags = []) => ({ id, name: 'Fleet', type: 'Domain Team', parent: 'a', tags }),
    texts: {
      'unknown fields and spelled numbers':
        '{"id":"ID","name":"N","type":"Team","custom":{"cost":12345678901234567890,"rate":1.0},"x":{"deep":[1e2]},"__proto__":{"x":1},"constructor":"c"}',
    },
    yaml: 'name: Fleet\ntype: domain\ncustom: {big: 12345678901234567890, rate: 1.0}\n',
    json: '{"id":"ID","name":"Fleet","type":"Domain","custom":{"big":12345678901234567890,"rate":1.0}}',
    keepsYaml: false,
    reference: { field: 'parent', document: { name: 'N', parent: 'nobody' } },
    absentStatus: 404,
    bytesMax: MIB,
  },
]

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  for (const kind of KINDS) {
    const { list, event, documentOf } = kind
    const newTarget = (id = uniqueId()) => ({ id, path: `${list}/${encodeURIComponent(id)}` })
    const send = (method: string, path: string, options?: CallOptions) =>
      world.as('O', method, path, options)
    const versionsOf = async (path: string): Promise<unknown[]> =>
      await readJson<unknown[]>(send('GET', `${path}/versions`))

    for (const [what, template] of Object.entries(kind.texts)) {
      test(`PUT ${list}/{id} › returns the same bytes: ${what}`, async () => {
        const { id, path } = newTarget()
        const text = template.replace('ID', id)
        assert.equal(await readText(send('PUT', path, { body: text })), text)
        assert.equal(await readText(world.as('Tr', 'GET', path)), text)
        assert.equal(await readText(world.as('Tr', 'GET', `${path}/versions/1`)), text)
        const all = await readText(world.as('Tr', 'GET', list))
        assert.ok(all.includes(text.trim()), 'the list has another text')
        if (list === '/api/assets') return
        const later = new Date(Date.now() + 60_000).toISOString()
        assert.equal(await readText(world.as('Tr', 'GET', `${path}?asOf=${later}`)), text)
      })
    }

    test(`PUT ${list}/{id} › accepts YAML, returns it as JSON, and as YAML on request`, async () => {
      const { id, path } = newTarget()
      const [yaml, json] = [kind.yaml.replace('ID', id), kind.json.replace('ID', id)]
      assert.equal(await readText(send('PUT', path, { yaml })), json)
      const got = await send('GET', path)
      assert.equal(got.headers.get('content-type'), 'application/json')
      assert.equal(await got.text(), json)
      const asYaml = await send('GET', path, { headers: { accept: 'application/yaml' } })
      assert.equal(asYaml.headers.get('content-type'), 'application/yaml')
      if (kind.keepsYaml) assert.equal(await asYaml.text(), yaml)
      else assert.match(await asYaml.text(), /12345678901234567890/)
    })

    test(`PUT ${list}/{id} › 200 on create and update, with ETag and location-html`, async () => {
      const { id, path } = newTarget(`urn:x:${uniqueId()} é`)
      const created = await send('PUT', path, { body: documentOf(id) })
      const updated = await send('PUT', path, { body: documentOf(id, ['x']) })
      for (const answer of [created, updated]) {
        assert.equal(answer.status, 200)
        assert.match(answer.headers.get('etag') ?? '', /^"[0-9a-f]{64}"$/)
        const page = `http://portbook.test/${kind.pages}/${encodeURIComponent(id)}`
        assert.equal(answer.headers.get('location-html'), page)
      }
      assert.notEqual(created.headers.get('etag'), updated.headers.get('etag'))
      const got = await send('GET', path)
      assert.equal(got.headers.get('etag'), updated.headers.get('etag'))
      assert.equal(got.headers.get('location-html'), updated.headers.get('location-html'))
      assert.deepEqual(await got.json(), documentOf(id, ['x']))
    })

    test(`PUT ${list}/{id} › only a change of meaning creates a version and an event`, async () => {
      const { id, path } = newTarget()
      const put = (tags: readonly string[]) => send('PUT', path, { body: documentOf(id, tags) })
      const first = await etagOf(put(['a', 'b']))
      assert.equal(await etagOf(put(['a', 'b'])), first)
      const reordered = Object.fromEntries(Object.entries(documentOf(id, ['a', 'b'])).toReversed())
      const kept = await readText(send('PUT', path, { body: reordered }))
      assert.equal(kept, JSON.stringify(documentOf(id, ['a', 'b'])))
      await expectOk(put(['c']))
      await readText(send('DELETE', path))
      const events = await listEventsOfSubject(world, id, { include: 'document' })
      assert.deepEqual(
        events.map((one) => [summarizeEvent(one), one.data.version, Boolean(one.data.before)]),
        [
          [`${event}CreatedEvent`, 1, false],
          [`${event}UpdatedEvent`, 2, true],
          [`${event}DeletedEvent`, 2, true],
        ],
      )
      assert.equal((await versionsOf(path)).length, 2)
      await expectOk(put([]))
      const [again] = (await listEventsOfSubject(world, id)).slice(3)
      assert.equal(again?.data.version, 3, 'versions continue after those of the deleted document')
    })

    test(`PUT and DELETE ${list}/{id} › 412 if a condition fails, 304 for a current ETag`, async () => {
      const { id, path } = newTarget()
      const put = (headers: Record<string, string>, tag: string, query = '') =>
        send('PUT', `${path}${query}`, { headers, body: documentOf(id, [tag]) })
      await expectProblem(put({ 'if-match': '*' }, 'x'), 412)
      const etag = await etagOf(put({ 'if-none-match': '*' }, 'w'))
      await expectProblem(put({ 'if-none-match': '*' }, 'x'), 412)
      await expectProblem(put({ 'if-match': '"other"' }, 'x', '?dryRun=true'), 412)
      await expectProblem(put({ 'if-match': '"other"' }, 'w'), 412)
      const now = await etagOf(put({ 'if-match': etag }, 'x'))
      await expectProblem(put({ 'if-match': etag }, 'y'), 412)
      const headers = { 'if-none-match': now }
      assert.equal((await send('GET', path, { headers })).status, 304)
      const remove = (tag: string) => send('DELETE', path, { headers: { 'if-match': tag } })
      await expectProblem(remove(etag), 412)
      await readText(remove(now))
      await expectProblem(remove(now), kind.absentStatus === 200 ? 412 : 404)
    })

    test(`PUT ${list}/{id}?dryRun=true › returns the outcome and writes nothing`, async () => {
      const { id, path } = newTarget()
      const planOf = async (tags: readonly string[]): Promise<string> => {
        const body = documentOf(id, tags)
        return (await readJson<Plan>(send('PUT', `${path}?dryRun=true`, { body }))).outcome
      }
      assert.equal(await planOf([]), 'created')
      await expectProblem(send('GET', path), 404)
      await expectProblem(send('GET', `${path}/versions`), 404)
      await expectOk(send('PUT', path, { body: documentOf(id) }))
      assert.equal(await planOf([]), 'unchanged')
      assert.equal(await planOf(['x']), 'updated')
      assert.deepEqual(await readJson(send('GET', path)), documentOf(id))
      assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
        `${event}CreatedEvent`,
      ])
    })

    test(`PUT ${list}/{id} › 422 with the position of an unknown team and of another id`, async () => {
      const { id, path } = newTarget()
      const unknown = JSON.stringify(kind.reference.document).replace('ID', id)
      for (const [body, field] of [
        [unknown, kind.reference.field],
        [documentOf('other'), 'id'],
      ] as const) {
        for (const query of ['', '?dryRun=true']) {
          const sent = send('PUT', `${path}${query}`, { body })
          const [violation, ...more] = (await expectProblem(sent, 422)).violations ?? []
          assert.deepEqual(more, [])
          assert.deepEqual([violation?.field, violation?.line], [field, 1])
          assert.ok((violation?.column ?? 0) >= 1)
        }
      }
      await expectProblem(send('GET', path), 404)
    })

    test(`PUT ${list}/{id} › 400 malformed, 413 too large, 415 another media type, 405 another method`, async () => {
      const { id, path } = newTarget()
      await expectProblem(send('PUT', path, { body: '{' }), 400)
      await expectProblem(send('PUT', path, { body: '' }), 400)
      await expectProblem(send('PUT', `${path}?dryRun=1`, { body: documentOf(id) }), 400)
      await expectProblem(send('PUT', `${path}?strict=yes`, { body: documentOf(id) }), 400)
      const large = { ...documentOf(id), x: 'x'.repeat(kind.bytesMax) }
      await expectProblem(send('PUT', path, { body: large }), 413)
      const headers = { 'content-type': 'text/plain' }
      await expectProblem(send('PUT', path, { headers, body: '{}' }), 415)
      await expectProblem(send('POST', path, { body: {} }), 405)
      await expectProblem(send('GET', path), 404)
    })

    test(`PUT ${list}/{id} › accepts ids like names in JavaScript, rejects hostile ones`, async () => {
      for (const id of [
        '__proto__',
        'constructor',
        'latest',
        'versions',
        'urn:a:b',
        '😀',
        'x'.repeat(256),
      ]) {
        const { path } = newTarget(id)
        await expectProblem(send('GET', path), 404)
        await expectOk(send('PUT', path, { body: documentOf(id) }))
        assert.deepEqual(await readJson(send('GET', path)), documentOf(id))
        await readText(send('DELETE', path))
      }
      for (const id of [
        '%00',
        '%2F',
        'a%2Fb',
        'http:%2F%2Fx',
        '%E2%80%AE',
        '%ff',
        'x'.repeat(257),
      ]) {
        await expectProblem(send('PUT', `${list}/${id}`, { body: documentOf('x') }), 400)
        await expectProblem(send('GET', `${list}/${id}`), 400)
        await expectProblem(send('DELETE', `${list}/${id}`), 400)
      }
    })

    test(`PUT ${list}/{id} › concurrent changes create versions without gaps`, async () => {
      const { id, path } = newTarget()
      const puts = Array.from({ length: 20 }, (_, at) =>
        expectOk(send('PUT', path, { body: documentOf(id, [`t${at}`]) })),
      )
      await Promise.all(puts)
      assert.deepEqual(
        (await listEventsOfSubject(world, id)).map(({ data }) => data.version),
        Array.from({ length: 20 }, (_, at) => at + 1),
      )
    })

    test(`DELETE ${list}/{id} › 200 without a body, then ${kind.absentStatus}`, async () => {
      const { id, path } = newTarget()
      await expectOk(send('PUT', path, { body: documentOf(id) }))
      const headers = { 'content-type': 'application/json', 'content-length': '0' }
      assert.equal(await readText(send('DELETE', path, { headers, body: '' })), '')
      await expectProblem(send('GET', path), 404)
      const again = await send('DELETE', path)
      assert.equal(again.status, kind.absentStatus)
      assert.ok(!(await readText(send('GET', list))).includes(id))
    })
  }
})

async function etagOf(answer: Promise<Response>): Promise<string> {
  return (await expectOk(answer)).headers.get('etag') ?? ''
}
