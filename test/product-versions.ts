/** Small data products, and the comparison of two versions of one. */

import assert from 'node:assert/strict'
import { type ProductParseResult, readDataProduct } from '../formats/data-product/read.ts'
import { type Change, diffDataProducts } from '../formats/diff/diff.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type Value } from '../formats/text/value.ts'

export const ODPS = {
  apiVersion: 'v1.1.0',
  kind: 'DataProduct',
  id: 'x',
  name: 'X',
  team: { name: 't' },
}

export const DPS = { id: 'x', info: { title: 'X', owner: 't' } }

/** Reads a valid data product with the id `x`. */
export function readProduct(value: Value): Extract<ProductParseResult, { ok: true }> {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok, JSON.stringify(source))
  const result = readDataProduct(source, { id: 'x', strict: false })
  assert.ok(result.ok, JSON.stringify(result))
  return result
}

/** Returns the changes between two data products. */
export function diffProducts(before: Value, after: Value): Change[] {
  return diffDataProducts(readProduct(before), readProduct(after))
}

/** Returns the changes between two data products as `level kind path`. */
export function listProductChanges(before: Value, after: Value): string[] {
  return diffProducts(before, after).map(({ level, kind, path }) => `${level} ${kind} ${path}`)
}
