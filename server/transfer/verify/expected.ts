import { hash } from 'node:crypto'
import { readAsset } from '../../../formats/asset/read.ts'
import { nonBlankText, listObjects } from '../../../formats/data-product/fields.ts'
import { readText, type SourceText, toStoredJson } from '../../../formats/text/text.ts'
import { getField, valueAt, type Value } from '../../../formats/text/value.ts'
import { toAssetRow } from '../../catalog/assets/asset.ts'
import { RECORD_KINDS, type RecordName } from '../../../formats/record/kinds.ts'
import { CONTRACT_READER } from '../../catalog/data-contracts/data-contract.ts'
import { PRODUCT_READER } from '../../catalog/data-products/data-product.ts'
import type { DocumentReader, ReadDocument } from '../../documents/document.ts'
import { findDomain } from '../../documents/task.ts'
import type { DocumentKind } from '../../ledger/history/revision.ts'
import { newRecordReader } from '../../catalog/records/record-reader.ts'
import { isRecordName } from '../../platform/kinds.ts'
import { documentEntry } from '../../documents/search/asset-entry.ts'
import { teamEntry, type SearchEntry } from '../../documents/search/entry.ts'
import { readTeam } from '../../../formats/team/team.ts'

/** A stored document or version. */
interface StoredVersion {
  kind: DocumentKind
  id: string
  document: string
  mediaType: string
  /** Null = written by an integration instead of PUT. */
  format: string | null
}

/** The values that must be stored with a document. */
interface Expected {
  digest: string
  /** The columns by name. `owner` and `parent` are external IDs. */
  columns: Record<string, unknown>
  entry: SearchEntry
}

/** The format of asset versions that integrations write. */
export const INGESTED = 'ingested'

/** Derives the values that must be stored with a document; undefined if it cannot be parsed. */
export function deriveExpected(stored: StoredVersion): Expected | undefined {
  const mediaType = stored.mediaType === 'application/yaml' ? stored.mediaType : 'application/json'
  const source = readText(stored.document, mediaType, { nodesMax: Number.POSITIVE_INFINITY })
  if (!source.ok) return undefined
  const { kind } = stored
  const read = isRecordName(kind) ? newReader(newRecordReader(RECORD_KINDS[kind])) : READERS[kind]
  return read(source, stored)
}

type Reader = (source: SourceText, stored: StoredVersion) => Expected | undefined

const READERS: Readonly<Record<Exclude<DocumentKind, RecordName>, Reader>> = {
  'data-product': newReader(PRODUCT_READER),
  'data-contract': newReader(CONTRACT_READER),
  team: (source, { id }) => {
    const reading = readTeam(source, { id, strict: false })
    if (!reading.ok) return undefined
    const { team } = reading
    return {
      digest: hashText(team.canonical),
      columns: {
        name: team.name,
        type: team.type,
        parent: team.parent ?? null,
        member_emails: team.members.map(({ emailAddress }) => emailAddress.toLowerCase()),
        member_roles: team.members.map(({ role }) => role),
      },
      entry: teamEntry(team),
    }
  },
  asset: (source, stored) =>
    stored.format === INGESTED ? ingestedAsset(source, stored) : putAsset(source, stored),
}

function newReader<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
): Reader {
  return (source, { id }) => {
    const reading = reader.read(source, { id, strict: false, isAccepted: true })
    if (!reading.ok) return undefined
    const { read } = reading
    const columns = documentColumns(reader, source, read)
    return { digest: hashText(read.canonical), columns, entry: reader.getEntry(read) }
  }
}

function documentColumns<Read extends ReadDocument, PlanData>(
  reader: DocumentReader<Read, PlanData>,
  source: SourceText,
  read: Read,
): Expected['columns'] {
  const { name, description, ownerId, status, domain, tags } = read.facts
  // Filled in the background after an upgrade, and checked with promises.
  const { output_assets: _, ...own } = reader.buildColumns(read)
  return {
    format: read.format,
    document_json: toStoredJson(source),
    // An owner that the document does not name is kept only in the column. A domain may be no team.
    ...(ownerId === null || findDomain(reader, read) !== undefined ? {} : { owner: ownerId }),
    name,
    description,
    status,
    domain,
    tags,
    ...own,
  }
}

function putAsset(source: SourceText, { id }: StoredVersion): Expected | undefined {
  const reading = readAsset(source, { id, strict: false, isAccepted: true })
  if (!reading.ok) return undefined
  const row = toAssetRow(source, reading)
  const { name, type, owner, digest, entry } = row
  const columns = {
    document_json: row.documentJson,
    source: row.source,
    parent: row.parentId,
    name,
    type,
    owner,
  }
  return { digest, columns, entry }
}

function ingestedAsset({ value, text }: SourceText, { id }: StoredVersion): Expected {
  const info = getField(value, 'info')
  const parent = getParentId(value)
  const columns = {
    document_json: null,
    source: nonBlankText(getField(info, 'source')) ?? null,
    name: getField(info, 'name') ?? null,
    type: nonBlankText(getField(info, 'type')) ?? null,
    owner: null,
    parent,
  }
  const digest = hashText(withoutIdentity(text, id, parent))
  return { digest, columns, entry: documentEntry(value, id, true) }
}

function getParentId(value: Value): string | null {
  const [relationship] = listObjects(getField(value, 'relationships'))
  const parent = valueAt(relationship?.item, ['assetId'])
  return typeof parent === 'string' ? parent : null
}

// The digest is of the text that the source reported, without the ID and the parent that the catalog adds.
function withoutIdentity(text: string, id: string, parent: string | null): string {
  const relationships =
    parent === null
      ? ''
      : `,"relationships":[{"relationshipType":"parent","assetId":${JSON.stringify(parent)}}]`
  const prefix = `{"id":${JSON.stringify(id)}${relationships},`
  return text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : text
}

function hashText(text: string): string {
  return hash('sha256', text)
}
