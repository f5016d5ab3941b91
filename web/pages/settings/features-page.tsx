import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import { featuresQuery, toCondition } from './setting-query.ts'
import { SettingsFrame } from './settings-frame.tsx'

type Features = Answer<'/api/organization/features', 'get'>

const PATH = '/api/organization/features'

/** The optional rules of the organization. */
export function FeaturesPage() {
  const features = useQuery(featuresQuery(useSession().organization?.id))
  return (
    <SettingsFrame at={paths.features} width="reading">
      <Loaded query={features}>
        {({ value: stored, etag }) => (
          <>
            <FeaturesForm key={etag} stored={stored} etag={etag} />
            <ClientFeatures stored={stored} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  )
}

interface FeaturesFormProps {
  stored: Features
  etag: string | undefined
}

function FeaturesForm({ stored, etag }: FeaturesFormProps) {
  const { reason } = mayOwn(useSession())
  const isStored = stored.managedTagsPolicy === 'only-managed-tags-allowed'
  const [isManaged, setManaged] = useState(isStored)
  const { save, problem, isPending } = useSaveFeatures(etag)
  const unchanged = isManaged === isStored ? 'No changes to save.' : undefined
  return (
    <Panel title="Rules">
      <Form
        label="Rules"
        problem={problem}
        onSubmit={() =>
          save({ ...stored, managedTagsPolicy: isManaged ? 'only-managed-tags-allowed' : null })
        }
      >
        <Checkbox
          label="Allow only managed tags"
          hint="Data products, data contracts, assets and teams can then only be saved with tags that the organization manages. Existing documents keep their tags until their next change."
          disabled={reason !== undefined}
          checked={isManaged}
          onChange={({ target }) => setManaged(target.checked)}
        />
        <Facts
          facts={[
            [
              'Team roles',
              <span key="roles">
                {stored.customTeamRolesEnabled === true ? 'Custom roles' : 'Default roles'}{' '}
                <Link href={paths.teamRoles}>Manage team roles</Link>
              </span>,
            ],
          ]}
        />
        <SubmitButton busy={isPending} reason={reason ?? unchanged}>
          Save rules
        </SubmitButton>
      </Form>
    </Panel>
  )
}

const CLIENT_FEATURES = [
  ['Change process', 'changeProcessMode'],
  ['Contract tests', 'dataContractTestsEnabled'],
  ['Tags of contract tests', 'dataContractTestsTags'],
  ['“Open in” options', 'openInOptions'],
  ['Custom script', 'customScript'],
  ['Intelligence', 'intelligenceEnabled'],
  ['Queries by intelligence', 'intelligenceQueryExecutionEnabled'],
] as const

/** The features that other clients have stored. */
function ClientFeatures({ stored }: { stored: Features }) {
  return (
    <Panel title="For other clients">
      <div className="grid gap-3">
        <p className="text-muted">
          Clients of the API store these features here and read them. They change nothing in
          Portbook.
        </p>
        <Facts
          facts={CLIENT_FEATURES.map(([title, name]) => [title, toText(stored[name])] as const)}
        />
      </div>
    </Panel>
  )
}

function toText(value: unknown): string {
  if (value === null || value === undefined) return 'Not set'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function useSaveFeatures(etag: string | undefined) {
  const queries = useQueryClient()
  const showToast = useToast()
  const mutation = api.useMutation('put', PATH, {
    async onSuccess() {
      showToast('Rules saved')
      await queries.invalidateQueries({ queryKey: ['setting', PATH] })
    },
  })
  return {
    save: (body: Features) => mutation.mutate({ body, headers: toCondition(etag) }),
    problem: findProblem(mutation),
    isPending: mutation.isPending,
  }
}
