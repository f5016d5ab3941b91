import { z } from 'zod'
import type { DialRules } from '../../platform/kit/dialer.ts'
import { filters } from '../filter.ts'
import { assetPlaces, knownVersions } from './asset-shapes.ts'
import { errorData } from './failure-data.ts'
import { measuredTable } from './measure-shapes.ts'

/**
 * The messages between this process and one that reads a source. This process calls, the other one
 * replies; its log lines come with its replies and with a heartbeat every second. So nothing
 * arrives faster than this process requests it.
 */

/** The interval of the reader's heartbeats. */
export const BEAT_MS = 1000

/**
 * Limits for the log lines and statements of one message: their number, the characters of each and
 * of all.
 */
export const NOTES_MAX = 5000
export const NOTE_CHARACTERS_MAX = 2000
export const NOTES_CHARACTERS_MAX = 500_000

const note = z.string().max(NOTE_CHARACTERS_MAX)

/** Log lines and statements sent to the source since the last message. */
const notes = z.strictObject({
  lines: z.array(z.strictObject({ level: z.enum(['info', 'warn']), text: note })).max(NOTES_MAX),
  statements: z
    .array(z.strictObject({ statement: note, durationMs: z.number().min(0) }))
    .max(NOTES_MAX),
})

/** Log lines and statements sent to the source since the last message. */
export type Notes = z.infer<typeof notes>

/** A message from the reader. */
export const fromReader = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('beat'), notes }),
  z.strictObject({ type: z.literal('value'), id: z.int(), value: z.unknown(), notes }),
  z.strictObject({ type: z.literal('error'), id: z.int(), error: errorData, notes }),
  /** The last message: an uncaught error. */
  z.strictObject({ type: z.literal('died'), error: errorData }),
])

/** A message from the reader. */
export type FromReader = z.infer<typeof fromReader>

/** The rules of the dialer, as data: strict, so that no rule is lost. */
const dialRules = z
  .strictObject({
    privateAddresses: z.enum(['allow', 'deny']),
    allowed: z.array(z.string()),
    ownStore: z.strictObject({ host: z.string(), port: z.number() }).optional(),
    ownPorts: z.array(z.number()).exactOptional(),
    redirect: z
      .strictObject({
        host: z.string(),
        port: z.number(),
        target: z.union([
          z.strictObject({ path: z.string() }),
          z.strictObject({ host: z.string(), port: z.number() }),
        ]),
      })
      .exactOptional(),
  })
  .transform((rules): DialRules => ({ ...rules, ownStore: rules.ownStore }))

/** The settings that a connector works with, as data. */
const setupData = z.object({
  configuration: z.record(z.string(), z.unknown()),
  filters,
  secrets: z.record(z.string(), z.string()),
  dialRules,
})

/** The settings that a connector works with, as data. */
export type SetupData = z.output<typeof setupData>

const id = z.int()
const stream = z.int()

/**
 * A request to the reader. `stream` numbers the listings and readings. The known versions of the next
 * reading precede it, in parts.
 */
export const toReader = z.discriminatedUnion('call', [
  z.object({ call: z.literal('check'), id, source: z.string(), setup: setupData }),
  z.object({ call: z.literal('open'), id, source: z.string(), setup: setupData }),
  z.object({ call: z.literal('scopes'), id, stream }),
  z.object({ call: z.literal('hiddenPaths'), id }),
  z.object({ call: z.literal('know'), id, versions: knownVersions }),
  z.object({ call: z.literal('read'), id, stream, scopes: z.array(z.unknown()) }),
  z.object({ call: z.literal('next'), id, stream }),
  z.object({ call: z.literal('end'), id, stream }),
  z.object({ call: z.literal('abort'), id }),
  z.object({ call: z.literal('prove'), id, tables: assetPlaces }),
  z.object({
    call: z.literal('grants'),
    id,
    stream,
    scopes: z.array(z.unknown()),
    tables: assetPlaces,
  }),
  z.object({ call: z.literal('measure'), id, table: measuredTable }),
  z.object({ call: z.literal('close'), id }),
])

/** A request to the reader. */
export type ToReader = z.infer<typeof toReader>
