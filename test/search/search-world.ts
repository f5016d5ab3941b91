/** Organizations for tests of the search. */

import assert from 'node:assert/strict'
import type { SearchAnswer, SearchResult } from '../../server/documents/search/search.ts'
import { readJson } from '../answers.ts'
import { expectOk, newWorld, odcs, odps, type Product, type World } from '../world.ts'

/** An organization with functions to write to it and to search in it. */
export interface SearchWorld extends World {
  find(query: string, more?: string): Promise<SearchAnswer>
  /** Returns the ids of the results, in order. */
  ids(query: string, more?: string): Promise<string[]>
  product(id: string, more?: object): Promise<void>
  contract(id: string, more?: object): Promise<void>
  asset(id: string, info: object, more?: object): Promise<void>
  team(id: string, name: string, more?: object): Promise<void>
  remove(path: string): Promise<void>
}

/** Creates an organization with functions to write to it and to search in it. */
export async function newSearchWorld(product: Product): Promise<SearchWorld> {
  const world = await newWorld(product)
  const put = async (path: string, body: object): Promise<void> => {
    await expectOk(world.as('O', 'PUT', path, { body }))
  }
  const find = async (query: string, more = ''): Promise<SearchAnswer> => {
    const path = `/api/search?query=${encodeURIComponent(query)}${more}`
    return await readJson<SearchAnswer>(world.as('Um', 'GET', path))
  }
  return {
    ...world,
    find,
    ids: async (query, more) => (await find(query, more)).results.map(({ id }) => id),
    product: (id, more = {}) => put(`/api/dataproducts/${id}`, odps(id, more)),
    contract: (id, more = {}) => put(`/api/datacontracts/${id}`, odcs(id, more)),
    asset: (id, info, more = {}) => put(`/api/assets/${id}`, { info, ...more }),
    team: (id, name, more = {}) => put(`/api/teams/${id}`, { name, ...more }),
    remove: async (path) => {
      await expectOk(world.as('O', 'DELETE', path))
    },
  }
}

/** Returns the members of a contract with one table. */
export function withSchema(table: string, ...columns: string[]): object {
  const properties = columns.map((name) => ({ name, logicalType: 'string' }))
  return { schema: [{ name: table, properties }] }
}

/** Returns the members of an asset with columns. */
export function withColumns(...names: string[]): object {
  return { columns: names.map((name) => ({ name, type: 'x' })) }
}

/** Returns the members of a product with a port of a contract. */
export function withPort(contractId: string): object {
  return { outputPorts: [{ name: 'main', version: '1', contractId }] }
}

/** Returns the result with an id. */
export function getResult(answer: SearchAnswer, id: string): SearchResult {
  return answer.results.find((one) => one.id === id) ?? assert.fail(`${id} was not found`)
}
