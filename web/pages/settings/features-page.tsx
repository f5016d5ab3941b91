import { useQuery } from '@tanstack/react-query'
import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Checkbox } from '../../parts/field.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useSettingEditing, useSettingSaved } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { featuresQuery, toCondition, type TaggedSetting } from './setting-query.ts'
import { SettingsFrame } from './settings-frame.tsx'

type Features = Answer<'/api/organization/features', 'get'>

const PATH = '/api/organization/features'

/** The optional rules of the organization. */
export function FeaturesPage() {
  const { organization } = useSession()
  const features = useQuery(featuresQuery(organization?.id))
  return (
    <SettingsFrame at={paths.features} width="reading">
      <Loaded query={features}>
        {(stored) => (
          <>
            <FeaturesForm key={organization?.id} stored={stored} />
            <ClientFeatures stored={stored.value} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  )
}

const isManagedBy = ({ value }: TaggedSetting<Features>): boolean =>
  value.managedTagsPolicy === 'only-managed-tags-allowed'

function FeaturesForm({ stored }: { stored: TaggedSetting<Features> }) {
  const { reason } = mayOwn(useSession())
  const editing = useSettingEditing(stored, isManagedBy)
  const { form: isManaged, change, base, discard } = editing
  const { save, problem, isPending } = useSaveFeatures(base.etag, discard)
  return (
    <Panel title="Rules">
      <SettingForm
        label="Rules"
        editing={editing}
        problem={problem}
        isSaving={isPending}
        reason={reason}
        saveLabel="Save rules"
        onSave={() =>
          save({ ...base.value, managedTagsPolicy: isManaged ? 'only-managed-tags-allowed' : null })
        }
      >
        <Checkbox
          label="Allow only managed tags"
          hint="Data products, data contracts, assets and teams can then only be saved with tags that the organization manages. Existing documents keep their tags until their next change."
          disabled={reason !== undefined}
          checked={isManaged}
          onChange={({ target }) => change(target.checked)}
        />
        <Facts
          facts={[
            [
              'Team roles',
              <span key="roles">
                {stored.value.customTeamRolesEnabled === true ? 'Custom roles' : 'Default roles'}{' '}
                <Link href={paths.teamRoles}>Manage team roles</Link>
              </span>,
            ],
          ]}
        />
      </SettingForm>
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

function useSaveFeatures(etag: string | undefined, discard: () => void) {
  const saved = useSettingSaved(['setting', PATH], 'Rules saved', discard)
  const mutation = api.useMutation('put', PATH, saved)
  return {
    save: (body: Features) => mutation.mutate({ body, headers: toCondition(etag) }),
    problem: findProblem(mutation),
    isPending: mutation.isPending,
  }
}
