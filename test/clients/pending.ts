/** Tests of clients whose part of the API is not complete: they may fail. */

// The beginnings of the tests' names.
const PENDING: readonly string[] = [
  'datacontracts generate',
  'datacontracts test',
  'datacontracts list --owner',
  'dataproducts star',
  'dataproducts unstar',
  'tags',
  'assets tags',
  'search query',
  'definitions',
  'policies',
  'certifications',
  'classifications',
  'connectors',
  'costs',
  'example-data',
  'test-results',
  'usage',
  'organization get',
  'organization members',
  'settings',
  'connection',
  'schemas',
  'teams notifications',
  'fluid test',
  'datacontract test',
  'datacontract ci',
  'datacontract lint defined',
  'datacontract lint business',
  'datacontract export jsonschema defined',
  'datacontract export jsonschema business',
]

// To see what works: PORTBOOK_PENDING=fails npm test -- test/clients
const mayFail = process.env.PORTBOOK_PENDING !== 'fails'

/** Returns whether a test may fail. */
export function isPending(name: string): boolean {
  return mayFail && PENDING.some((start) => name.startsWith(start))
}
