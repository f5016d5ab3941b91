import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { findProblem, type Problem } from '../../api/problem.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { teamsQuery } from '../../api/teams.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, RadioGroup, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import {
  chooseFirstTeam,
  groupEvents,
  startWebhookDraft,
  toWebhookFields,
  type EventGroup,
  type WebhookDraft,
} from './webhook-draft.ts'

const FIELDS = ['name', 'url', 'teamId', 'filterTeamId', 'eventTypes']

interface CreateWebhookDialogProps {
  /** The team that is chosen first if the person may choose it; empty = none. */
  teamId: string
  onClose: () => void
  onCreated: (webhook: Schemas['WebhookWithSecret']) => void
}

/** The form of a new webhook endpoint. */
export function CreateWebhookDialog({ teamId, onClose, onCreated }: CreateWebhookDialogProps) {
  const create = api.useMutation('post', '/api/webhooks', { onSuccess: onCreated })
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
        busy={create.isPending}
        problem={findProblem(create)}
        onSubmit={(draft) =>
          create.mutate({
            body: { ...toWebhookFields(draft), teamId: draft.teamId || null },
          })
        }
      />
    </Dialog>
  )
}

interface EditWebhookDialogProps {
  webhook: Schemas['Webhook']
  onClose: () => void
  onSaved: (webhook: Schemas['Webhook']) => void
}

/** The form of an existing webhook endpoint. */
export function EditWebhookDialog({ webhook, onClose, onSaved }: EditWebhookDialogProps) {
  const save = api.useMutation('put', '/api/webhooks/{id}', { onSuccess: onSaved })
  const { id, enabled, version } = webhook
  return (
    <Dialog open onClose={onClose} title="Edit webhook">
      <WebhookForm
        initial={startWebhookDraft(webhook, '')}
        isNew={false}
        action="Save webhook"
        busy={save.isPending}
        problem={findProblem(save)}
        onSubmit={(draft) =>
          save.mutate({
            params: { path: { id } },
            body: { ...toWebhookFields(draft), enabled, version },
          })
        }
      />
    </Dialog>
  )
}

interface WebhookFormProps {
  initial: WebhookDraft
  isNew: boolean
  action: string
  busy: boolean
  problem: Problem | undefined
  onSubmit: (draft: WebhookDraft) => void
}

function WebhookForm({ initial, isNew, action, busy, problem, onSubmit }: WebhookFormProps) {
  const [draft, setDraft] = useState(initial)
  const change = (patch: Partial<WebhookDraft>): void => setDraft({ ...draft, ...patch })
  const { sendsAll, eventTypes } = draft
  const reason =
    !sendsAll && eventTypes.length === 0 ? 'Choose at least one event, or all events.' : undefined
  return (
    <Form label="Webhook" problem={problem} fields={FIELDS} onSubmit={() => onSubmit(draft)}>
      <TextField
        label="Name"
        field="name"
        required
        maxLength={200}
        autoComplete="off"
        value={draft.name}
        onChange={(name) => change({ name })}
      />
      <TextField
        label="URL"
        hint="It must begin with https."
        field="url"
        required
        maxLength={2048}
        type="url"
        autoComplete="off"
        value={draft.url}
        onChange={(url) => change({ url })}
      />
      <TeamFields draft={draft} isNew={isNew} onChange={change} />
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
      {!sendsAll && (
        <EventChoice chosen={eventTypes} onChange={(names) => change({ eventTypes: names })} />
      )}
      <SubmitButton busy={busy} reason={reason}>
        {action}
      </SubmitButton>
    </Form>
  )
}

interface TeamFieldsProps {
  draft: WebhookDraft
  isNew: boolean
  onChange: (patch: Partial<WebhookDraft>) => void
}

function TeamFields({ draft: { teamId, filterTeamId }, isNew, onChange }: TeamFieldsProps) {
  const session = useSession()
  const { data: all = [] } = useQuery(teamsQuery)
  const owns = mayOwn(session).allowed
  const teams = owns
    ? all
    : all.filter(({ id }) => session.teams.some((team) => team.id === id && isManaged(team)))
  return (
    <>
      {isNew && (
        <ChoiceField
          label="Belongs to"
          hint="A webhook of a team gets the events of what the team and the teams below it own."
          field="teamId"
          value={teamId}
          choices={[
            ...(owns ? toChoices([], 'The organization') : []),
            ...toTeamChoices(teams, teamId),
          ]}
          onChange={(id) => onChange({ teamId: id })}
        />
      )}
      {teamId === '' && (
        <ChoiceField
          label="Only events of"
          field="filterTeamId"
          value={filterTeamId}
          choices={[...toChoices([], 'All teams'), ...toTeamChoices(all, filterTeamId)]}
          onChange={(id) => onChange({ filterTeamId: id })}
        />
      )}
    </>
  )
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
