import { readAsset } from '../../../formats/asset/read.ts'
import {
  ADDED_FIELDS,
  removeFields,
  UNSTORED_FIELDS,
} from '../../../formats/asset/server-fields.ts'
import type { Problem } from '../../../formats/text/problem.ts'
import type { MediaType, SourceText } from '../../../formats/text/text.ts'
import { computeDigest } from '../../documents/document.ts'
import { listTags } from '../../documents/tag-task.ts'
import { readDocument, readStored } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import { mergeAsset, toAssetRow, type AssetRow, type StoredAsset } from './asset.ts'

/** An asset that was sent. */
interface AssetInput {
  id: string
  text: string
  mediaType: MediaType
  strict: boolean
  /** Whether the organization allows only managed tags. */
  hasTagPolicy: boolean
  /** Whether its warnings are requested. */
  dryRun: boolean
  /** The stored asset, if an integration maintains it. */
  ingested: StoredAsset | undefined
}

/** The row of an asset that was sent, or all reasons why it cannot be stored. */
type AssetAssessment =
  | { ok: false; problems: readonly Problem[] }
  | {
      ok: true
      row: AssetRow
      warnings: readonly Problem[]
      restrictedTags: readonly string[]
      /** Whether readers of the ingested asset see the same. */
      isIngested: boolean
    }

/** Parses an asset, without the fields that the catalog adds to it. */
export const assessAsset: Task<AssetInput, AssetAssessment> = {
  name: 'asset/assess',
  run({ id, text, mediaType, strict, hasTagPolicy, dryRun, ingested }) {
    const sent = readDocument({ text, mediaType })
    const reading = readAsset(sent, { id, strict })
    if (!reading.ok) return { ok: false, problems: reading.problems }
    const stored = removeFields(sent, ingested === undefined ? UNSTORED_FIELDS : ADDED_FIELDS)
    if (!stored.ok) return stored
    const { source } = stored
    const row = toRow(source, source === sent ? reading : undefined, id)
    const isIngested = ingested !== undefined && getMergedDigest(ingested) === row.digest
    return {
      ok: true,
      row,
      isIngested,
      warnings: dryRun ? reading.warnings : [],
      restrictedTags: hasTagPolicy ? listTags(sent.value) : [],
    }
  },
}

function toRow(
  source: SourceText,
  known: ReturnType<typeof readAsset> | undefined,
  id: string,
): AssetRow {
  const reading = known ?? readAsset(source, { id, strict: false, isAccepted: true })
  if (!reading.ok) throw new Error('an asset is not readable without the fields of the catalog')
  return toAssetRow(source, reading)
}

function getMergedDigest(asset: StoredAsset): string {
  const document = JSON.stringify(mergeAsset(asset))
  const source = readStored({ document, mediaType: 'application/json' })
  const reading = readAsset(source, { id: asset.id, strict: false, isAccepted: true })
  if (!reading.ok) throw new Error(`the stored asset ${asset.id} cannot be read`)
  return computeDigest(reading.canonical)
}
