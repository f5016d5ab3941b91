import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { protobufTexts } from '../../test/schema-texts.ts'
import { assertSoon, readIn } from '../../test/specification.ts'
import { diffSpecifications } from '../../test/specification-versions.ts'
import { haveSameMeaning } from '../schema/languages.ts'
import { readEveryMessage } from '../schema/protobuf/read.ts'
import { highestLevel } from './level.ts'
import { compareModels } from './models.ts'
import { compareDeclarations } from './protobuf-declarations.ts'

function messages(before: string, after: string): string[] {
  return compareDeclarations(before, after).map(({ level, message }) => `${level}: ${message}`)
}

test('declarations of Protobuf › names the change and its reason', () => {
  const before = `syntax = "proto3"; import "other.proto"; import "google/protobuf/any.proto";
service Orders { rpc Get(A) returns (A); rpc List(A) returns (stream A); } message A {} enum E { X = 0; }`
  const after = `syntax = "proto3"; package p; import "google/type/date.proto";
service Orders { rpc Get(.p.A) returns (other.B); rpc Put(A) returns (A); } message A {} enum E { X = 0; Y = 1; }
option (x) = 1;`
  assert.deepEqual(messages(before, after), [
    'breaking: Import "other.proto" changed in a way that cannot be analyzed, so consumers may break.',
    'breaking: Method Orders.Get changed; its callers fail.',
    'breaking: Method Orders.List was removed; its callers fail.',
    'breaking: Enum E changed; consumers use its values.',
    'breaking: The package was added; the full names of all messages change.',
    'additive: Method Orders.Put was added.',
    'breaking: Options of the file changed in a way that cannot be analyzed, so consumers may break.',
  ])
  assert.deepEqual(messages(before, before), [])
})

const text = (values: string, field: string): string =>
  `syntax = "proto3"; enum E { ${values} } message M { ${field} }`

test('declarations of Protobuf › an enum that messages use is compared with their fields', () => {
  assert.deepEqual(messages(text('A = 0;', 'E e = 1;'), text('A = 0; B = 1;', 'E e = 1;')), [])
  assert.deepEqual(messages(text('A = 0;', ''), text('A = 0;', 'E e = 1;')), [])
})

test('declarations of Protobuf › comparing any two texts never throws', () => {
  const texts = fc.oneof(protobufTexts, fc.string())
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      compareDeclarations(before, after)
      haveSameMeaning('protobuf', before, after)
      const [older, newer] = [before, after].map((text) => readIn(text, readEveryMessage).models)
      compareModels(older ?? [], newer ?? [], {})
      assert.deepEqual(compareModels(older ?? [], older ?? [], {}).list, [])
      assert.equal(haveSameMeaning('protobuf', before, before), true)
    }),
    { seed: 1, numRuns: 100 },
  )
})

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('\n')

const HOSTILE: { name: string; text: string }[] = [
  { name: 'services', text: many(5_000, (at) => `service S${at} { rpc Get(A) returns (B); }`) },
  { name: 'enums', text: many(4_000, (at) => `enum E${at} { A${at} = 0; }`) },
  { name: 'imports', text: many(20_000, (at) => `import "${at}.proto";`) },
  {
    name: 'reserved ranges',
    text: `message M { reserved ${many(20_000, (at) => `${2 * at + 1},`)} 9; }`,
  },
  {
    name: 'extensions of one message',
    text: `message M { extensions 1 to max; }${many(5_000, (at) => `extend M { optional int32 e${at} = ${at + 1}; }`)}`,
  },
  {
    name: 'messages that use each other',
    text: many(3_000, (at) => `message M${at} { optional M${(at + 1) % 3_000} a = 1; }`),
  },
]

for (const { name, text } of HOSTILE) {
  test(`declarations of Protobuf › many ${name} are compared fast`, () => {
    const other = `${text}\nmessage Other {}`
    assertSoon(() => {
      compareDeclarations(text, other)
      haveSameMeaning('protobuf', text, other)
      const [older, newer] = [text, other].map((one) => readIn(one, readEveryMessage).models)
      compareModels(older ?? [], newer ?? [], {})
    })
  })
}

function writeFile(header: string): string {
  return `${header}\nmessage M { string a = 1; }\n`
}

test('Protobuf › an edition or a feature whose meaning is unknown is breaking', () => {
  const changes: [before: string, after: string][] = [
    ['syntax = "proto3";', 'syntax = "proto4";'],
    ['edition = "2023";', 'edition = "2099";'],
    ['edition = "2023";', 'edition = "2023"; option features.future_feature = ON;'],
    ['edition = "2023";', 'edition = "2023"; option features.field_presence = OTHER;'],
  ]
  for (const [before, after] of changes) {
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      const level = highestLevel(diffSpecifications('protobuf', writeFile(one), writeFile(other)))
      assert.equal(level, 'breaking', `${one} to ${other}`)
    }
  }
})

test('Protobuf › another edition with the same defaults is wording', () => {
  const level = highestLevel(
    diffSpecifications('protobuf', writeFile('edition = "2023";'), writeFile('edition = "2024";')),
  )
  assert.equal(level, 'wording')
})
