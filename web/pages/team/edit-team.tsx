import { Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { TEAM_FORM_FIELDS } from '../../../formats/team/team-fields.ts'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import { RightNotice } from '../../shell/right-notice.tsx'
import type { TeamPermit } from './save-permit.ts'
import type { StoredTeam } from './stored-team.ts'
import { useTeamEditing } from './team-editing.ts'
import { TeamFields } from './team-fields.tsx'
import { FIELD_NAMES, toTeamForm, type Rebased, type TeamFieldName } from './team-form-values.ts'

/** Changes a team without losing or overwriting concurrent changes of others. */
export function EditTeam({ id, stored }: { id: string; stored: StoredTeam }) {
  const editing = useTeamEditing(id, stored)
  const { name } = toTeamForm(stored.document)
  const { form, isChanged, isOutrun, merged } = editing
  return (
    <Page
      title={`Edit ${name}`}
      width="reading"
      trail={[
        { title: 'Teams', href: paths.teams },
        { title: name, href: paths.team(id) },
      ]}
      actions={
        <DeleteTeam id={id} name={name} etag={stored.etag} onDeleted={editing.leaving.leave} />
      }
    >
      <div className="grid gap-4">
        <Permit permit={editing.permit} />
        {isOutrun && <Outrun onTakeOver={editing.takeOver} />}
        {merged !== undefined && <Merged key={stored.etag} merged={merged} />}
        {editing.isRestored && isChanged && <Restored onDiscard={editing.startAgain} />}
        <Form label="Team" problem={editing.problem} fields={FIELD_NAMES} onSubmit={editing.save}>
          <TeamFields
            id={id}
            form={form}
            parentBefore={editing.parentBefore}
            onChange={editing.change}
          />
          <footer className="flex justify-end gap-2 border-t border-line pt-4">
            <ButtonLink href={paths.team(id)}>Cancel</ButtonLink>
            <Button type="submit" look="primary" busy={editing.isBusy} reason={editing.reason}>
              Save team
            </Button>
          </footer>
        </Form>
      </div>
      {editing.leaving.dialog}
    </Page>
  )
}

function Permit({ permit }: { permit: TeamPermit }) {
  if (permit.may === 'edit') return null
  if (permit.may === 'nothing') return <RightNotice permit={permit} />
  return (
    <RightNotice permit={permit} title="You can only leave this team">
      To leave it, remove yourself from the members, and save.
    </RightNotice>
  )
}

function Outrun({ onTakeOver }: { onTakeOver: () => void }) {
  return (
    <div role="alert">
      <Notice
        tone="caution"
        title="Another user changed this team while you were editing"
        actions={<Button onClick={onTakeOver}>Merge their changes</Button>}
      >
        What you typed stays, on top of what they saved.
      </Notice>
    </div>
  )
}

function Merged({ merged }: { merged: Rebased }) {
  const { taken, disputed } = merged
  const place = useRef<HTMLDivElement>(null)
  // The button that asked for it is gone, and the focus would be lost with it.
  useEffect(() => place.current?.focus(), [])
  return (
    <div ref={place} role="status" tabIndex={-1}>
      <Notice tone="info" title="Their changes were merged">
        {taken.length > 0 && <p>Merged from their version: {getNames(taken)}.</p>}
        {disputed.length > 0 && (
          <p>You both changed: {getNames(disputed)}. Saving replaces their values with yours.</p>
        )}
        {taken.length + disputed.length === 0 && <p>They changed no field of this form.</p>}
      </Notice>
    </div>
  )
}

function getNames(fields: readonly TeamFieldName[]): string {
  return TEAM_FORM_FIELDS.filter(({ name }) => fields.includes(name))
    .map(({ title }) => title)
    .join(', ')
}

function Restored({ onDiscard }: { onDiscard: () => void }) {
  return (
    <Notice
      tone="info"
      title="Your unsaved changes were restored"
      actions={<Button onClick={onDiscard}>Discard changes</Button>}
    >
      They were kept in this tab and are not saved yet.
    </Notice>
  )
}

interface DeleteTeamProps {
  id: string
  name: string
  etag: string | undefined
  /** Called before the page is left. */
  onDeleted: () => void
}

/** Deletes a team after asking. The server rejects a team that owns something or has teams below it. */
function DeleteTeam({ id, name, etag, onDeleted }: DeleteTeamProps) {
  const session = useSession()
  const headers = etag === undefined ? {} : { 'if-match': etag }
  return (
    <ActionButton
      label="Delete"
      icon={Trash2}
      reason={may(session, 'TEAM_DELETE', id).reason}
      title={`Delete ${name}?`}
      button="Delete team"
      danger
      request={() => client.DELETE('/api/teams/{id}', { params: { path: { id } }, headers })}
      onSuccess={onDeleted}
      notice="Team deleted"
      goTo={paths.teams}
      refresh="everything"
    >
      <p>
        Its API keys are deleted too, and its versions are kept. A team that owns something, or that
        has teams below it, cannot be deleted.
      </p>
    </ActionButton>
  )
}
