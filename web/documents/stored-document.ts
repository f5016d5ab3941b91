import { queryOptions } from '@tanstack/react-query'
import type { MediaType } from '../../formats/text/text.ts'
import { readText } from '../api/document.ts'
import { toApiPath, type DocumentKind } from './document-kind.ts'

/** A document as it is stored, and as JSON. */
export interface StoredText {
  /** The very text that was sent. */
  text: string
  mediaType: MediaType
  /** The same as JSON. */
  json: string
  /** The value for `If-Match`: the tag of the document's meaning. */
  etag: string
  /** The instant at which its format ends; undefined = it does not. */
  sunset: string | undefined
  /** The id of the owning team; undefined = no team owns the document, or this is an old version of it. */
  owner: string | undefined
}

/** Reads a document of any address in the form in which it was sent. Errors: Problem. */
export async function readStoredText(path: string, signal?: AbortSignal): Promise<StoredText> {
  const json = await readText(path, { accept: 'application/json', signal })
  const tag = json.etag ?? ''
  const etag = tag.replace(/\.json"$/, '"')
  const sunset = json.headers.get('sunset') ?? undefined
  const owner = decodeOwner(json.headers.get('portbook-owner'))
  const common = { json: json.text, etag, sunset, owner }
  // The tag of a converted form has a suffix: then it was sent as YAML.
  if (etag === tag) return { ...common, text: json.text, mediaType: 'application/json' }
  const yaml = await readText(path, { accept: 'application/yaml', signal })
  return { ...common, text: yaml.text, mediaType: 'application/yaml' }
}

function decodeOwner(header: string | null): string | undefined {
  return header === null ? undefined : decodeURIComponent(header)
}

/** Asks for a document as it is now. */
export function storedQuery(kind: Pick<DocumentKind, 'api'>, id: string) {
  return queryOptions({
    queryKey: ['document', kind.api, id],
    queryFn: async ({ signal }) => await readStoredText(toApiPath(kind, id), signal),
  })
}

/** Asks for one version of a document. */
export function versionQuery(kind: Pick<DocumentKind, 'api'>, id: string, version: number) {
  return queryOptions({
    queryKey: ['document', kind.api, id, version],
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) =>
      await readStoredText(`${toApiPath(kind, id)}/versions/${version}`, signal),
  })
}
