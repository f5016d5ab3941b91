import { readAcceptedJson } from '../../../formats/text/json-read.ts'
import { isObject, type ObjectValue } from '../../../formats/text/value.ts'
import { readText } from '../../api/document.ts'
import { useDocumentSaving } from '../../documents/document-form.tsx'
import { paths } from '../../paths.ts'

/** A team's document with the tag of its version. */
export interface StoredTeam {
  document: ObjectValue
  etag: string | undefined
}

/** Reads a team to be changed. Errors: Problem. */
export async function readTeam(id: string, signal: AbortSignal): Promise<StoredTeam> {
  const { text, etag } = await readText(toApiPath(id), { signal })
  const source = readAcceptedJson(text)
  const document = source.ok ? source.spelled() : {}
  return { document: isObject(document) ? document : {}, etag }
}

/** Returns the action that saves a team and leads to its page. */
export function useTeamSaving() {
  return useDocumentSaving({
    toApiPath,
    toPage: paths.team,
    // Roles and places of teams reach far: what may be done may have changed everywhere.
    refresh: 'everything',
    stored: [{ queryKey: ['team'] }],
  })
}

function toApiPath(id: string): string {
  return `/api/teams/${encodeURIComponent(id)}`
}
