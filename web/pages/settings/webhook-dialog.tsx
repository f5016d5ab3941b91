import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, client, readBody, type Schemas } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { teamsQuery } from '../../api/teams.ts'
import { toChoices } from '../../parts/choices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, RadioGroup } from '../../parts/field.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction, type Action, type Refresh } from '../../shell/action.ts'
import { toTeamChoices } from '../../shell/team-choices.ts'
import {
  chooseFirstTeam,
  groupEvents,
  startWebhookDraft,
  toWebhookFields,
  type EventGroup,
  type WebhookDraft,
} from './webhook-draft.ts'

const FIELDS: readonly FieldRecord<keyof WebhookDraft>[] = [
  { name: 'name', title: 'Name', control: { required: true, maxLength: 200, autoComplete: 'off' } },
  {
    name: 'url',
    title: 'URL',
    hint: 'It must begin with https.',
    control: { required: true, maxLength: 2048, type: 'url', autoComplete: 'off' },
  },
  {
    name: 'teamId',
    kind: 'choice',
    title: 'Belongs to',
    hint: 'A webhook of a team gets the events of what the team and the teams below it own.',
  },
  { name: 'filterTeamId', kind: 'choice', title: 'Only events of' },
  { name: 'sendsAll', title: 'Events' },
  { name: 'eventTypes', title: 'Chosen events' },
]

/** Everything that shows webhooks and their deliveries. */
export const WEBHOOK_DATA: Refresh = [
  { predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/webhooks') },
]

interface CreateWebhookDialogProps {
  /** The team that is chosen first if the person may choose it; empty = none. */
  teamId: string
  onClose: () => void
  onCreated: (webhook: Schemas['WebhookWithSecret']) => void
}

/** The form of a new webhook endpoint. */
export function CreateWebhookDialog({ teamId, onClose, onCreated }: CreateWebhookDialogProps) {
  const create = useAction({
    request: (draft: WebhookDraft) =>
      readBody(
        client.POST('/api/webhooks', {
          body: { ...toWebhookFields(draft), teamId: draft.teamId || null },
        }),
      ),
    onSuccess: onCreated,
    refresh: WEBHOOK_DATA,
  })
  const session = useSession()
  const managed = session.teams.filter(isManaged).map(({ id }) => id)
  const first = chooseFirstTeam(teamId, { isOwner: mayOwn(session).allowed, managed })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Create webhook"
      description="Portbook sends a signed request for each event."
    >
      <WebhookForm
        initial={startWebhookDraft(undefined, first)}
        isNew
        action="Create webhook"
        sending={create}
      />
    </Dialog>
  )
}

interface EditWebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
}

/** The form of an existing webhook endpoint. */
export function EditWebhookDialog({ webhook, onClose }: EditWebhookDialogProps) {
  const { id, enabled, version } = webhook
  const save = useAction({
    request: (draft: WebhookDraft) =>
      client.PUT('/api/webhooks/{id}', {
        params: { path: { id } },
        body: { ...toWebhookFields(draft), enabled, version },
      }),
    onSuccess: onClose,
    refresh: WEBHOOK_DATA,
  })
  return (
    <Dialog open onClose={onClose} title="Edit webhook">
      <WebhookForm
        initial={startWebhookDraft(webhook, '')}
        isNew={false}
        action="Save webhook"
        sending={save}
      />
    </Dialog>
  )
}

interface WebhookFormProps {
  initial: WebhookDraft
  isNew: boolean
  action: string
  sending: Action<unknown, WebhookDraft>
}

function WebhookForm({ initial, isNew, action, sending }: WebhookFormProps) {
  const [draft, setDraft] = useState(initial)
  const change = (patch: Partial<WebhookDraft>): void => setDraft({ ...draft, ...patch })
  const { sendsAll, eventTypes, teamId } = draft
  const choices = useTeamChoices(draft)
  const reason =
    !sendsAll && eventTypes.length === 0 ? 'Choose at least one event, or all events.' : undefined
  return (
    <InputForm
      label="Webhook"
      fields={FIELDS}
      values={draft}
      onChange={setDraft}
      overrides={{
        teamId: { choices: choices.teamId, isHidden: !isNew },
        filterTeamId: { choices: choices.filterTeamId, isHidden: teamId !== '' },
        eventTypes: { isHidden: sendsAll },
      }}
      inputs={{
        sendsAll: (
          <RadioGroup
            label="Events"
            name="events"
            value={sendsAll ? 'all' : 'chosen'}
            options={[
              { value: 'all', label: 'All events' },
              { value: 'chosen', label: 'Chosen events' },
            ]}
            onChange={(value) => change({ sendsAll: value === 'all' })}
          />
        ),
        eventTypes: (
          <EventChoice chosen={eventTypes} onChange={(names) => change({ eventTypes: names })} />
        ),
      }}
      sending={sending}
      reason={reason}
      action={action}
      onSubmit={() => sending.run(draft)}
    />
  )
}

function useTeamChoices({ teamId, filterTeamId }: WebhookDraft) {
  const session = useSession()
  const { data: all = [] } = useQuery(teamsQuery)
  const owns = mayOwn(session).allowed
  const teams = owns
    ? all
    : all.filter(({ id }) => session.teams.some((team) => team.id === id && isManaged(team)))
  const organization = owns ? toChoices([], 'The organization') : []
  const any = toChoices([], 'All teams')
  return {
    teamId: [...organization, ...toTeamChoices(teams, teamId)],
    filterTeamId: [...any, ...toTeamChoices(all, filterTeamId)],
  }
}

function isManaged({ permissions }: { permissions: readonly string[] }): boolean {
  return permissions.includes('TEAM_EDIT')
}

interface EventChoiceProps {
  chosen: readonly string[]
  onChange: (names: readonly string[]) => void
}

function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const { data } = api.useQuery('get', '/ui/event-types', {}, { staleTime: Infinity })
  return (
    <div
      role="group"
      aria-label="Chosen events"
      tabIndex={0}
      className="grid max-h-72 gap-3 overflow-y-auto rounded-lg border border-line p-3"
    >
      {groupEvents(data?.eventTypes ?? []).map((group) => (
        <EventGroupChoice key={group.title} group={group} chosen={chosen} onChange={onChange} />
      ))}
    </div>
  )
}

function EventGroupChoice({ group, chosen, onChange }: EventChoiceProps & { group: EventGroup }) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 text-sm font-medium">{group.title}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-1.5">
        {group.events.map(({ name, label }) => (
          <Checkbox
            key={name}
            label={label}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
