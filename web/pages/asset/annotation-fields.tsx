import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { useTeams } from '../../api/teams.ts'
import type { Choice } from '../../parts/choices.ts'
import { Checkbox } from '../../parts/field.tsx'
import { FormFields, type FieldRecord } from '../../parts/form-fields.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import type { AnnotationDraft } from './annotation-draft.ts'
import { readInfo } from './asset-document.ts'

interface AnnotationFieldsProps {
  page: Schemas['AssetPage']
  value: AnnotationDraft
  set: (value: AnnotationDraft) => void
}

const DESCRIPTION_CHARACTERS_MAX = 20_000

const FIELDS: readonly FieldRecord<keyof AnnotationDraft>[] = [
  {
    name: 'description',
    kind: 'long-text',
    title: 'Description',
    optional: true,
    control: { rows: 5, maxLength: DESCRIPTION_CHARACTERS_MAX },
  },
  {
    name: 'ownerId',
    kind: 'choice',
    title: 'Owner',
    hint: 'Its editors can change these details. You can choose teams that you can edit.',
    field: 'owner',
  },
]

const TAGS: readonly FieldRecord<keyof AnnotationDraft>[] = [
  { name: 'tags', kind: 'tags', title: 'Tags', hint: 'Type a tag and press Enter.' },
]

/** The fields that people can add; each can use the value of the source instead. */
export function AnnotationFields({ page, value, set }: AnnotationFieldsProps) {
  const source = readInfo(page.source ?? {})
  const { tags } = value
  const choices = useOwnerChoices(value)
  return (
    <>
      <FormFields
        fields={FIELDS}
        values={value}
        onChange={set}
        overrides={{ description: { hint: describe(source.description) }, ownerId: { choices } }}
      />
      <div className="grid gap-2">
        <Checkbox
          checked={tags === null}
          onChange={(event) =>
            set({ ...value, tags: event.target.checked ? null : [...source.tags] })
          }
          label="Use the tags of the source"
          hint={source.tags.length === 0 ? 'The source has none.' : source.tags.join(', ')}
        />
        {tags !== null && <FormFields fields={TAGS} values={value} onChange={set} />}
      </div>
    </>
  )
}

function describe(description: string | undefined): ReactNode {
  if (description === undefined) return 'Shown to everyone.'
  return (
    <>
      Leave empty to show the one of the source:{' '}
      <span className="user-text line-clamp-3">{description}</span>
    </>
  )
}

function useOwnerChoices({ ownerId }: AnnotationDraft): readonly Choice[] {
  const session = useSession()
  const teams = useTeams() ?? []
  const findReason = (id: string): string | undefined =>
    id === ownerId ? undefined : may(session, 'ASSET_EDIT', id).reason
  return [
    { value: '', label: 'Same as the integration' },
    ...toTeamChoices(teams, ownerId, findReason),
  ]
}
