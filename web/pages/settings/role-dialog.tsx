import { useState } from 'react'
import { PERMISSION_GROUPS, type Permission } from '../../api/permission-words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, Field, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { changePermission, findNameProblem, type TeamRole } from './role-effects.ts'

interface RoleDialogProps {
  role: TeamRole
  /** The names of the other roles. */
  others: readonly string[]
  title: string
  onClose: () => void
  onDone: (role: TeamRole) => void
}

/** The form of a team role: its name, and what it allows. */
export function RoleDialog({ role, others, title, onClose, onDone }: RoleDialogProps) {
  const [draft, setDraft] = useState(role)
  const { name, description, permissions } = draft
  const toggle = (permission: Permission, isOn: boolean): void => {
    setDraft({ ...draft, permissions: changePermission(permissions, permission, isOn) })
  }
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      description="The permissions count on the team in which a member has the role, on what the team owns, and in all teams below it."
    >
      <Form label={title} onSubmit={() => onDone(draft)}>
        <TextField
          label="Name"
          hint="Members get the role by this exact name."
          required
          minLength={3}
          maxLength={1000}
          error={others.includes(name) ? findNameProblem(name, others) : undefined}
          value={name}
          onChange={(text) => setDraft({ ...draft, name: text })}
        />
        <Field label="Description" optional>
          {(control) => (
            <TextArea
              {...control}
              value={description ?? ''}
              onChange={({ target }) => setDraft({ ...draft, description: target.value || null })}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {PERMISSION_GROUPS.map((group) => (
            <fieldset key={group.title} className="grid content-start gap-1.5">
              <legend className="mb-1 text-sm font-medium">{group.title}</legend>
              {group.permissions.map(({ permission, label }) => (
                <Checkbox
                  key={permission}
                  label={label}
                  checked={permissions.includes(permission)}
                  onChange={({ target }) => toggle(permission, target.checked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
        <SubmitButton busy={false} reason={findNameProblem(name, others)}>
          Apply
        </SubmitButton>
      </Form>
    </Dialog>
  )
}
