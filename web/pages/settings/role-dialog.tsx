import { useState } from 'react'
import { ALL_PERMISSION_GROUPS, NO_EFFECT } from '../../api/permission-groups.ts'
import type { Permission } from '../../api/permission-words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { changePermission, findNameProblem, type TeamRole } from './role-effects.ts'

const FIELDS: readonly FieldRecord<keyof TeamRole>[] = [
  {
    name: 'name',
    title: 'Name',
    hint: 'Members get the role by this exact name.',
    control: { required: true, minLength: 3, maxLength: 1000 },
  },
  { name: 'description', kind: 'long-text', title: 'Description', optional: true },
]

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
  const { name, permissions } = draft
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
      <InputForm
        label={title}
        fields={FIELDS}
        values={draft}
        onChange={(next) => setDraft({ ...next, description: next.description || null })}
        overrides={{
          name: { error: others.includes(name) ? findNameProblem(name, others) : undefined },
        }}
        reason={findNameProblem(name, others)}
        action="Apply"
        onSubmit={() => onDone(draft)}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {ALL_PERMISSION_GROUPS.map((group) => (
            <fieldset key={group.title} className="grid content-start gap-1.5">
              <legend className="mb-1 text-sm font-medium">{group.title}</legend>
              {group.permissions.map(({ permission, label, hasEffect }) => (
                <Checkbox
                  key={permission}
                  label={label}
                  hint={hasEffect ? undefined : NO_EFFECT}
                  checked={permissions.includes(permission)}
                  onChange={({ target }) => toggle(permission, target.checked)}
                />
              ))}
            </fieldset>
          ))}
        </div>
      </InputForm>
    </Dialog>
  )
}
