/** The operations and ids for random requests. */

import type { NamedValues, Shape } from './fuzz-shapes.ts'

/** One operation of the OpenAPI document. */
export interface Operation {
  method: string
  /** Path with names in braces: `/api/teams/{id}`. */
  template: string
  queryNames: readonly { name: string; required: boolean; values: readonly string[] }[]
  bodyMediaTypes: readonly string[]
  /** The schema of a JSON body. */
  bodyShape: Shape | undefined
  /** Media types by status; an empty list if a response has no body. */
  answers: ReadonlyMap<number, readonly string[]>
}

/** The owner of the key of a request: an organization, or 'none' if the key is invalid. */
export type KeyOwner = 'A' | 'B' | 'none'

/** A raw request. */
export interface FuzzRequest {
  method: string
  /** Path and query, byte for byte in latin1. */
  target: string
  headers: readonly [string, string][]
  body: Buffer | undefined
  isChunked: boolean
  keyOwner: KeyOwner
}

/** The data for the generators in addition to the OpenAPI document. */
export interface Pool {
  keysOfA: readonly string[]
  keysOfB: readonly string[]
  teamIds: readonly string[]
  productIds: readonly string[]
  /** Event ids for requests that continue the feed after one. */
  eventIds: readonly string[]
  /** Secrets of sessions, sent as a browser sends them. */
  sessionsOfA: readonly string[]
  /** Sessions of people who may be removed, signed out or given another password. */
  sessionsToLose: readonly string[]
  /** Sessions that only signing out ends, so that some remain for it. */
  sessionsToSignOut: readonly string[]
  /** Values for the properties of bodies, by name. */
  named: NamedValues
  /**
   * Ids by path and parameter, by the name of the parameter, or by the path's second segment; otherwise a
   * product's ids are used.
   */
  ids: Readonly<Record<string, readonly string[]>>
}

/** Returns whether an operation belongs to the pages, which use sessions instead of keys. */
export function servesPages({ template }: Operation): boolean {
  return template.startsWith('/ui/')
}

/** Encodes a text for a path or a query. */
export function encodeText(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    // Half a surrogate pair has no UTF-8.
    return '%EF%BF%BD'
  }
}
