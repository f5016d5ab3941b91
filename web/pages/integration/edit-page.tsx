import { api } from '../../api/client.ts'
import { useSources } from '../../api/sources.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
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
  const { reason } = maySomewhere(session, 'INGESTION_EDIT')
  // Only owners of the organization can create an integration without a team.
  const isOwner = session.organization?.role === 'Owner'
  const own = session.teams.find(({ permissions }) => permissions.includes('INGESTION_EDIT'))
  return (
    <Page title="Connect a source" trail={TRAIL}>
      {reason === undefined ? (
        <Loaded query={sources}>
          {(known) => (
            <WizardPage
              subject={{ sources: known, form: undefined, owner: isOwner ? '' : (own?.id ?? '') }}
            />
          )}
        </Loaded>
      ) : (
        <NotAllowed reason={reason} href={paths.integrations} />
      )}
    </Page>
  )
}

const TRAIL = [{ title: 'Integrations', href: paths.integrations }]

function ChangedIntegration({ id }: { id: string }) {
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
                <NotAllowed
                  reason="Only editors of its team and owners of the organization can change this integration."
                  href={paths.integration(id)}
                />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function NotAllowed({ reason, href }: { reason: string; href: string }) {
  return (
    <Empty title="You cannot edit this" action={<ButtonLink href={href}>Go back</ButtonLink>}>
      {reason} Ask an owner of the team to make you an editor.
    </Empty>
  )
}
