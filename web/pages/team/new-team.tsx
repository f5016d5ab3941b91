import { useRef } from 'react'
import { findProblem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { LeaveDialog } from '../../documents/leave-dialog.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { proposeId } from '../../parts/propose-id.ts'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { TeamFields } from './team-fields.tsx'
import {
  toTeamDocument,
  FIELD_NAMES,
  findTeamIdProblem,
  toTeamForm,
  isSame,
  type TeamForm,
} from './team-form-values.ts'
import { useTeamSaving } from './team-saving.ts'

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
  const isLeft = useRef(false)
  const saving = useTeamSaving()
  const problem = findProblem(saving)
  const isTaken = problem?.status === 412
  const { form } = draft.value
  const id = draft.value.id ?? proposeId(form.name)
  const permit = may(session, 'TEAM_ADD', form.parent === '' ? null : form.parent)
  const leave = (): void => {
    isLeft.current = true
    draft.discard()
  }
  const save = (): void => {
    if (findTeamIdProblem(id) !== undefined || !permit.allowed) return
    const document = { ...toTeamDocument({}, form), name: form.name.trim(), type: form.type }
    saving.mutate({ id, document, etag: undefined, message: 'Team created', onSaved: leave })
  }
  return (
    <Page title="Create team" width="reading" trail={[{ title: 'Teams', href: paths.teams }]}>
      <div className="grid gap-4">
        {isTaken && <Taken id={id} />}
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
      <LeaveDialog
        hasChanges={() => !isLeft.current && !isSame(draft.value, initial)}
        onDiscard={leave}
      />
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

function Taken({ id }: { id: string }) {
  return (
    <div role="alert">
      <Notice
        tone="critical"
        title={`The id "${id}" is taken`}
        actions={<ButtonLink href={paths.team(id)}>Open team</ButtonLink>}
      >
        Choose another id. Nothing was changed.
      </Notice>
    </div>
  )
}
