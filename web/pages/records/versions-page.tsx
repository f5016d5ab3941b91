import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { DocumentVersions } from '../../documents/document-versions.tsx'
import type { PageComponent } from '../../shell/page-record.ts'
import { usePathId } from '../../shell/url-state.ts'
import { toDocumentKind } from './document-kind.ts'

/** Creates the page on which any two versions of a record are compared. */
export function createVersionsPage(kind: DeclaredKind): PageComponent {
  const documentKind = toDocumentKind(kind)
  return function RecordVersionsPage() {
    const id = usePathId() ?? ''
    return <DocumentVersions key={id} kind={documentKind} id={id} />
  }
}
