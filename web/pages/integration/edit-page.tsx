import { api } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { may, maySomewhere, useSession } from '../../api/session.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { RightNotice } from '../../shell/right-notice.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { WizardPage } from './wizard.tsx'

/** The page of the wizard that creates or changes an integration. */
export function EditIntegrationPage() {
  const id = usePathId()
  return id === undefined ? <NewIntegration /> : <ChangedIntegration key={id} id={id} />
}

function NewIntegration() {
  const session = useSession()
  const sources = useSources()
  const { allowed } = maySomewhere(session, 'INGESTION_EDIT')
  // Only owners of the organization can create an integration without a team.
  const isOwner = session.organization?.role === 'Owner'
  const own = session.teams.find(({ permissions }) => permissions.includes('INGESTION_EDIT'))
  return (
    <Page title="Connect a source" trail={TRAIL}>
      {/* The head of the page explains it otherwise. */}
      {allowed && (
        <Loaded query={sources}>
          {(known) => (
            <WizardPage
              subject={{ sources: known, form: undefined, owner: isOwner ? '' : (own?.id ?? '') }}
            />
          )}
        </Loaded>
      )}
    </Page>
  )
}

const TRAIL = [{ title: 'Integrations', href: paths.integrations }]

function ChangedIntegration({ id }: { id: string }) {
  const session = useSession()
  const sources = useSources()
  const form = api.useQuery(
    'get',
    '/ui/integrations/{externalId}',
    { params: { path: { externalId: id } } },
    // The draft belongs to the version that it started from.
    { staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always', refetchOnWindowFocus: false },
  )
  const trail = [...TRAIL, { title: form.data?.name ?? id, href: paths.integration(id) }]
  return (
    <Page title="Edit integration" trail={trail}>
      <Loaded query={sources}>
        {(known) => (
          <Loaded query={form}>
            {(found) =>
              found.mayEdit ? (
                <WizardPage subject={{ sources: known, form: found, owner: '' }} />
              ) : (
                <RightNotice permit={may(session, 'INGESTION_EDIT', found.owningTeamExternalId)} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}
