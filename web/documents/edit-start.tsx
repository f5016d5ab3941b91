import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { toApiPath, type DocumentKind, type DocumentStart } from './document-kind.ts'
import { EditDocument } from './edit-document.tsx'
import { readStoredText, storedQuery } from './stored-document.ts'

interface EditStartProps {
  kind: DocumentKind
  /** Undefined = a new document. */
  id: string | undefined
  title: string
  /** Loads the text to start from. */
  load: () => Promise<DocumentStart>
}

/** The editor of a document that starts from a text of the server: a draft, a conversion, an old version. */
export function EditStart({ kind, id, title, load }: EditStartProps) {
  const start = useQuery({
    queryKey: ['document', kind.api, id ?? '', 'start', title],
    async queryFn({ client }) {
      // The text must not be older than the version that it replaces: a save in between is then a conflict.
      if (id !== undefined) await client.prefetchQuery(storedQuery(kind, id))
      return await load()
    },
    // Refetching the text must not discard input, and the next visit needs a new one.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const skeleton = (
    <Page title={title} trail={[kind.list]}>
      {null}
    </Page>
  )
  return (
    <Loaded query={start} skeleton={skeleton}>
      {(data) => <EditDocument key={title} kind={kind} id={id} start={data} />}
    </Loaded>
  )
}

interface RestoreVersionProps {
  kind: DocumentKind
  id: string
  version: number
}

/** The editor of a document, filled with the text of an old version; also of a deleted document. */
export function RestoreVersion({ kind, id, version }: RestoreVersionProps) {
  const load = async (): Promise<DocumentStart> => {
    const { text, mediaType } = await readStoredText(`${toApiPath(kind, id)}/versions/${version}`)
    const note = `This is version ${version}. Save it to restore it as a new version.`
    return { text, mediaType, key: `version:${version}`, note }
  }
  return <EditStart kind={kind} id={id} title={`Restore ${id}, version ${version}`} load={load} />
}
