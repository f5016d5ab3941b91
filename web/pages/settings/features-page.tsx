import { useQuery } from '@tanstack/react-query'
import { listSettings } from '../../../formats/settings/lookup.ts'
import type { SettingMember } from '../../../formats/settings/table.ts'
import { client, type Answer } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
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
        {(stored) => <FeaturesForm key={organization?.id} stored={stored} />}
      </Loaded>
    </SettingsFrame>
  )
}

type Rules = Partial<Record<SettingMember<'features', 'enforced'>, boolean>>

/** The rules that the catalog enforces, as switches. */
const RULES: Required<{ readonly [Name in keyof Rules]: Pick<FieldRecord, 'title' | 'hint'> }> = {
  managedTagsPolicy: {
    title: 'Allow only managed tags',
    hint: 'Data products, data contracts, assets and teams can then only be saved with tags that the organization manages. Existing documents keep their tags until their next change.',
  },
}

const SWITCHES = listSettings('features').flatMap(({ member, values = [] }) =>
  isRule(member) ? [{ name: member, on: values[0] ?? true }] : [],
)

function isRule(name: string): name is keyof Rules {
  return Object.hasOwn(RULES, name)
}

function toRules({ value }: TaggedSetting<Features>): Rules {
  return Object.fromEntries(SWITCHES.map(({ name, on }) => [name, value[name] === on]))
}

function FeaturesForm({ stored }: { stored: TaggedSetting<Features> }) {
  const { reason } = mayOwn(useSession())
  const editing = useSettingEditing(stored, toRules)
  const { form: rules, change, base } = editing
  const saving = useSettingSaving({
    request: () =>
      client.PUT(PATH, {
        headers: toCondition(base.etag),
        body: {
          ...toKnown(base.value),
          ...Object.fromEntries(SWITCHES.map(({ name, on }) => [name, rules[name] ? on : null])),
        },
      }),
    notice: 'Rules saved',
    data: [{ queryKey: ['setting', PATH] }],
    editing,
  })
  return (
    <Panel title="Rules">
      <SettingForm
        label="Rules"
        editing={editing}
        saving={saving}
        reason={reason}
        saveLabel="Save rules"
      >
        <FormFields
          fields={SWITCHES.map(({ name }) => ({
            ...RULES[name],
            name,
            kind: 'yes-no',
            control: { disabled: reason !== undefined },
          }))}
          values={rules}
          onChange={change}
        />
        <Facts
          facts={[
            [
              'Team roles',
              <span key="roles">
                {stored.value.customTeamRolesEnabled === true ? 'Custom roles' : 'Default roles'}{' '}
                <Link href={paths.teamRoles}>
                  {reason === undefined ? 'Manage team roles' : 'See team roles'}
                </Link>
              </span>,
            ],
          ]}
        />
      </SettingForm>
    </Panel>
  )
}

// Returns the features without values that would be refused; earlier versions stored some.
function toKnown(stored: Features): Features {
  const usable = listSettings('features').filter(({ effect }) => effect !== 'refused')
  const names = new Set(usable.map(({ member }) => member))
  const refused = Object.keys(stored).filter((name) => !names.has(name))
  return { ...stored, ...Object.fromEntries(refused.map((name) => [name, null])) }
}
