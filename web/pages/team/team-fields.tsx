import type { ReactNode } from 'react'
import { TEAM_FORM_FIELDS, type TeamFieldKind } from '../../../formats/team/team-fields.ts'
import { TEAM_TYPES } from '../../../formats/team/team-type.ts'
import { toChoices } from '../../parts/choices.ts'
import { FormFields, PAIR, type FieldRecord } from '../../parts/form-fields.tsx'
import { LinksField } from './links-field.tsx'
import { MembersField } from './members-field.tsx'
import { ParentField } from './parent-field.tsx'
import type { TeamFieldName, TeamForm } from './team-form-values.ts'

const CONTROLS: Partial<Record<TeamFieldKind, Omit<FieldRecord, 'name' | 'title'>>> = {
  'long-text': { kind: 'long-text' },
  type: { kind: 'choice', choices: toChoices(TEAM_TYPES), row: PAIR },
  parent: { row: PAIR },
  tags: { kind: 'tags' },
}

const FIELDS = TEAM_FORM_FIELDS.map((field): FieldRecord<TeamFieldName> => {
  const { name, title, kind } = field
  const isText = kind === 'text' || kind === 'long-text'
  const required = isText && 'isRequired' in field
  return { name, title, optional: isText && !required, control: { required }, ...CONTROLS[kind] }
})

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
export function TeamFields({ id, form, parentBefore, onChange, children }: TeamFieldsProps) {
  const common = { values: form, onChange }
  const set = (patch: Partial<TeamForm>): void => onChange({ ...form, ...patch })
  return (
    <>
      <FormFields {...common} fields={FIELDS.filter(({ name }) => name === 'name')} />
      {children}
      <FormFields
        {...common}
        fields={FIELDS.filter(({ name }) => name !== 'name')}
        inputs={{
          parent: (
            <ParentField
              id={id}
              value={form.parent}
              before={parentBefore}
              onChange={(parent) => set({ parent })}
            />
          ),
          members: <MembersField members={form.members} onChange={(members) => set({ members })} />,
          links: <LinksField links={form.links} onChange={(links) => set({ links })} />,
        }}
      />
    </>
  )
}
