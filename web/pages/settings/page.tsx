import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Fragment, useState } from 'react'
import { client, readBody } from '../../api/client.ts'
import { mayOwn, sessionQuery, useSession, type Session } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { CopyIcon } from '../../parts/copy.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { NewOrganizationDialog } from './new-organization-dialog.tsx'
import { SearchSynonymsPanel } from './search-synonyms-panel.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const USUAL = { new: '' }

/** The settings of the current organization. */
export function SettingsPage() {
  const session = useSession()
  const [{ new: isNew }, setUrl] = useUrlState(USUAL)
  const { reason } = mayOwn(session)
  const { organization } = session
  return (
    <SettingsFrame
      at={paths.settings}
      width="reading"
      actions={
        <Button icon={Plus} reason={reason} onClick={() => setUrl({ new: 'organization' })}>
          New organization
        </Button>
      }
    >
      {organization !== null && (
        // The forms start again with another organization.
        <Fragment key={organization.id}>
          <OrganizationPanel organization={organization} reason={reason} />
          <SearchSynonymsPanel canEdit={reason === undefined} />
        </Fragment>
      )}
      {isNew === 'organization' && reason === undefined && (
        <NewOrganizationDialog onClose={() => setUrl({ new: '' }, { replace: true })} />
      )}
    </SettingsFrame>
  )
}

interface OrganizationPanelProps {
  organization: NonNullable<Session['organization']>
  /** Why the person cannot rename it; undefined = they can. */
  reason: string | undefined
}

function OrganizationPanel({ organization, reason }: OrganizationPanelProps) {
  const queries = useQueryClient()
  const [name, setName] = useState(organization.name)
  const rename = useAction({
    request: () => readBody(client.PUT('/ui/organization', { body: { name } })),
    onSuccess(session) {
      queries.setQueryData(sessionQuery.queryKey, session)
      setName(session.organization?.name ?? name)
    },
    notice: 'Organization renamed',
  })
  const unchanged = name.trim() === organization.name ? 'The name has not changed.' : undefined
  return (
    <Panel title="Organization">
      <Form label="Organization" problem={rename.problem} fields={['name']} onSubmit={rename.run}>
        <TextField
          label="Name"
          field="name"
          required
          readOnly={reason !== undefined}
          value={name}
          onChange={setName}
        />
        <Facts
          facts={[
            ['Your role', organization.role],
            [
              'Id',
              <span key="id" className="-my-1.5 flex min-h-8 items-center gap-1">
                <code>{organization.id}</code>
                <CopyIcon text={organization.id} label="Copy id" />
              </span>,
            ],
          ]}
        />
        <SubmitButton busy={rename.isPending} reason={reason ?? unchanged}>
          Rename
        </SubmitButton>
      </Form>
    </Panel>
  )
}
