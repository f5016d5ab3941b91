import { GitCompare } from 'lucide-react'
import { ButtonLink } from '../parts/button.tsx'
import type { DocumentKind } from './document-kind.ts'
import { useVersions } from './history-list.tsx'

/** The link to the page on which versions of a document are compared. */
export function CompareVersionsLink({ kind, id }: { kind: DocumentKind; id: string }) {
  const { data } = useVersions(kind, id)
  const reason = data !== undefined && data.length < 2 ? 'Only one version exists.' : undefined
  return (
    <ButtonLink href={kind.versionsPage(id)} icon={GitCompare} reason={reason}>
      Compare versions
    </ButtonLink>
  )
}
