import { newDocumentTasks, type DocumentTasks } from '../../documents/task.ts'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { newRecordReader } from './record-reader.ts'

/** Creates the tasks of a kind of record. Their names begin with the kind. */
export function newRecordTasks(declared: DeclaredKind): DocumentTasks<null> {
  return newDocumentTasks(newRecordReader(declared))
}
