import { DocumentVersions } from '../../documents/document-versions.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { PRODUCT_KIND } from './product-kind.ts'

/** The versions of a data product, any two of them compared. */
export function DataProductVersionsPage() {
  const id = usePathId() ?? ''
  return <DocumentVersions key={id} kind={PRODUCT_KIND} id={id} />
}
