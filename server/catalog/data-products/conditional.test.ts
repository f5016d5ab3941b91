import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { expectProblem, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dps, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const send = (method: string, path: string, headers: Record<string, string>, body?: object) =>
    world.as('T', method, path, { headers, body })

  /** Registers a product; gives its path and its entity tag. */
  async function registered(document: (id: string) => object = odps) {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const answer = await world.as('T', 'PUT', path, { body: document(id) })
    const etag = answer.headers.get('etag')
    assert.ok(etag)
    return { id, path, etag }
  }

  test('GET /api/dataproducts/{id} › 304 without a body for If-None-Match with its ETag, or *', async () => {
    const { path, etag } = await registered()
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*', ` ${etag} `]) {
      const answer = await send('GET', path, { 'if-none-match': tags })
      assert.equal(answer.status, 304, tags)
      assert.equal(answer.headers.get('etag'), etag)
      assert.equal(await answer.text(), '')
    }
    await readText(send('GET', path, { 'if-none-match': '"other"' }))
  })

  test('GET /api/dataproducts/{id} › every form has an ETag of its own', async () => {
    const { path, etag } = await registered(dps)
    const yaml = { accept: 'application/yaml' }
    const forms = [
      await send('GET', path, {}),
      await send('GET', path, yaml),
      await send('GET', `${path}?format=odps`, {}),
      await send('GET', `${path}?format=odps`, yaml),
    ]
    const tags = forms.map((form) => form.headers.get('etag') ?? '')
    assert.equal(tags[0], etag)
    assert.equal(new Set(tags).size, 4)
    for (const tag of tags) {
      // A tag of one form never hides another form, and any of them is good for a change.
      const again = await send('GET', path, { 'if-none-match': tag })
      assert.equal(again.status, tag === etag ? 304 : 200)
    }
    assert.equal((await send('GET', path, { ...yaml, 'if-none-match': tags[1] ?? '' })).status, 304)
    assert.equal((await send('GET', path, { ...yaml, 'if-none-match': etag })).status, 200)
  })

  test('GET /api/dataproducts/{id} › the ETag of a YAML document as YAML and as JSON differ', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const yaml = `kind: DataProduct\nname: X\nteam: {name: a}\n`
    const put = await world.as('T', 'PUT', path, { yaml })
    const json = await send('GET', path, {})
    assert.equal(put.headers.get('etag'), json.headers.get('etag'))
    const original = await send('GET', path, { accept: 'application/yaml' })
    assert.notEqual(original.headers.get('etag'), json.headers.get('etag'))
    const body = odps(id)
    await readText(send('PUT', path, { 'if-match': json.headers.get('etag') ?? '' }, body))
  })

  test('PUT /api/dataproducts/{id} › If-Match: 200 for the current ETag in any form, and for *', async () => {
    const { id, path, etag } = await registered()
    let current = etag
    for (const [index, form] of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"a", ${tag}, "b"`,
      (tag: string) => tag.replace(/"$/, '.yaml"'),
      () => '*',
    ].entries()) {
      const answer = await send(
        'PUT',
        path,
        { 'if-match': form(current) },
        odps(id, { name: `N${index}` }),
      )
      assert.equal(answer.status, 200, form(current))
      current = answer.headers.get('etag') ?? ''
    }
  })

  test('PUT /api/dataproducts/{id} › 412 for If-Match with an old ETag, with the current one', async () => {
    const { id, path, etag } = await registered()
    const second = await send('PUT', path, {}, odps(id, { name: 'second' }))
    const late = send('PUT', path, { 'if-match': etag }, odps(id, { name: 'late' }))
    const { detail } = await expectProblem(late, 412)
    assert.ok(detail.includes(second.headers.get('etag') ?? '?'))
    assert.equal(
      await readText(send('GET', path, {})),
      JSON.stringify(odps(id, { name: 'second' })),
    )
    // Also what would change nothing must not be taken for done.
    await expectProblem(send('PUT', path, { 'if-match': etag }, odps(id, { name: 'second' })), 412)
  })

  test('PUT /api/dataproducts/{id} › 412 for If-Match, * included, when there is no such product', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    for (const tag of ['*', '"x"']) {
      await expectProblem(send('PUT', path, { 'if-match': tag }, odps(id)), 412)
    }
    await expectProblem(send('GET', path, {}), 404)
  })

  test('PUT /api/dataproducts/{id} › If-None-Match: * creates, and is 412 for what exists', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const put = () => send('PUT', path, { 'if-none-match': '*' }, odps(id))
    await readText(put())
    await expectProblem(put(), 412)
    await readText(send('DELETE', path, {}))
    await readText(put())
  })

  test('PUT /api/dataproducts/{id} › a dry run holds to the same preconditions', async () => {
    const { id, path, etag } = await registered()
    const plan = (headers: Record<string, string>) =>
      send('PUT', `${path}?dryRun=true`, headers, odps(id, { name: 'N' }))
    await readText(plan({ 'if-match': etag }))
    await expectProblem(plan({ 'if-match': '"x"' }), 412)
    await expectProblem(plan({ 'if-none-match': '*' }), 412)
  })

  test('DELETE /api/dataproducts/{id} › If-Match: 412 for an old ETag, 200 for the current one', async () => {
    const { path, etag } = await registered()
    await expectProblem(send('DELETE', path, { 'if-match': '"x"' }), 412)
    await expectProblem(send('DELETE', path, { 'if-none-match': '*' }), 412)
    await expectProblem(send('DELETE', path, { 'if-none-match': etag }), 412)
    await readText(send('GET', path, {}))
    assert.equal(await readText(send('DELETE', path, { 'if-match': etag })), '')
    await expectProblem(send('DELETE', path, { 'if-match': etag }), 404)
  })

  for (const value of ['unquoted', '"a" "b"', '"a",', '"a', '']) {
    test(`PUT, GET and DELETE /api/dataproducts/{id} › 400 for If-Match: ${value || '(empty)'}`, async () => {
      const { id, path } = await registered()
      for (const header of ['if-match', 'if-none-match']) {
        await expectProblem(send('PUT', path, { [header]: value }, odps(id)), 400)
        await expectProblem(send('GET', path, { [header]: value }), 400)
        await expectProblem(send('DELETE', path, { [header]: value }), 400)
      }
    })
  }

  test('ETag › the same for documents of equal meaning, another for another meaning', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const getTag = async (body: unknown) =>
      (await world.as('T', 'PUT', path, { body })).headers.get('etag')
    const first = await getTag(odps(id, { x: 1 }))
    const second = await getTag(odps(id, { x: 2 }))
    assert.notEqual(second, first)
    assert.equal(await getTag(odps(id, { x: 1 })), first)
  })

  test('GET /api/dataproducts/{id}/versions/{version} › ETag and 304', async () => {
    const { id, path, etag } = await registered()
    await readText(send('PUT', path, {}, odps(id, { name: 'second' })))
    const first = await send('GET', `${path}/versions/1`, {})
    assert.equal(first.headers.get('etag'), etag)
    assert.equal((await send('GET', `${path}/versions/1`, { 'if-none-match': etag })).status, 304)
  })
})
