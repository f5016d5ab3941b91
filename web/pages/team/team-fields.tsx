import type { ReactNode } from 'react'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Field, TextArea, TextField } from '../../parts/field.tsx'
import { TagInput } from '../../parts/tag-input.tsx'
import { LinksField } from './links-field.tsx'
import { MembersField } from './members-field.tsx'
import { ParentField } from './parent-field.tsx'
import { type TeamForm } from './team-form-values.ts'
import { TEAM_TYPES } from '../../../formats/team/team-type.ts'

interface TeamFieldsProps {
  /** Undefined = a new team. */
  id: string | undefined
  form: TeamForm
  /** The parent when the team was read; undefined for a new team. */
  parentBefore: string | undefined
  onChange: (form: TeamForm) => void
  /** Between the name and the rest. */
  children?: ReactNode
}

/** The fields of a team. */
export function TeamFields(props: TeamFieldsProps) {
  const { form, onChange, children } = props
  const set = (patch: Partial<TeamForm>): void => onChange({ ...form, ...patch })
  return (
    <>
      <TextField
        label="Name"
        field="name"
        required
        value={form.name}
        onChange={(text) => set({ name: text })}
      />
      {children}
      <Place {...props} />
      <Field label="Description" optional field="description">
        {(control) => (
          <TextArea
            {...control}
            value={form.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <MembersField members={form.members} onChange={(members) => set({ members })} />
      <TagInput
        label="Tags"
        field="tags"
        tags={form.tags}
        onAdd={(tag) => set({ tags: [...form.tags, tag] })}
        onRemove={(at) => set({ tags: form.tags.toSpliced(at, 1) })}
      />
      <LinksField links={form.links} onChange={(links) => set({ links })} />
    </>
  )
}

function Place({ id, form, parentBefore, onChange }: TeamFieldsProps) {
  const set = (patch: Partial<TeamForm>): void => onChange({ ...form, ...patch })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        label="Type"
        field="type"
        value={form.type}
        choices={toChoices(TEAM_TYPES)}
        onChange={(type) => set({ type })}
      />
      <ParentField
        id={id}
        value={form.parent}
        before={parentBefore}
        onChange={(parent) => set({ parent })}
      />
    </div>
  )
}
