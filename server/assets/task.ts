import { readAsset } from '../../formats/asset/read.ts'
import type { Problem } from '../../formats/text/problem.ts'
import type { MediaType } from '../../formats/text/text.ts'
import { readDocument } from '../http/document.ts'
import type { Task } from '../http/offload.ts'
import { type AssetRow, rowOf } from './asset.ts'

/** An asset that was sent. */
export interface AssetInput {
  id: string
  text: string
  mediaType: MediaType
  strict: boolean
  /** Its warnings are wanted. */
  dryRun: boolean
}

/** What is stored of an asset that was sent, or every reason why it cannot be stored. */
export type AssetAssessment =
  | { ok: false; problems: readonly Problem[] }
  | { ok: true; row: AssetRow; warnings: readonly Problem[] }

/** Reads an asset. */
export const assessAsset: Task<AssetInput, AssetAssessment> = {
  name: 'asset/assess',
  run({ id, text, mediaType, strict, dryRun }) {
    const source = readDocument({ text, mediaType })
    const reading = readAsset(source, { id, strict })
    if (!reading.ok) return { ok: false, problems: reading.problems }
    return { ok: true, row: rowOf(source, reading), warnings: dryRun ? reading.warnings : [] }
  },
}
