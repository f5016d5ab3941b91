import type { z } from 'zod'
import type {
  Batch,
  ScopeOutcome,
  Setup,
  SourceAsset,
  SourceColumn,
  UnreadableAsset,
} from '../connector.ts'
import { omitEmpty, toUnreadable } from '../asset-parts.ts'
import { COLUMNS_MAX, SENTENCE_CHARACTERS_MAX, type batch } from './asset-shapes.ts'
import { fromFailureData, toFailureData } from './failure-data.ts'
import { FRAME_BYTES_MAX } from './frames.ts'

/** A batch of assets as data. */
type BatchData = z.infer<typeof batch>

// A character takes up to six bytes in JSON, and the frame also carries log lines.
const PIECE_CHARACTERS_MAX = FRAME_BYTES_MAX / 16

/** The number of unchanged or unreadable assets, or of outcomes, in a message. */
const PLACES_MAX = 1000

/**
 * Splits a batch that is too large for one message. A larger asset keeps its first columns, with a line in the
 * log. If it is too large without columns, it counts as unreadable.
 */
export function* splitBatch(whole: Batch, log: Setup['log']): Generator<Batch> {
  const { unchanged = [], outcomes = [] } = whole
  for (let at = 0; at < unchanged.length; at += PLACES_MAX) {
    yield { assets: [], unchanged: unchanged.slice(at, at + PLACES_MAX) }
  }
  let assets: SourceAsset[] = []
  const unreadable = (whole.unreadable ?? []).map(({ message, ...place }): UnreadableAsset => ({
    ...place,
    message: message.slice(0, SENTENCE_CHARACTERS_MAX),
  }))
  let characters = 0
  for (const given of whole.assets) {
    const { asset, size } = fitAsset(given, log)
    if (size > PIECE_CHARACTERS_MAX) {
      unreadable.push(toUnreadable(asset, 'Its definition is longer than 2 MB.'))
      continue
    }
    if (characters + size > PIECE_CHARACTERS_MAX) {
      yield { assets }
      assets = []
      characters = 0
    }
    assets.push(asset)
    characters += size
  }
  while (unreadable.length > PLACES_MAX) {
    yield { assets: [], unreadable: unreadable.splice(0, PLACES_MAX) }
  }
  yield { assets, ...omitEmpty({ unreadable }) }
  // The outcome of a scope follows its assets.
  for (let at = 0; at < outcomes.length; at += PLACES_MAX) {
    yield { assets: [], outcomes: outcomes.slice(at, at + PLACES_MAX).map(limitWhole) }
  }
}

// Tables after the limit count as partly hidden, so that they stay unchanged.
function limitWhole(outcome: ScopeOutcome): ScopeOutcome {
  const { whole } = outcome
  return whole === undefined ? outcome : { ...outcome, whole: whole.slice(0, COLUMNS_MAX) }
}

function fitAsset(asset: SourceAsset, log: Setup['log']): { asset: SourceAsset; size: number } {
  const size = estimateSize(asset)
  const { columns, ...rest } = asset
  if (size <= PIECE_CHARACTERS_MAX || columns === undefined) return { asset, size }
  let keptSize = estimateSize(rest)
  if (keptSize > PIECE_CHARACTERS_MAX) return { asset, size }
  const kept: SourceColumn[] = []
  for (const column of columns) {
    const columnSize = estimateSize(column)
    if (keptSize + columnSize > PIECE_CHARACTERS_MAX) break
    keptSize += columnSize
    kept.push(column)
  }
  const name = asset.path.join('.')
  log('warn', `${name}: only the first ${kept.length} of ${columns.length} columns are kept`)
  const custom = { ...asset.custom, columnCount: columns.length }
  return { asset: { ...asset, columns: kept, custom }, size: keptSize }
}

/** Converts a batch to data. */
export function toBatchData({ outcomes, ...batch }: Batch): object {
  const data = outcomes?.map(({ failure, ...outcome }) => ({
    ...outcome,
    ...omitEmpty({ failure: failure && toFailureData(failure) }),
  }))
  return { ...batch, ...omitEmpty({ outcomes: data }) }
}

/** Converts data to a batch. */
export function fromBatchData({ outcomes, ...batch }: BatchData): Batch {
  const read = outcomes?.map(({ failure, ...outcome }) => ({
    ...outcome,
    ...omitEmpty({ failure: failure && fromFailureData(failure) }),
  }))
  return { ...batch, ...omitEmpty({ outcomes: read }) }
}

// Estimates the size: serializing every asset to measure it would double the work.
function estimateSize(whole: SourceAsset | SourceColumn): number {
  let characters = 0
  const pending: unknown[] = [whole]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string') characters += value.length + 4
    else if (Array.isArray(value)) for (const each of value) pending.push(each)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) {
        characters += name.length + 4
        pending.push(each)
      }
    } else characters += 8
  }
  return characters
}
