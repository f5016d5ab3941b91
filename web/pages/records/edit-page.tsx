import type { DeclaredKind } from '../../../formats/record/kinds.ts'
import { EditDocument, prepareToEdit } from '../../documents/edit-document.tsx'
import { parseVersion } from '../../documents/parse-version.ts'
import type { PageComponent } from '../../shell/page-record.ts'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { newChunk, takePart } from '../../parts/lazy-part.ts'
import { toDocumentKind } from './document-kind.ts'

const RestoreVersion = takePart(
  newChunk(() => import('../../documents/edit-start.tsx')),
  (module) => module.RestoreVersion,
)

const START = { version: '' }

/** Creates the page on which a record is created or edited. `?version=` begins with an old version. */
export function createEditPage(kind: DeclaredKind): PageComponent {
  const documentKind = toDocumentKind(kind)
  // While the session and the document are still on their way.
  prepareToEdit(documentKind)
  return function EditRecordPage() {
    const id = usePathId()
    const [start] = useUrlState(START)
    const version = id === undefined ? undefined : parseVersion(start.version)
    if (id !== undefined && version !== undefined) {
      return <RestoreVersion kind={documentKind} id={id} version={version} />
    }
    return <EditDocument key={id} kind={documentKind} id={id} />
  }
}
