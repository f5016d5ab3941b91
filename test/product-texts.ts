/** Texts of data products for tests of their reader. */

import assert from 'node:assert/strict'
import type { DataProduct } from '../formats/data-product/data-product.ts'
import { type ProductParseResult, readDataProduct } from '../formats/data-product/read.ts'
import { readText, type SourceText } from '../formats/text/text.ts'

/** The id of the documents. */
export const ID = 'orders'
/** A valid document in ODPS. */
export const odps = {
  apiVersion: 'v1.0.0',
  kind: 'DataProduct',
  id: ID,
  name: 'Orders',
  status: 'active',
  version: '1.0.0',
  description: { purpose: 'p' },
  team: { name: 'sales' },
}
/** A valid document in DPS. */
export const dps = {
  dataProductSpecification: '0.0.1',
  id: ID,
  info: { title: 'Orders', owner: 'sales', description: 'd', status: 'active' },
}

/** Returns the text of a document, which may be YAML. */
export function toSource(document: unknown): SourceText {
  const text = readText(
    typeof document === 'string' ? document : JSON.stringify(document),
    typeof document === 'string' ? 'application/yaml' : 'application/json',
  )
  assert.ok(text.ok, JSON.stringify(text))
  return text
}

/** Parses a document. */
export function parse(document: unknown, strict = false): ProductParseResult {
  return readDataProduct(toSource(document), { id: ID, strict })
}

/** Returns the data product of a valid document. */
export function readProduct(document: unknown): DataProduct {
  const read = parse(document)
  assert.ok(read.ok, JSON.stringify(read))
  return read.product
}

/** Lists the problems of an invalid document. */
export function listProblems(document: unknown, strict = false): string[] {
  const read = parse(document, strict)
  assert.ok(!read.ok)
  return read.problems.map(({ field, message }) => `${field}: ${message}`)
}

/** Lists the warnings of a valid document. */
export function listWarnings(document: unknown): string[] {
  const read = parse(document)
  assert.ok(read.ok, JSON.stringify(read))
  return read.warnings.map(({ field, message }) => `${field}: ${message}`)
}
