/** A feature of a source language: a contract without it, and the same contract with it. */

import type { ObjectValue, Value } from '../formats/text/value.ts'

/** A part of a contract that an export keeps or lists as a loss. */
export interface Feature {
  source: string
  name: string
  without: ObjectValue
  with: ObjectValue
  /** Whether models do not contain the feature, so that no export can. */
  unread?: true
}

export const DCS = {
  dataContractSpecification: '0.9.3',
  id: 'a',
  info: { title: 'A', version: '1', owner: 't', status: 'active' },
}

/** Builds a contract with a specification. */
export function createSpecification(
  type: string,
  specification: Value,
  server?: string,
): ObjectValue {
  const servers = server === undefined ? {} : { servers: { s: { type: server } } }
  return { ...DCS, ...servers, schema: { type, specification } }
}

/** Builds the features of a source language: each is one part of a text, with the part that it replaces. */
export function createFeatures<Part extends Value>(
  source: string,
  contract: (part: Part) => ObjectValue,
  plain: NoInfer<Part>,
  parts: Readonly<Record<string, NoInfer<Part>>>,
  unread: Readonly<Record<string, NoInfer<Part>>> = {},
): Feature[] {
  const without = contract(plain)
  const feature = ([name, part]: [string, Part]): Feature => ({
    source,
    name,
    without,
    with: contract(part),
  })
  return [
    ...Object.entries(parts).map(feature),
    ...Object.entries(unread).map((entry): Feature => ({ ...feature(entry), unread: true })),
  ]
}
