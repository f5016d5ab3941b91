import { hash } from 'node:crypto'
import type { PlainRecordKind } from '../../../formats/record/plain-kind.ts'
import { readPlainRecord } from '../../../formats/record/read-plain.ts'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'
import type { Body } from '../../requests/http/body.ts'
import { readDocument } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import type { PlainRecordDraft } from './model.ts'

/** The document of a request, and the id under which it is stored. */
export type PlainRecordInput = Body & { id: string }

/** Creates the task that reads the documents of a kind of plain record. Errors: those of `readDocument`. */
export function newPlainRecordTask(
  kind: PlainRecordKind,
): Task<PlainRecordInput, PlainRecordDraft> {
  return {
    name: `${kind.kind}/read`,
    run({ id, ...body }) {
      const reading = readPlainRecord(kind, readDocument(body, { nodesMax: NODES_MAX }), id)
      if (!reading.ok) return reading
      const { record } = reading
      return { ok: true, row: { ...record, digest: hash('sha256', record.document) } }
    },
  }
}
