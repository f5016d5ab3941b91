import { readAcceptedJson } from '../../../formats/text/json-read.ts'
import { isObject, type ObjectValue } from '../../../formats/text/value.ts'
import { readText } from '../../api/document.ts'

/** A team's document with the tag of its version. */
export interface StoredTeam {
  document: ObjectValue
  etag: string | undefined
}

/** Reads a team to be changed. Errors: Problem. */
export async function readTeam(id: string, signal: AbortSignal): Promise<StoredTeam> {
  const { text, etag } = await readText(`/api/teams/${encodeURIComponent(id)}`, { signal })
  const source = readAcceptedJson(text)
  const document = source.ok ? source.spelled() : {}
  return { document: isObject(document) ? document : {}, etag }
}
