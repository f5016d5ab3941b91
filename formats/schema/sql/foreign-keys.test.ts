import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { linkedModelsArbitrary } from '../../../test/linked-models.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { useScratchDatabase } from '../../../test/scratch-database.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { Specification } from '../specification.ts'
import type { Platform } from '../types/native-type.ts'
import { readSqlDdl } from './read.ts'
import { writeSqlDdl } from './write.ts'

const client = useScratchDatabase('keys')

const write = (models: readonly Model[], dialect: Platform) =>
  writeSqlDdl(models, { dialect, name: 'n', id: 'i' })

const readBack = (text: string, platform: Platform): Model[] =>
  readSqlDdl(new Specification(text, [], new Notes(NOWHERE)), { platform })

const DIALECTS: readonly Platform[] = [
  'postgresql',
  'mysql',
  'sqlserver',
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
]

function table(name: string, fields: readonly Field[], more: Partial<Model> = {}): Model {
  const primaryKey = fields.flatMap((field) => (field.primaryKeyPosition ? [field.name] : []))
  return { ...plainModel(name, ''), kind: 'table', fields: [...fields], primaryKey, ...more }
}

const column = (name: string, more: Partial<Field> = {}): Field => ({
  ...plainField(name, 'integer', ''),
  ...more,
})

const key = (name: string): Field => column(name, { required: true, primaryKeyPosition: 1 })

// The order of the columns of a foreign key has no meaning.
function sortKeys(models: readonly Model[]): Model[] {
  return models.map((model) => {
    if (model.foreignKeys === undefined) return model
    const foreignKeys = model.foreignKeys.map(({ fields, references }) => {
      const order = fields.toSorted()
      return {
        fields: order,
        references: order.map((name) => references[fields.indexOf(name)] ?? ''),
      }
    })
    return { ...model, foreignKeys }
  })
}

test('generated tables with links run on PostgreSQL and come back with their references, or listed', async () => {
  const texts: string[] = []
  const property = fc.property(linkedModelsArbitrary(), (models) => {
    for (const dialect of DIALECTS) {
      const { text, losses } = write(models, dialect)
      if (dialect === 'postgresql') texts.push(text)
      const unexplained = differingPaths(
        sortKeys(models),
        sortKeys(readBack(text, dialect)),
      ).filter(
        (path) => !losses.some((loss) => path === loss.path || path.startsWith(`${loss.path}.`)),
      )
      assert.deepEqual(unexplained, [], text)
    }
  })
  fc.assert(property, { numRuns: 60, seed: 20 })
  assert.ok(texts.some((text) => text.split('FOREIGN KEY').length > 4))
  for (const text of texts) {
    await client().query('begin')
    try {
      await client().query(text)
    } catch (error) {
      assert.fail(`${String(error)}\n${text}`)
    } finally {
      await client().query('rollback')
    }
  }
})

describe('a reference', () => {
  const CUSTOMERS = table('customers', [key('id'), column('code', { unique: true }), column('age')])
  const orders = (references: string[], more: Partial<Field> = {}): Model =>
    table('orders', [key('id'), column('c', { references, ...more })])
  const writeOne = (
    reference: string,
    dialect: Platform = 'postgresql',
    more: Partial<Field> = {},
  ) => write([orders([reference], more), CUSTOMERS], dialect)

  for (const [dialect, statement] of [
    ['postgresql', 'ALTER TABLE "orders" ADD FOREIGN KEY ("c") REFERENCES "customers" ("id")'],
    ['mysql', 'ALTER TABLE `orders` ADD FOREIGN KEY (`c`) REFERENCES `customers` (`id`)'],
    ['sqlserver', 'ALTER TABLE [orders] ADD FOREIGN KEY ([c]) REFERENCES [customers] ([id])'],
    ['snowflake', 'ALTER TABLE "orders" ADD FOREIGN KEY ("c") REFERENCES "customers" ("id")'],
    [
      'bigquery',
      'ALTER TABLE `orders` ADD FOREIGN KEY (`c`) REFERENCES `customers` (`id`) NOT ENFORCED',
    ],
    ['databricks', 'ALTER TABLE `orders` ADD FOREIGN KEY (`c`) REFERENCES `customers` (`id`)'],
  ] as const) {
    test(`is a foreign key of ${dialect}, after all tables`, () => {
      const { text, losses } = writeOne('customers.id', dialect)
      assert.ok(text.endsWith(`${statement};\n`), text)
      assert.deepEqual(
        losses.filter(({ path }) => path === 'orders.c'),
        [],
      )
    })
  }

  for (const [name, reference, dialect, more, reason] of [
    ['in Hive', 'customers.id', 'hive', {}, 'The dialect has no foreign keys.'],
    ['to an unknown model', 'x.id', 'postgresql', {}, '"x.id" is not a column of this script.'],
    ['to an unknown field', 'customers.x', 'mysql', {}, 'is not a column of this script.'],
    ['to an external file', 'x.yaml#/a/b', 'mysql', {}, 'is not a column of this script.'],
    ['to a column that is no key', 'customers.age', 'postgresql', {}, 'nor unique.'],
    ['to a unique column where only keys count', 'customers.code', 'bigquery', {}, 'primary key'],
    ['of another type', 'customers.id', 'mysql', { logicalType: 'date' }, 'has another type'],
  ] as const) {
    test(`${name} is a loss`, () => {
      const { text, losses } = writeOne(reference, dialect, more)
      assert.doesNotMatch(text, /FOREIGN KEY/)
      const messages = losses.flatMap(({ path, message }) => (path === 'orders.c' ? [message] : []))
      assert.ok(
        messages.some((message) => message.includes(reason)),
        messages.join('\n'),
      )
    })
  }

  test('may name the model or its physical name, in any case, or leave out the column', () => {
    const customers = { ...CUSTOMERS, physicalName: 'T_CUST' }
    for (const reference of ['customers.id', 'T_CUST.id', 'Customers.ID', 'customers']) {
      const { text, losses } = write([orders([reference]), customers], 'postgresql')
      assert.match(text, /REFERENCES "T_CUST" \("id"\)/)
      const isRenamed = losses.some(({ message }) =>
        message.includes('by its name in SQL, "T_CUST'),
      )
      assert.equal(isRenamed, reference !== 'T_CUST.id')
    }
  })

  test('of a whole number may differ in size in PostgreSQL, not in MySQL', () => {
    const more = { format: 'int32' }
    assert.match(writeOne('customers.id', 'postgresql', more).text, /FOREIGN KEY/)
    assert.doesNotMatch(writeOne('customers.id', 'mysql', more).text, /FOREIGN KEY/)
  })
})
