import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import type { DocumentKind } from './document-kind.ts'
import { EditDocument } from './edit-document.tsx'
import { versionQuery } from './stored-document.ts'

interface RestoreVersionProps {
  kind: DocumentKind
  id: string
  version: number
}

/** The editor of a document, filled with the text of an old version; also of a deleted document. */
export function RestoreVersion({ kind, id, version }: RestoreVersionProps) {
  const stored = useQuery(versionQuery(kind, id, version))
  return (
    <Loaded query={stored} skeleton={<Page title={`Restore ${id}`}>{null}</Page>}>
      {({ text, mediaType }) => (
        <EditDocument
          key={`${id} ${version}`}
          kind={kind}
          id={id}
          start={{
            text,
            mediaType,
            key: `version:${version}`,
            note: `This is version ${version}. Save it to restore it as a new version.`,
          }}
        />
      )}
    </Loaded>
  )
}

/** Returns the version number that an address names; undefined = none. */
export function parseVersion(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}
