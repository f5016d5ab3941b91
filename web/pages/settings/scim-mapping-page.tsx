import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { api, client, type Schemas } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { useTeamRoleNames } from '../../api/team-roles.ts'
import { useTeams } from '../../api/teams.ts'
import { IconButton } from '../../parts/button.tsx'
import { toChoices } from '../../parts/choices.ts'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Panel } from '../../parts/page.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { ReadersOnly } from '../../shell/right-readers.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import { paths } from '../../paths.ts'
import { UnmappedGroups } from './unmapped-groups.tsx'
import {
  describeMapping,
  NEW_ROW,
  toMapping,
  toRows,
  type MappedGroup,
  type MappingRow,
} from './scim-mapping-rows.ts'
import { scimMappingQuery, toCondition, type TaggedSetting } from './setting-query.ts'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const PATH = '/api/settings/scim-mapping'
const TYPES = toChoices([
  ['teamMemberRole', 'Role in a team'],
  ['teamMember', 'Member of a team'],
  ['organizationOwner', 'Owner of the organization'],
])

const CHOICE = { kind: 'choice', className: 'max-lg:col-span-full' } as const

const GROUP: readonly FieldRecord<keyof MappingRow>[] = [
  { name: 'scimGroup', title: 'SCIM group', control: { required: true, maxLength: 1000 } },
]

const FIELDS: readonly FieldRecord<keyof MappingRow>[] = [
  { ...CHOICE, name: 'type', title: 'Gives', choices: TYPES, control: { required: true } },
  {
    ...CHOICE,
    name: 'teamId',
    title: 'Team',
    allowsOther: true,
    control: { required: true, placeholder: 'Choose a team' },
  },
  {
    ...CHOICE,
    name: 'role',
    field: 'teamMemberRole',
    title: 'Role',
    allowsOther: true,
    control: { required: true, placeholder: 'Choose a role' },
  },
]

/** The roles that the groups of an identity provider give their members. */
export function ScimMappingPage() {
  return (
    <SettingsFrame at={paths.scimMapping}>
      <p className="max-w-3xl text-muted">
        The roles that groups of your directory or identity provider give their members. They add to
        the roles that people have in teams, and count at once.
      </p>
      <ReadersOnly things="the SCIM mapping">{() => <GroupMapping />}</ReadersOnly>
    </SettingsFrame>
  )
}

function GroupMapping() {
  const { organization } = useSession()
  const mapping = useQuery(scimMappingQuery(organization?.id))
  const use = api.useQuery('get', '/ui/mapped-groups')
  return (
    <>
      <Loaded query={mapping}>
        {(stored) => (
          <ScimMappingForm
            key={organization?.id}
            stored={stored}
            mapped={use.data?.mappings ?? []}
          />
        )}
      </Loaded>
      {use.data !== undefined && <UnmappedGroups use={use.data} />}
    </>
  )
}

type TaggedMapping = TaggedSetting<Schemas['ScimMapping']>

const toForm = ({ value }: TaggedMapping): readonly MappingRow[] => toRows(value)

interface ScimMappingFormProps {
  stored: TaggedMapping
  /** The people of the stored mappings. */
  mapped: readonly MappedGroup[]
}

function ScimMappingForm({ stored, mapped }: ScimMappingFormProps) {
  const { reason } = mayOwn(useSession())
  const editing = useSettingEditing(stored, toForm)
  const { form: rows, base } = editing
  const saving = useSettingSaving({
    request: () =>
      client.PUT(PATH, { headers: toCondition(base.etag), body: toMapping(base.value, rows) }),
    notice: 'SCIM mapping saved',
    data: [{ queryKey: ['setting', PATH] }, { queryKey: ['get', '/ui/mapped-groups'] }],
    editing,
  })
  return (
    <Panel title="Groups and their roles">
      <SettingForm
        label="SCIM mapping"
        fields={rows.map((_, at) => `scimGroupMappings[${at}]`)}
        editing={editing}
        saving={saving}
        reason={reason}
        saveLabel="Save mapping"
      >
        <RowList
          title="Groups"
          hint="Comments of a mapping that a client sent as YAML are lost when you save."
          rows={rows}
          addLabel="Add group"
          newRow={NEW_ROW}
          onChange={editing.change}
        >
          {(row, at, { set, remove }) => (
            <MappingFields row={row} at={at} mapped={mapped} onChange={set} onRemove={remove} />
          )}
        </RowList>
      </SettingForm>
    </Panel>
  )
}

interface MappingFieldsProps {
  row: MappingRow
  at: number
  mapped: readonly MappedGroup[]
  onChange: (row: MappingRow) => void
  onRemove: () => void
}

function MappingFields({ row, at, mapped, onChange, onRemove }: MappingFieldsProps) {
  const { scimGroup, type, teamId } = row
  const present = useTeams()
  const teams = toTeamChoices(present ?? [], teamId)
  const facts = describeMapping(row, { mapped, teamIds: present?.map(({ id }) => id) })
  const roles = toChoices(useTeamRoleNames())
  const common = { values: row, onChange, path: `scimGroupMappings[${at}]` }
  return (
    <div
      role="group"
      aria-label={scimGroup === '' ? `Group ${at + 1}` : scimGroup}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-2 border-b border-line pb-3 lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <FormFields fields={GROUP} {...common} />
      <IconButton
        label={`Remove ${scimGroup === '' ? `group ${at + 1}` : scimGroup}`}
        icon={X}
        className="mt-6 lg:order-last"
        onClick={onRemove}
      />
      <FormFields
        fields={FIELDS}
        {...common}
        overrides={{
          teamId: { choices: teams, isHidden: type === 'organizationOwner' },
          role: { choices: roles, isHidden: type !== 'teamMemberRole' },
        }}
      />
      {facts.length > 0 && (
        <p className="col-span-full text-sm text-muted lg:order-last">{facts.join(' ')}</p>
      )}
    </div>
  )
}
