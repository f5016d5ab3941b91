import { api } from '../../api/client.ts'
import { maySomewhere, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { usePathId } from '../../shell/path-id.ts'
import { WizardPage } from './wizard.tsx'

/** Connects a source, or changes how one is connected, step by step. */
export function EditIntegrationPage() {
  const id = usePathId()
  return id === undefined ? <NewIntegration /> : <ChangedIntegration key={id} id={id} />
}

function NewIntegration() {
  const session = useSession()
  const sources = api.useQuery('get', '/ui/sources', {}, { staleTime: 300_000 })
  const { reason } = maySomewhere(session, 'INGESTION_EDIT')
  // Who owns the organization may leave the team out; everybody else needs one of their own.
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
  const sources = api.useQuery('get', '/ui/sources', {}, { staleTime: 300_000 })
  const form = api.useQuery(
    'get',
    '/ui/integrations/{externalId}',
    { params: { path: { externalId: id } } },
    // What is typed here belongs to the version that it began with.
    { staleTime: Number.POSITIVE_INFINITY, refetchOnMount: 'always', refetchOnWindowFocus: false },
  )
  const trail = [...TRAIL, { title: form.data?.name ?? id, href: paths.integration(id) }]
  return (
    <Page title="Edit the integration" trail={trail}>
      <Loaded query={sources}>
        {(known) => (
          <Loaded query={form}>
            {(found) =>
              found.mayEdit ? (
                <WizardPage subject={{ sources: known, form: found, owner: '' }} />
              ) : (
                <NotAllowed
                  reason="You may look at this integration, and need INGESTION_EDIT on its team to change it."
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
    <Empty
      title="This is not for you to change"
      action={<ButtonLink href={href}>Go back</ButtonLink>}
    >
      {reason} An owner of the team can give you the role of an Editor.
    </Empty>
  )
}
