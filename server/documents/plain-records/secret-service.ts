/**
 * The secrets in plain records. The stored document has them masked; the whole document is sealed beside it. The digest is
 * always that of the whole document.
 */

import type { PlainRecordKind } from '../../../formats/record/plain-record-kind.ts'
import { PLAIN_RECORDS } from '../../../formats/record/plain-kinds.ts'
import { asText, getField, isObject, jsonText } from '../../../formats/text/value.ts'
import { readStored } from '../../requests/http/document.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import { openSealed, SecretUnreadable, toSealContext } from '../../platform/sealed-secrets.ts'
import type { Database } from '../../platform/tables.ts'
import type {
  PlainRecordKey,
  PlainRecordRow,
  SealedDocument,
  StoredPlainRecord,
} from './plain-record.ts'
import * as store from './store.ts'

const SEALED_AT_ONCE = 100

/** Finds the whole document of a record, with its secret. Errors: SecretUnreadable. */
export async function findWholeDocument(
  { db, secretBox }: { db: Database; secretBox: SecretBox },
  key: PlainRecordKey,
): Promise<string | undefined> {
  const stored = await store.findPlainRecord(db, key)
  return stored && openDocument(secretBox, key, stored)
}

/** Seals the secrets of records that an earlier version stored in the clear. Returns their number. */
export async function sealPlainRecords(db: Database, box: SecretBox): Promise<number> {
  const kinds = PLAIN_RECORDS.filter(({ secretAddress }) => secretAddress !== undefined)
  const names = kinds.map(({ kind }) => kind)
  for (let count = 0; ;) {
    const rows = await store.listUnsealed(db, names, SEALED_AT_ONCE)
    for (const { document, ...key } of rows) {
      const kind = kinds.find((one) => one.kind === key.kind)
      if (kind === undefined) continue
      const secret = sealDocument(box, key, document)
      await store.sealDocument(db, key, document, {
        document: maskSecret(kind, document),
        secret,
      })
    }
    count += rows.length
    if (rows.length < SEALED_AT_ONCE) return count
  }
}

/** Seals the secret of a record that is written, and masks it in the stored document. */
export function protect(
  box: SecretBox,
  key: PlainRecordKey,
  kind: PlainRecordKind,
  row: PlainRecordRow,
): { row: PlainRecordRow; secret: SealedDocument | undefined } {
  if (kind.secretAddress === undefined) return { row, secret: undefined }
  const { document } = row
  const masked = { ...row, document: maskSecret(kind, document) }
  return { row: masked, secret: sealDocument(box, key, document) }
}

function sealDocument(box: SecretBox, key: PlainRecordKey, document: string): SealedDocument {
  const sealed = box.seal(document, toSealContext('plain_record_secret', toSealKey(key)))
  return { sealed, keyId: box.keyId }
}

function openDocument(
  box: SecretBox,
  key: PlainRecordKey,
  { document, sealed }: Pick<StoredPlainRecord, 'document' | 'sealed'>,
): string {
  if (sealed === null) return document
  return openSealed(box, 'plain_record_secret', toSealKey(key), sealed)
}

/**
 * Returns the document of a stored record for callers who may see its secret. If another encryption key sealed it, the
 * secret is masked, so that it can be entered again.
 */
export function showDocument(
  box: SecretBox,
  key: PlainRecordKey,
  stored: Pick<StoredPlainRecord, 'document' | 'sealed'>,
): string {
  try {
    return openDocument(box, key, stored)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    return stored.document
  }
}

function toSealKey({ organizationId, kind, scope, id }: PlainRecordKey): string[] {
  return [organizationId, kind, scope, id]
}

/** Masks the secret of a document: anyone who has the address of a webhook can post to it. */
export function maskSecret({ secretAddress }: PlainRecordKind, document: string): string {
  if (secretAddress === undefined) return document
  const { value } = readStored({ document, mediaType: 'application/json' })
  const address = asText(getField(value, secretAddress))
  if (!isObject(value) || address === undefined) return document
  const shown = URL.canParse(address) ? `${new URL(address).origin}/***` : '***'
  return jsonText({ ...value, [secretAddress]: shown })
}
