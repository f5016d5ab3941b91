import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspectValue } from './inspect.ts'
import { nearestName } from './nearest.ts'
import { any, choice, flag, integer, list, map, nothing, number } from './shape.ts'
import { object, oneOf, set, shapeAt, text } from './shape.ts'
import { readText } from '../text/text.ts'

const SHAPE = object({
  fields: {
    name: text(),
    status: text({ customary: ['draft', 'active'] }),
    kind: text({ allowed: ['A', 'B'] }),
    url: text({ format: 'uri' }),
    done: flag,
    tags: set(text()),
    links: map(text()),
    extra: any,
    parts: list(object({ fields: { id: text() }, required: ['id'] })),
    about: object({ fields: { purpose: text() }, closed: true, hint: 'put it into about.purpose' }),
    team: {
      kind: 'either',
      official: list(text()),
      seen: object({ fields: { name: text() } }),
      hint: 'A list is official.',
    },
  },
  seen: { old: text() },
  required: ['name', 'extra'],
  recommended: ['about'],
  closed: true,
})

function line({ field, message }: { field: string; message: string }): string {
  return `${field}: ${message}`
}

function inspect(json: string, strict = false) {
  const source = readText(json, 'application/json')
  assert.ok(source.ok)
  const { errors, warnings } = inspectValue(source.value, SHAPE, source, { strict })
  return {
    errors: errors.map(line),
    warnings: warnings.map(line),
    problems: [...errors, ...warnings],
  }
}

const FINE = '"name":"n","extra":null,"about":{}'

// Each invalid value with its message, and whether it is always an error, an error if strict, or never.
const CASES: { json: string; is: 'error' | 'deviation' | 'warning' | 'fine'; says: string }[] = [
  {
    json: '"name":1,"extra":1,"about":{}',
    is: 'error',
    says: 'name: This must be text, not a number; put it in quotes: "1".',
  },
  {
    json: `${FINE},"url":true`,
    is: 'error',
    says: 'url: This must be text, not true or false; put it in quotes: "true".',
  },
  { json: `${FINE},"url":{}`, is: 'error', says: 'url: This must be text, not an object.' },
  {
    json: `${FINE},"done":"true"`,
    is: 'error',
    says: 'done: This must be true or false, not text; write true without quotes.',
  },
  { json: `${FINE},"tags":"a"`, is: 'error', says: 'tags: This must be a list, not text.' },
  {
    json: `${FINE},"tags":["a",null]`,
    is: 'error',
    says: 'tags[1]: This must be text, not null.',
  },
  { json: `${FINE},"links":[]`, is: 'error', says: 'links: This must be an object, not a list.' },
  {
    json: '"name":"n","extra":1,"about":"x"',
    is: 'error',
    says: 'about: This must be an object, not text; put it into about.purpose.',
  },
  {
    json: `${FINE},"parts":[{"id":"a"},{"id":[]}]`,
    is: 'error',
    says: 'parts[1].id: This must be text, not a list.',
  },
  { json: `${FINE},"team":1`, is: 'error', says: 'team: This must be a list, not a number.' },
  {
    json: `${FINE},"old":1`,
    is: 'error',
    says: 'old: This must be text, not a number; put it in quotes: "1".',
  },
  {
    json: '"extra":1,"about":{}',
    is: 'deviation',
    says: 'name: This field is missing; the standard requires it.',
  },
  {
    json: '"name":null,"extra":1,"about":{}',
    is: 'deviation',
    says: 'name: This field is missing; the standard requires it.',
  },
  {
    json: '"name":"n","about":{}',
    is: 'deviation',
    says: 'extra: This field is missing; the standard requires it.',
  },
  {
    json: `${FINE},"parts":[{}]`,
    is: 'deviation',
    says: 'parts[0].id: This field is missing; the standard requires it.',
  },
  {
    json: `${FINE},"url":null`,
    is: 'deviation',
    says: 'url: This field is null, which means absent; remove it.',
  },
  {
    json: `${FINE},"kind":"C"`,
    is: 'deviation',
    says: 'kind: "C" is not allowed; write "A" or "B".',
  },
  {
    json: `${FINE},"url":"not a uri"`,
    is: 'deviation',
    says: 'url: "not a uri" should be a URI such as "https://example.com/page".',
  },
  {
    json: `${FINE},"stauts":"x"`,
    is: 'deviation',
    says: 'stauts: Unknown field "stauts"; did you mean "status"?',
  },
  {
    json: `${FINE},"color":"x"`,
    is: 'deviation',
    says: 'color: Unknown field "color"; remove it, or make it a custom property.',
  },
  {
    json: `${FINE},"links":{"a":1}`,
    is: 'deviation',
    says: 'links.a: The standard requires text here, not a number.',
  },
  { json: `${FINE},"team":{"name":"x"}`, is: 'deviation', says: 'team: A list is official.' },
  {
    json: `${FINE},"status":"odd"`,
    is: 'warning',
    says: 'status: "odd" is unusual; common values are draft, active.',
  },
  {
    json: '"name":"n","extra":1',
    is: 'warning',
    says: 'about: This field is missing; the standard recommends it.',
  },
  {
    json: `${FINE},"parts":[{"id":"a","idd":1}]`,
    is: 'warning',
    says: 'parts[0].idd: "idd" is not a field of the standard; did you mean "id"?',
  },
  { json: `${FINE},"parts":[{"id":"a","whatever":1}]`, is: 'fine', says: '' },
  {
    json: `${FINE},"kind":"A","url":"https://a.b","old":"x","team":["x"],"tags":[],"done":false`,
    is: 'fine',
    says: '',
  },
]

for (const { json, is, says } of CASES) {
  test(`inspect › ${json.replace(`${FINE},`, '')} is ${is}`, () => {
    const usual = inspect(`{${json}}`)
    const strict = inspect(`{${json}}`, true)
    const isError = is === 'error'
    const isWarning = is === 'warning'
    assert.deepEqual(usual.errors, isError ? [says] : [])
    assert.deepEqual(usual.warnings, is === 'deviation' || isWarning ? [says] : [])
    assert.deepEqual(strict.errors, isError || is === 'deviation' ? [says] : [])
    assert.deepEqual(strict.warnings, isWarning ? [says] : [])
  })
}

const RICH = object({
  fields: {
    count: integer({ minimum: 1 }),
    step: number({ above: 0 }),
    value: oneOf(text(), number(), nothing),
    range: list(number(), { itemsMin: 2, itemsMax: 2, unique: true }),
    named: map(text(), { names: 'identifier', filled: true, known: { total: flag } }),
    from: text(),
    to: text(),
    size: { kind: 'either', official: text(), seen: number(), hint: 'Put it in quotes.' },
    server: choice((value) =>
      object({ fields: { type: text(), host: text() }, required: 'host' in value ? [] : ['port'] }),
    ),
  },
  rules: [
    {
      field: 'to',
      holds: (value) => 'from' in value === 'to' in value,
      message: 'Both or none.',
    },
  ],
})

// Deviations are errors if strict; values of a wrong kind are always errors.
const RICH_CASES: [json: string, kind: 'error' | 'deviation' | 'fine', says: string][] = [
  ['"count":1', 'fine', ''],
  ['"count":1.0', 'fine', ''],
  ['"count":12345678901234567890', 'fine', ''],
  ['"count":1.5', 'deviation', 'count: This should be a number without a fraction.'],
  ['"count":0', 'deviation', 'count: This should be 1 or more.'],
  ['"count":"1"', 'error', 'count: This must be a number, not text.'],
  ['"step":0', 'deviation', 'step: This should be above 0.'],
  ['"value":null', 'fine', ''],
  ['"value":[]', 'error', 'value: This must be text or a number or null, not a list.'],
  ['"range":[1]', 'deviation', 'range: At least 2 items are required here.'],
  ['"range":[1,2,3]', 'deviation', 'range: At most 2 items are allowed here.'],
  ['"range":[1,1.0]', 'deviation', 'range[1]: This repeats an earlier item; remove one of them.'],
  ['"named":{}', 'deviation', 'named: This should not be empty.'],
  ['"named":{"total":true,"a":"b"}', 'fine', ''],
  ['"named":{"total":"x"}', 'error', 'named.total: This must be true or false, not text.'],
  ['"from":"a"', 'deviation', 'to: Both or none.'],
  ['"size":1', 'deviation', 'size: Put it in quotes.'],
  ['"size":true', 'error', 'size: This must be text, not true or false; put it in quotes: "true".'],
  ['"server":{"host":"h"}', 'fine', ''],
  ['"server":{}', 'deviation', 'server.port: This field is missing; the standard requires it.'],
  ['"server":[]', 'error', 'server: This must be an object, not a list.'],
]

for (const [json, kind, says] of RICH_CASES) {
  test(`inspect › ${json} is ${kind}`, () => {
    const source = readText(`{${json}}`, 'application/json')
    assert.ok(source.ok)
    const usual = inspectValue(source.value, RICH, source, { strict: false })
    const strict = inspectValue(source.value, RICH, source, { strict: true })
    const lines = says === '' ? [] : [says]
    assert.deepEqual(usual.errors.map(line), kind === 'error' ? lines : [])
    assert.deepEqual(usual.warnings.map(line), kind === 'deviation' ? lines : [])
    assert.deepEqual(strict.errors.map(line), lines)
  })
}

test('inspect › reports all problems, sorted by field, each with its position', () => {
  const { problems } = inspect('{\n"name": 1,\n "tags": [1,\n 2],"done":"x","extra":1}')
  assert.deepEqual(
    problems.map(({ field, line, column }) => `${field} ${line}:${column}`),
    ['done 4:5', 'name 2:1', 'tags[0] 3:11', 'tags[1] 4:2', 'about 1:1'],
  )
})

test('inspect › truncates long texts and lists at most a thousand problems', () => {
  const long = 'x'.repeat(10_000)
  const { problems } = inspect(`{${FINE},"kind":"${long}","${long}":1}`)
  for (const { field, message } of problems) assert.ok(field.length + message.length < 400)
  const fields = Array.from({ length: 5000 }, (_, at) => `"unknown${at}":1`)
  const { warnings } = inspect(`{${FINE},${fields.join()}}`)
  assert.equal(warnings.length, 1001)
  assert.match(warnings[0] ?? '', /more than 1000 problems/)
})

test('nearest name › differs in at most two letters, one for short names, or in case', () => {
  const known = ['name', 'status', 'outputPorts', 'id']
  assert.equal(nearestName('nmae', known), 'name')
  assert.equal(nearestName('NAME', known), 'name')
  assert.equal(nearestName('outputports', known), 'outputPorts')
  assert.equal(nearestName('outputPort', known), 'outputPorts')
  assert.equal(nearestName('statsu', known), 'status')
  assert.equal(nearestName('nm', known), undefined)
  assert.equal(nearestName('stats_x', known), undefined)
  assert.equal(nearestName('color', known), undefined)
  assert.equal(nearestName('', known), undefined)
  assert.equal(nearestName('x'.repeat(1000), known), undefined)
})

test('shape at a path › follows fields, lists, maps and alternatives', () => {
  assert.equal(shapeAt(SHAPE, ['parts', 3, 'id'])?.kind, 'text')
  assert.equal(shapeAt(SHAPE, ['links', 'a'])?.kind, 'text')
  assert.equal(shapeAt(SHAPE, ['team', 0])?.kind, 'text')
  assert.equal(shapeAt(SHAPE, ['team', 'name'])?.kind, 'text')
  assert.equal(shapeAt(SHAPE, ['old'])?.kind, 'text')
  assert.equal(shapeAt(SHAPE, ['color']), undefined)
  assert.equal(shapeAt(SHAPE, ['name', 'x']), undefined)
})
