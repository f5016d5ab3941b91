import type { MediaType } from '../../../formats/text/text.ts'
import { formatPath, toFileText } from '../../../formats/text/text.ts'
import { ApiError, type Violation } from '../../platform/errors.ts'
import { readDocument } from '../../requests/http/document.ts'
import type { Task } from '../../requests/http/offload.ts'
import type { DirectoryMapping } from './directory-mapping.ts'
import { ORGANIZATION_DOCUMENTS } from './kinds.ts'
import type { OrganizationDocumentText } from './organization-document.ts'

/** An organization document that was sent. */
interface SentSettings {
  kind: string
  text: string
  mediaType: MediaType
}

const VIOLATIONS_MAX = 100

/** The text to store, with the rows that follow from it. */
interface ReadSettings extends OrganizationDocumentText {
  mappings?: DirectoryMapping[] | undefined
}

/** Reads an organization document that was sent. Returns the text to store. */
export const readOrganizationDocument: Task<SentSettings, ReadSettings> = {
  name: 'readOrganizationDocument',
  run({ kind, text, mediaType }) {
    const declared = ORGANIZATION_DOCUMENTS.find((one) => one.kind === kind)
    if (declared === undefined) throw new Error(`unknown kind of organization document: ${kind}`)
    const source = readDocument({ text, mediaType })
    const read = declared.schema.safeParse(source.value, {
      error: ({ code, input }) =>
        code === 'invalid_type' && input === undefined ? 'is missing' : undefined,
    })
    if (!read.success) {
      const violations = read.error.issues.slice(0, VIOLATIONS_MAX).map((issue): Violation => {
        const path = issue.path.filter((step) => typeof step !== 'symbol')
        return { field: formatPath(path), message: issue.message, ...source.locate(path) }
      })
      const [first] = violations
      const detail = `${first?.field ?? ''}: ${first?.message ?? ''}`
      throw new ApiError(declared.errorCode, detail, { violations })
    }
    const mappings = declared.listMappings?.(read.data)
    if (declared.isKeptAsSent) return { document: toFileText(source), mediaType, mappings }
    return { document: JSON.stringify(read.data), mediaType: 'application/json' }
  },
}
