/** The bodies that people and programs may send, and the responses to all others. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expectProblem, readJson, readText } from './answers.ts'
import { serveRaw, type RawAnswer, type RawServer } from './raw-http.ts'
import { onStore } from './stores.ts'
import { newProduct, newWorld, odps, uniqueId, type World } from './world.ts'

const START = '{"kind":"DataProduct","name":"X","team":{"name":"a"}'
const YAML = 'kind: DataProduct\nname: X\nteam: {name: a}\n'

/** Wraps a value in objects up to a depth, including the document itself. */
const nested = (depth: number): string =>
  `${START},"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

/** Creates a document with a number of values, including itself and its five others. */
const wide = (values: number): string =>
  `${START},"x":[${Array.from({ length: values - 6 }, () => '0').join(',')}]}`

interface Refused {
  body?: string
  yaml?: string
  status: 400 | 422
  /** Line and column; undefined = anywhere. */
  at?: [number, number]
  says?: RegExp
}

const REFUSED: Record<string, Refused> = {
  'no body': { body: '', status: 400, says: /empty/ },
  'white space': { body: ' \n ', status: 400, says: /empty/ },
  'malformed JSON': { body: '{"a":1,\n "b":}', status: 400, at: [2, 6] },
  'JSON that ends early': { body: '{"a":[1,', status: 400 },
  'JSON and more': { body: '{}\n{}', status: 400, at: [2, 1] },
  'a comma too many': { body: '{"a":1,}', status: 400, at: [1, 8] },
  'a comment in JSON': { body: '{/* */}', status: 400, at: [1, 2] },
  'single quotes': { body: "{'a':1}", status: 400, at: [1, 2] },
  NaN: { body: '{"a":NaN}', status: 400, at: [1, 6] },
  'a number with a zero in front': { body: '{"a":01}', status: 400 },
  'a tab in a text': { body: '{"a":"\t"}', status: 400, at: [1, 7] },
  'a field given twice': { body: '{"a":1,"b":2,"a":3}', status: 400, at: [1, 14], says: /twice/ },
  'a field given twice, spelled differently': {
    body: '{"a":1,"\\u0061":3}',
    status: 400,
    says: /twice/,
  },
  'a field given twice, deep inside': {
    body: '{"x":[{"__proto__":1,"__proto__":2}]}',
    status: 400,
    says: /twice/,
  },
  'a lone surrogate': { body: '{"a":"\\ud800"}', status: 400, at: [1, 7], says: /surrogate/ },
  'a lone low surrogate': { body: '{"a":"\\udc00\\ud800"}', status: 400, says: /surrogate/ },
  'a lone surrogate in a name': { body: '{"\\ud800":1}', status: 400, says: /surrogate/ },
  NUL: { body: '{"a":"x\\u0000"}', status: 422, at: [1, 8], says: /NUL/ },
  'NUL in a name': { body: '{"\\u0000":1}', status: 422, says: /NUL/ },
  'two byte order marks': { body: `\ufeff\ufeff${START}}`, status: 400, says: /byte order mark/ },
  '1e400': { body: `${START},"x":1e400}`, status: 422, says: /infinite/ },
  '-1e400': { body: `${START},"x":[-1e400]}`, status: 422, says: /infinite/ },
  'a list': { body: '[]', status: 422, says: /object/ },
  'a text': { body: '"x"', status: 422, says: /object/ },
  null: { body: 'null', status: 422, says: /object/ },
  'depth 65': { body: nested(65), status: 422, says: /64/ },
  'depth 100,000': { body: '['.repeat(100_000), status: 422, says: /64/ },
  '100,001 values': { body: wide(100_001), status: 422, says: /100000/ },
  'a number of 2,000 digits': { body: `${START},"x":${'1'.repeat(2000)}}`, status: 422 },
  'malformed YAML': { yaml: 'a: b\n c: d\n', status: 400 },
  'empty YAML': { yaml: '# nothing\n', status: 400, says: /empty/ },
  'a tab as indentation in YAML': { yaml: 'a:\n\tb: 1\n', status: 400 },
  'two YAML documents': { yaml: `${YAML}---\n${YAML}`, status: 400, at: [4, 1] },
  'a YAML field given twice': {
    yaml: 'a: 1\nb: 2\na: 3\n',
    status: 400,
    at: [3, 1],
    says: /twice/,
  },
  'a YAML tag': { yaml: 'a: !!js/function "x"\n', status: 400 },
  'a YAML list as a name': { yaml: '? [a]\n: b\n', status: 400 },
  'a YAML list': { yaml: '- a\n', status: 422, says: /object/ },
  'an alias without an anchor': { yaml: 'a: *b\n', status: 400, says: /anchor/ },
  'an alias inside itself': { yaml: 'a: &a [*a]\n', status: 400 },
  'infinity in YAML': { yaml: `${YAML}x: .inf\n`, status: 422, says: /infinite/ },
  'not a number in YAML': { yaml: `${YAML}x: .nan\n`, status: 422, says: /infinite/ },
  'NUL in YAML': { yaml: `${YAML}x: "\\0"\n`, status: 422, says: /NUL/ },
  'YAML of depth 65': { yaml: `${YAML}x: ${'['.repeat(64)}${']'.repeat(64)}\n`, status: 422 },
  'YAML of depth 100,000': { yaml: '['.repeat(100_000), status: 422 },
  'a thousand million laughs': {
    yaml: `a: &a [x,x,x,x,x,x,x,x,x,x]\n${'abcdefgh'.replaceAll(/[a-h]/g, (name) => {
      const next = String.fromCharCode(name.charCodeAt(0) + 1)
      return `${next}: &${next} [${Array.from({ length: 10 }, () => `*${name}`).join(',')}]\n`
    })}`,
    status: 422,
  },
}

onStore((store) => {
  let world: World
  let server: RawServer
  before(async () => {
    world = await newWorld(newProduct(store()))
    server = await serveRaw(world)
  })
  after(() => server.close())

  const put = (options: object, id = uniqueId()): Promise<Response> =>
    world.as('O', 'PUT', `/api/dataproducts/${id}`, options)

  for (const [what, { body, yaml, status, at, says }] of Object.entries(REFUSED)) {
    test(`a body › ${status} with its location for ${what}`, async () => {
      const problem = await expectProblem(put(yaml === undefined ? { body } : { yaml }), status)
      const [first] = problem.violations ?? []
      assert.ok(first?.line && first.column)
      if (at !== undefined) assert.deepEqual([first.line, first.column], at)
      if (says !== undefined) assert.match(first.message, says)
      assert.ok(problem.detail.includes(`line ${first.line}, column ${first.column}`))
    })
  }

  /** Returns the digest of a product's first version. */
  async function getDigest(id: string): Promise<string | undefined> {
    const answer = world.as('Or', 'GET', `/api/dataproducts/${id}/versions`)
    return (await readJson<{ digest: string }[]>(answer))[0]?.digest
  }

  const accepted: Record<string, string> = {
    'depth 64': nested(64),
    '100,000 values': wide(100_000),
    'fields called like parts of JavaScript': `${START},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"hasOwnProperty":1,"toJSON":2,"then":3}`,
    'integers beyond 2^53': `${START},"x":[9007199254740993,-123456789012345678901234567890]}`,
    'numbers at the edge': `${START},"x":[1.7976931348623157e308,5e-324,-0,0.1e-999]}`,
    'pairs of surrogates, escaped': `${START},"x":"\\ud83d\\ude82"}`,
    'control characters, escaped': `${START},"x":"\\u0001\\u007f\\u0085\\u2028"}`,
    'what looks like code': `${START},"x":"'; drop table team; -- \${1} {{2}} <script>"}`,
  }
  for (const [what, body] of Object.entries(accepted)) {
    test(`a body › 200, and the same text back, for ${what}`, async () => {
      const id = uniqueId()
      assert.equal(await readText(put({ body }, id)), body)
      assert.equal(await readText(world.as('Or', 'GET', `/api/dataproducts/${id}`)), body)
      const headers = { accept: 'application/yaml' }
      const yaml = await readText(world.as('Or', 'GET', `/api/dataproducts/${id}`, { headers }))
      const other = uniqueId()
      await readText(put({ yaml }, other))
      const [one, two] = await Promise.all([id, other].map(getDigest))
      assert.equal(one, two, 'has the same meaning as YAML')
      assert.equal(Reflect.get({}, 'polluted'), undefined)
    })
  }

  test('a body › YAML is read by its core schema: no dates, no octal surprises, no merge keys', async () => {
    const id = uniqueId()
    const yaml = `${YAML}base: &base {a: 1}\nx: {<<: *base, b: [yes, no, 2026-01-31, 0o17, 1_000, ~, 012]}\n`
    const json = await readJson<{ x: unknown }>(put({ yaml }, id))
    assert.deepEqual(json.x, {
      '<<': { a: 1 },
      b: ['yes', 'no', '2026-01-31', 15, '1_000', null, 12],
    })
  })

  for (const [what, bytes] of Object.entries({
    'a broken sequence': [0xc3, 0x28],
    'an overlong slash': [0xc0, 0xaf],
    'half a surrogate pair': [0xed, 0xa0, 0x80],
    Latin1: [0xe9],
  })) {
    test(`a body › 400 for text that is not UTF-8: ${what}`, async () => {
      const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')])
      for (const mediaType of ['application/json', 'application/yaml']) {
        const answer = await sendBytes(text, [`Content-Type: ${mediaType}`])
        assert.equal(answer.status, 400)
        assert.match(answer.body, /The body is not UTF-8 text/)
      }
    })
  }

  // The other helper sends text; this one sends bytes over a socket.
  const sendBytes = (body: Buffer, headers: string[]): Promise<RawAnswer> =>
    server.request('PUT', `/api/dataproducts/${uniqueId()}`, { headers, body })

  test('a body › 413 above 1 MiB, with a length and without', async () => {
    const body = JSON.stringify(odps('x', { filling: 'x'.repeat(1024 * 1024) }))
    await expectProblem(put({ body }), 413, /1 MiB/)
    const headers = { 'content-length': String(Buffer.byteLength(body)) }
    await expectProblem(put({ body, headers }), 413, /1 MiB/)
    await expectProblem(put({ yaml: body }), 413, /1 MiB/)
    await expectProblem(put({ body: 'é'.repeat(600_000) }), 413)
  })

  for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'gzip, identity', 'GZIP', 'x']) {
    test(`a body › 415 for Content-Encoding: ${encoding}`, async () => {
      const answer = await sendBytes(gzipSync(JSON.stringify(odps('x'))), [
        `Content-Encoding: ${encoding}`,
        'Content-Type: application/json',
      ])
      assert.equal(answer.status, 415)
      assert.ok(answer.body.includes(encoding))
    })
  }

  test('a body › 200 for Content-Encoding: identity, and for no Content-Type', async () => {
    const id = uniqueId()
    await readText(put({ body: odps(id), headers: { 'content-encoding': 'identity' } }, id))
  })

  for (const mediaType of [
    'text/plain',
    'text/html',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/jsonx',
    'json',
    '*/*',
    ';',
  ]) {
    test(`a body › 415 for Content-Type: ${mediaType}`, async () => {
      await expectProblem(put({ body: odps('x'), headers: { 'content-type': mediaType } }), 415)
    })
  }

  test('a body › GET and DELETE accept any Content-Type and length, and ignore the body', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await readText(put({ body: odps(id) }, id))
    for (const mediaType of ['application/json', 'text/plain', 'nonsense']) {
      const headers = { 'content-type': mediaType, 'content-length': '0' }
      await readText(world.as('O', 'GET', path, { headers }))
      await readText(world.as('O', 'GET', '/api/dataproducts', { headers }))
    }
    await readText(world.as('O', 'DELETE', path, { body: '{', headers: { 'content-type': 'x' } }))
  })
})
