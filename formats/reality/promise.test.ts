import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Server } from '../data-contract/data-contract.ts'
import { plainField, plainModel } from '../schema/plain.ts'
import { type ContractPromise, listPromises, PROMISED_FIELDS_MAX, PROMISES_MAX } from './promise.ts'

function server(name: string, environment?: string): Server {
  const properties = { host: 'h', database: 'd' }
  const plain = { name, type: 'postgres', properties, origin: '' }
  return environment === undefined ? plain : { ...plain, environment }
}

function list(servers: Server[], models: number, fields = 0): ContractPromise[] {
  const contract = {
    format: 'odcs' as const,
    formatVersion: 'v3.1.0',
    id: 'c',
    name: 'c',
    tags: [],
    serviceLevels: [],
    quality: [],
    servers,
    models: Array.from({ length: models }, (_, at) => ({
      ...plainModel(`m${at}`, ''),
      fields: Array.from({ length: fields }, (__, one) => plainField(`f${one}`, 'string', '')),
    })),
  }
  return listPromises({ contract, value: {} })
}

function names(promises: readonly ContractPromise[]): string[] {
  return promises.map((one) => `${one.server}.${one.model}${one.isProduction ? '!' : ''}`)
}

describe('listPromises', () => {
  test('has one promise for each model on each server, and all are of production if none is', () => {
    assert.deepEqual(names(list([server('a'), server('b')], 2)), [
      'a.m0!',
      'a.m1!',
      'b.m0!',
      'b.m1!',
    ])
    assert.deepEqual(names(list([server('a', 'Prod'), server('b', 'dev')], 1)), ['a.m0!', 'b.m0'])
  })

  test('ignores the second server of the same name', () => {
    assert.deepEqual(names(list([server('a'), server('a')], 1)), ['a.m0!'])
  })

  test('has at most 1,000 promises, and a place for at most 200,000 fields', () => {
    const servers = Array.from({ length: 100 }, (_, at) => server(`s${at}`))
    assert.equal(list(servers, 30).length, PROMISES_MAX)
    const placed = list(servers, 1, 5_000).filter(({ path }) => path !== undefined)
    assert.equal(placed.length, Math.floor(PROMISED_FIELDS_MAX / 5_001))
  })

  test('has another digest for another place, type, key or name', () => {
    const digests = [
      list([server('a')], 1),
      list([server('a'), server('b', 'prod')], 1),
      list([server('a')], 1, 1),
      list([server('a')], 1, 2),
    ].map(([promise]) => promise?.digest)
    assert.equal(new Set(digests).size, 4)
    assert.equal(list([server('a')], 1)[0]?.digest, list([server('a')], 1)[0]?.digest)
  })
})
