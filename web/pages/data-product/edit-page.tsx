import { useQuery } from '@tanstack/react-query'
import { readText } from '../../api/document.ts'
import { EditDocument } from '../../documents/edit-document.tsx'
import { apiPathOf, type DocumentStart } from '../../documents/document-kind.ts'
import { parseVersion, RestoreVersion } from '../../documents/restore-version.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { usePathId } from '../../shell/path-id.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { PRODUCT_KIND } from './product-kind.ts'

const START = { from: '', version: '' }

/**
 * Creates a data product, or edits one. `?from=odps` begins with its conversion to ODPS, `?version=` with
 * an old version of it.
 */
export function EditDataProductPage() {
  const id = usePathId()
  const [{ from, version: oldVersion }] = useUrlState(START)
  if (id === undefined) return <EditDocument kind={PRODUCT_KIND} id={undefined} />
  if (from === 'odps') return <EditConversion id={id} />
  const version = parseVersion(oldVersion)
  if (version !== undefined) return <RestoreVersion kind={PRODUCT_KIND} id={id} version={version} />
  return <EditDocument key={id} kind={PRODUCT_KIND} id={id} />
}

function EditConversion({ id }: { id: string }) {
  const conversion = useQuery({
    queryKey: ['document', PRODUCT_KIND.api, id, 'odps'],
    queryFn: async () => await conversionOf(id),
  })
  return (
    <Loaded query={conversion} skeleton={<Page title={`Convert ${id}`}>{null}</Page>}>
      {(start) => <EditDocument key={`${id} odps`} kind={PRODUCT_KIND} id={id} start={start} />}
    </Loaded>
  )
}

async function conversionOf(id: string): Promise<DocumentStart> {
  const path = `${apiPathOf(PRODUCT_KIND, id)}?format=odps`
  const { text } = await readText(path, { accept: 'application/yaml' })
  return {
    text,
    mediaType: 'application/yaml',
    key: 'odps',
    note: 'This is the product as ODPS. Nothing is saved yet: read it, see below what saving would do, and save it.',
  }
}
