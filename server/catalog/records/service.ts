import type { DocumentType } from '../../documents/document-type.ts'
import { toDocumentSchema } from '../../requests/http/document-schema.ts'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { toIdKey } from './record-reader.ts'
import { findSimilarId, findUses } from './store.ts'
import { newRecordTasks } from './task.ts'
import { NODES_MAX } from '../../../formats/text/json-scan.ts'

const BYTES_MAX = 1024 * 1024

/** Creates the type of document of a kind of record. */
export function newRecordType(declared: DeclaredKind): DocumentType<null> {
  const { kind, label, paths } = declared
  const names = label.toLowerCase()
  return {
    kind,
    ...(paths.owner === undefined
      ? { unownedRule: `Only organization owners and organization keys can change ${names}.` }
      : { ownerAdvice: 'Name the owning team in the document.' }),
    bytesMax: BYTES_MAX,
    nodesMax: NODES_MAX,
    schema: toDocumentSchema(declared.shape).openapi(declared.event),
    tasks: newRecordTasks(declared),
    ...(declared.ignoresIdCase === true && {
      findIdConflict: async ({ db }, key) =>
        await findSimilarId(db, { ...key, kind }, toIdKey(key.id)),
    }),
    async getConsequences({ db }, { organizationId, id, isUpdate }) {
      const usedBy = isUpdate ? await findUses(db, { organizationId, kind, id }) : undefined
      return { affected: [], warnings: [], ...(usedBy && { usedBy }) }
    },
    listUses: async ({ db }, key) => await findUses(db, { ...key, kind }),
  }
}
