import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readText } from '../../api/document.ts'
import { may, useSession } from '../../api/session.ts'
import { teamsQuery, type Team } from '../../api/teams.ts'
import { toApiPath, type DocumentStart } from '../../documents/document-kind.ts'
import { EditDocument, prepareToEdit } from '../../documents/edit-document.tsx'
import { parseVersion } from '../../documents/parse-version.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { PRODUCT_KIND } from './product-kind.ts'
import { newChunk, takePart } from '../../parts/lazy-part.ts'
import { getTemplatesOwnedBy } from './product-templates.ts'

const starts = newChunk(() => import('../../documents/edit-start.tsx'))
const EditStart = takePart(starts, (module) => module.EditStart)
const RestoreVersion = takePart(starts, (module) => module.RestoreVersion)

const START = { from: '', version: '' }

// While the session and the document are still on their way.
prepareToEdit(PRODUCT_KIND)

/**
 * Creates a data product, or edits one. `?from=odps` begins with its conversion to ODPS, `?version=` with
 * an old version of it.
 */
export function EditDataProductPage() {
  const id = usePathId()
  const [{ from, version: oldVersion }] = useUrlState(START)
  if (id === undefined) return <NewDataProduct />
  if (from === 'odps') {
    const load = async (): Promise<DocumentStart> => await loadConversion(id)
    return <EditStart kind={PRODUCT_KIND} id={id} title={`Convert ${id}`} load={load} />
  }
  const version = parseVersion(oldVersion)
  if (version !== undefined) return <RestoreVersion kind={PRODUCT_KIND} id={id} version={version} />
  return <EditDocument key={id} kind={PRODUCT_KIND} id={id} />
}

function NewDataProduct() {
  const teams = useQuery(teamsQuery)
  return (
    <Loaded query={teams} skeleton={<Page title="New data product">{null}</Page>}>
      {(all) => <NewOwnedProduct teams={all} />}
    </Loaded>
  )
}

// If there is only one team that can own it, the form starts with that team.
function NewOwnedProduct({ teams }: { teams: readonly Team[] }) {
  const session = useSession()
  const [kind] = useState(() => {
    const owners = teams.filter(({ id }) => may(session, 'DATAPRODUCT_ADD', id).allowed)
    const [only] = owners
    if (only === undefined || owners.length > 1) return PRODUCT_KIND
    return { ...PRODUCT_KIND, templates: getTemplatesOwnedBy(only.id) }
  })
  return <EditDocument kind={kind} id={undefined} />
}

async function loadConversion(id: string): Promise<DocumentStart> {
  const path = `${toApiPath(PRODUCT_KIND, id)}?format=odps`
  const { text } = await readText(path, { accept: 'application/yaml' })
  return {
    text,
    mediaType: 'application/yaml',
    key: 'odps',
    note: 'This is the product converted to ODPS. Nothing is saved yet: review the document and the changes below, then save.',
  }
}
