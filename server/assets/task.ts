import { readAsset } from '../../formats/asset/read.ts'
import type { Problem } from '../../formats/text/problem.ts'
import type { MediaType } from '../../formats/text/text.ts'
import { readDocument } from '../http/document.ts'
import type { Task } from '../http/offload.ts'
import { type AssetRow, toAssetRow } from './asset.ts'

/** An asset that was sent. */
export interface AssetInput {
  id: string
  text: string
  mediaType: MediaType
  strict: boolean
  /** Whether its warnings are requested. */
  dryRun: boolean
}

/** The row of an asset that was sent, or all reasons why it cannot be stored. */
export type AssetAssessment =
  | { ok: false; problems: readonly Problem[] }
  | { ok: true; row: AssetRow; warnings: readonly Problem[] }

/** Parses an asset. */
export const assessAsset: Task<AssetInput, AssetAssessment> = {
  name: 'asset/assess',
  run({ id, text, mediaType, strict, dryRun }) {
    const source = readDocument({ text, mediaType })
    const reading = readAsset(source, { id, strict })
    if (!reading.ok) return { ok: false, problems: reading.problems }
    return { ok: true, row: toAssetRow(source, reading), warnings: dryRun ? reading.warnings : [] }
  },
}
