// Differences in the form of OMDS, a draft of Bitol: formats/bitol/omds/write.ts.

import { writeDifference } from '../../formats/bitol/omds/write.ts'
import type { StandardDiff } from '../../formats/diff/contract.ts'
import type { Change } from '../../formats/diff/level.ts'
import { asText, getField, jsonText, type Value } from '../../formats/text/value.ts'
import { yamlText } from '../../formats/text/yaml-write.ts'
import { VERSION } from '../platform/version.ts'
import { lossHeaders } from '../requests/http/losses.ts'
import type { TextOutput } from '../requests/http/offload.ts'
import type { DocumentReader, ReadDocument } from './document.ts'

/** The form of a difference. */
export interface DifferenceForm {
  syntax: 'json' | 'yaml'
  /** Whether levels are those of the RFC's tables. */
  byRfc: boolean
  /** The numbers of the versions; undefined for a draft. */
  versions: { before: number; after: number | undefined }
  /** The address of the document's versions, without the number. */
  versionsAddress: string
  /** RFC 3339. */
  comparedAt: string
}

type Standard = NonNullable<DocumentReader<ReadDocument, unknown>['standard']>

/** Writes a difference. `changes` are those of `diff`, in its order, with messages of the catalog. */
export function writeStandardDifference(
  { id, kind }: { id: string; kind: Standard['kind'] },
  diff: StandardDiff,
  changes: readonly Change[],
  { syntax, byRfc, versions, versionsAddress, comparedAt }: DifferenceForm,
): Omit<TextOutput, 'mediaType'> {
  const toSide = (value: Value, version: number | undefined) => ({
    id,
    version: asText(getField(value, 'version')),
    catalogVersion: version,
    address: version === undefined ? undefined : `${versionsAddress}/${version}`,
    value,
  })
  const aspects: StandardDiff['aspects'] = new Map(
    changes.flatMap((change, at) => {
      const own = diff.changes[at]
      const aspect = own && diff.aspects.get(own)
      return aspect === undefined ? [] : [[change, aspect] as const]
    }),
  )
  const { document, losses } = writeDifference({
    kind,
    before: toSide(diff.before, versions.before),
    after: toSide(diff.after, versions.after),
    changes,
    aspects,
    byRfc,
    generatedBy: `Portbook ${VERSION}`,
    comparedAt,
  })
  const text = syntax === 'yaml' ? yamlText(document) : jsonText(document)
  return { text, headers: lossHeaders(losses) }
}
