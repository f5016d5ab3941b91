/** The operations and ids that random requests are made of. */

import type { NamedValues, Shape } from './fuzz-shapes.ts'

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string
  /** With names in braces: `/api/teams/{id}`. */
  template: string
  queryNames: readonly { name: string; required: boolean; values: readonly string[] }[]
  bodyMediaTypes: readonly string[]
  /** The schema of a JSON body. */
  bodyShape: Shape | undefined
  /** Media types by status; an empty list where an answer has no body. */
  answers: ReadonlyMap<number, readonly string[]>
}

/** Whose key a request carries: one of an organization, or none that is valid. */
export type KeyOwner = 'A' | 'B' | 'nobody'

/** One request as it is written. */
export interface FuzzRequest {
  method: string
  /** Path and query, byte for byte in latin1. */
  target: string
  headers: readonly [string, string][]
  body: Buffer | undefined
  isChunked: boolean
  keyOwner: KeyOwner
}

/** What the generators draw from besides the OpenAPI document. */
export interface Pool {
  keysOfA: readonly string[]
  keysOfB: readonly string[]
  teamIds: readonly string[]
  productIds: readonly string[]
  /** Events of the feed, for requests that continue after one. */
  eventIds: readonly string[]
  /** Secrets of sessions, which are sent as a browser sends them. */
  sessionsOfA: readonly string[]
  /** Sessions of people who may be removed, signed out or given another password. */
  sessionsToLose: readonly string[]
  /** Sessions that only signing out ends, so that some are left for it. */
  sessionsToSignOut: readonly string[]
  /** Values for the properties of bodies, by name. */
  named: NamedValues
  /**
   * Ids by path and parameter, by the name of the parameter, or by the path's second segment; others take a product's.
   */
  ids: Readonly<Record<string, readonly string[]>>
}

/** Says whether an operation belongs to the pages, which takes sessions instead of keys. */
export function servesPages({ template }: Operation): boolean {
  return template.startsWith('/ui/')
}

/** Encodes a text for a path or a query. */
export function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half a character has no UTF-8.
    return '%EF%BF%BD'
  }
}
