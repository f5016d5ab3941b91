// The facts of a contract that are only in its document, not in the columns of the catalog.

import { readStoredFacts } from '../data-contract/facts.ts'
import { PUBLISHED_SCHEMA_NAMES } from '../standards/published.ts'
import type { Value } from '../text/value.ts'
import { listServerAddresses } from './address.ts'

/** The facts of a contract that RDF shows. */
export interface DatasetFacts {
  /** The URIs of its servers. */
  addresses: readonly string[]
  /** The name of the JSON Schema of its standard, `odcs-3.1.0`; undefined if there is none. */
  standard: string | undefined
}

/** Reads the facts of a stored contract. A contract that cannot be read has none. */
export function readDatasetFacts(value: Value, id: string): DatasetFacts {
  const facts = readStoredFacts(value, { id, owner: undefined })
  if (facts === undefined) return { addresses: [], standard: undefined }
  const name = `${facts.format}-${facts.formatVersion?.replace(/^v/, '')}`
  return {
    addresses: listServerAddresses(facts.servers),
    standard: PUBLISHED_SCHEMA_NAMES.includes(name) ? name : undefined,
  }
}
