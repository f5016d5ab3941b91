import { jsonText } from '../../../formats/text/value.ts'
import { may, maySomewhere, useSession } from '../../api/session.ts'
import { TakenNotice, useLeaving } from '../../documents/document-form.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Page } from '../../parts/page.tsx'
import { proposeId } from '../../parts/propose-id.ts'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { RightNotice } from '../../shell/right-notice.tsx'
import { useTeamSaving } from './stored-team.ts'
import { TeamFields } from './team-fields.tsx'
import {
  toTeamDocument,
  FIELD_NAMES,
  findTeamIdProblem,
  toTeamForm,
  isSame,
  type TeamForm,
} from './team-form-values.ts'

interface Draft {
  /** Undefined = it follows the name. */
  id: string | undefined
  form: TeamForm
}

/** Creates a team, below another one or at the top. */
export function NewTeam({ parent }: { parent: string }) {
  const session = useSession()
  const initial: Draft = { id: undefined, form: { ...toTeamForm({}), parent } }
  const draft = useDraft<Draft>(`team:${session.organization?.id}:new:${parent}`, initial)
  const { leave, dialog } = useLeaving(draft, !isSame(draft.value, initial))
  const saving = useTeamSaving()
  const { problem } = saving
  const isTaken = problem?.status === 412
  const { form } = draft.value
  const id = draft.value.id ?? proposeId(form.name)
  const permit = may(session, 'TEAM_ADD', form.parent === '' ? null : form.parent)
  const anywhere = maySomewhere(session, 'TEAM_ADD')
  const save = (): void => {
    if (findTeamIdProblem(id) !== undefined || !permit.allowed) return
    const document = { ...toTeamDocument({}, form), name: form.name.trim(), type: form.type }
    const text = jsonText(document)
    saving.run({ id, text, etag: undefined, message: 'Team created', onSaved: leave })
  }
  return (
    <Page title="Create team" width="reading" trail={[{ title: 'Teams', href: paths.teams }]}>
      <div className="grid gap-4">
        <RightNotice permit={anywhere.allowed ? permit : anywhere}>
          {anywhere.allowed && 'You can create it below a team that you own: choose its parent.'}
        </RightNotice>
        {isTaken && <TakenNotice id={id} href={paths.team(id)} open="Open team" />}
        <Form
          label="Team"
          problem={isTaken ? undefined : problem}
          fields={['id', ...FIELD_NAMES]}
          takesFocus
          onSubmit={save}
        >
          <TeamFields
            id={undefined}
            form={form}
            parentBefore={undefined}
            onChange={(next) => draft.set({ ...draft.value, form: next })}
          >
            <IdField
              id={id}
              isTyped={draft.value.id !== undefined}
              onChange={(next) => draft.set({ form, id: next })}
            />
          </TeamFields>
          <Footer
            isBusy={saving.isPending}
            reason={
              permit.reason ?? (form.name.trim() === '' ? 'Give it a name first.' : undefined)
            }
          />
        </Form>
      </div>
      {dialog}
    </Page>
  )
}

function Footer({ isBusy, reason }: { isBusy: boolean; reason: string | undefined }) {
  return (
    <footer className="flex justify-end gap-2 border-t border-line pt-4">
      <ButtonLink href={paths.teams}>Cancel</ButtonLink>
      <Button type="submit" look="primary" busy={isBusy} reason={reason}>
        Create team
      </Button>
    </footer>
  )
}

interface IdFieldProps {
  id: string
  /** The id was typed; problems of a proposed id are not shown. */
  isTyped: boolean
  onChange: (id: string) => void
}

function IdField({ id, isTyped, onChange }: IdFieldProps) {
  return (
    <TextField
      label="Id"
      hint="Documents name the team by it as their owner. It cannot be changed later."
      error={isTyped ? findTeamIdProblem(id) : undefined}
      required
      value={id}
      onChange={onChange}
    />
  )
}
