import { may, useSession } from '../../api/session.ts'
import { useTeams } from '../../api/teams.ts'
import { Field, Input, Select } from '../../parts/field.tsx'
import { messageFor } from '../../parts/schema-form-values.ts'
import { ScheduleField } from './schedule-field.tsx'
import { StepFooter } from './step-footer.tsx'
import type { Wizard } from './use-wizard.ts'

/** What the integration is called, whose it is, and when it runs. */
export function DetailsStep({ wizard }: { wizard: Wizard }) {
  const { draft, violations, form } = wizard
  return (
    <>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          hint="As people call the source."
          error={messageFor(violations, 'name')}
        >
          {(control) => (
            <Input
              {...control}
              value={draft.name}
              maxLength={200}
              aria-required
              placeholder="Warehouse"
              autoComplete="off"
              onChange={(event) => wizard.patch({ name: event.target.value }, 'name')}
            />
          )}
        </Field>
        <Field
          label="Id"
          optional={form === undefined}
          hint={
            form === undefined
              ? 'For programs and addresses. Empty: made of the name.'
              : 'It stays, because programs know it.'
          }
          error={messageFor(violations, 'externalId')}
        >
          {(control) => (
            <Input
              {...control}
              value={draft.externalId}
              readOnly={form !== undefined}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => wizard.patch({ externalId: event.target.value }, 'externalId')}
            />
          )}
        </Field>
        <OwnerField wizard={wizard} />
      </div>
      <ScheduleField wizard={wizard} />
      <StepFooter wizard={wizard} />
    </>
  )
}

function OwnerField({ wizard }: { wizard: Wizard }) {
  const { draft, violations } = wizard
  const session = useSession()
  const isOwner = session.organization?.role === 'Owner'
  const all = useTeams()
  const own = session.teams.filter(({ id }) => may(session, 'INGESTION_EDIT', id).allowed)
  const known = (isOwner ? all : own) ?? []
  const teams = known.map(({ id, name }) => ({ id, name }))
  // What is chosen is shown also while the list is on its way, or when it is not among them.
  const isListed = draft.owner === '' || teams.some(({ id }) => id === draft.owner)
  return (
    <Field
      label="Owner"
      hint="The team that may change and run it, and owns what it brings unless a person says otherwise."
      error={messageFor(violations, 'owningTeamExternalId')}
    >
      {(control) => (
        <Select
          {...control}
          value={draft.owner}
          onChange={(event) => wizard.patch({ owner: event.target.value }, 'owningTeamExternalId')}
        >
          {(isOwner || draft.owner === '') && (
            <option value="">No team: the owners of the organization</option>
          )}
          {!isListed && <option value={draft.owner}>{draft.owner}</option>}
          {teams
            .toSorted((a, b) => a.name.localeCompare(b.name))
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </Select>
      )}
    </Field>
  )
}
