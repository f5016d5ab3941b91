import { DocumentVersions } from '../../documents/document-versions.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { CONTRACT_KIND } from './contract-kind.ts'

/** The versions of a data contract, any two of them compared. */
export function DataContractVersionsPage() {
  return <DocumentVersions kind={CONTRACT_KIND} id={usePathId() ?? ''} />
}
