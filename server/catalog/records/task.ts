import { newDocumentTasks, type DocumentTasks } from '../../documents/task.ts'
import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { newRecordReader } from './record-reader.ts'
import type { AlternativeForm } from '../../../formats/record/record-kind.ts'
import { toSchemaProperty } from '../../../formats/record/schema-property.ts'
import { jsonText } from '../../../formats/text/text.ts'
import type { ObjectValue, Value } from '../../../formats/text/value.ts'
import { readStored, type StoredText } from '../../requests/http/document.ts'
import type { Task, TextOutput } from '../../requests/http/offload.ts'

/** A record to convert. */
interface AlternativeInput extends StoredText {
  id: string
  form: AlternativeForm
}

const FORMS: Readonly<Record<AlternativeForm, (value: Value, id: string) => ObjectValue>> = {
  'schema-property': toSchemaProperty,
}

/** Writes a record in another form. */
export const writeAlternative: Task<AlternativeInput, TextOutput> = {
  name: 'writeAlternative',
  run({ id, form, ...stored }) {
    const text = jsonText(FORMS[form](readStored(stored).spelled(), id))
    return { text, mediaType: 'application/json', headers: {} }
  },
}

/** Creates the tasks of a kind of record. Their names begin with the kind. */
export function newRecordTasks(declared: DeclaredKind): DocumentTasks<null> {
  return newDocumentTasks(newRecordReader(declared))
}
