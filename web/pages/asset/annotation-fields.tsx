import type { Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { useTeams } from '../../api/teams.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Checkbox, Field, TextArea } from '../../parts/field.tsx'
import { TagInput } from '../../parts/tag-input.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import type { AnnotationDraft } from './annotation-draft.ts'
import { readInfo } from './asset-document.ts'

interface AnnotationFieldsProps {
  page: Schemas['AssetPage']
  value: AnnotationDraft
  set: (value: AnnotationDraft) => void
}

const DESCRIPTION_CHARACTERS_MAX = 20_000

/** The fields that people can add; each can use the value of the source instead. */
export function AnnotationFields({ page, value, set }: AnnotationFieldsProps) {
  const source = readInfo(page.source ?? {})
  const { tags } = value
  return (
    <>
      <Field
        label="Description"
        optional
        field="description"
        hint={
          source.description === undefined ? (
            'Shown to everyone.'
          ) : (
            <>
              Leave empty to show the one of the source:{' '}
              <span className="user-text line-clamp-3">{source.description}</span>
            </>
          )
        }
      >
        {(control) => (
          <TextArea
            {...control}
            rows={5}
            maxLength={DESCRIPTION_CHARACTERS_MAX}
            value={value.description}
            onChange={(event) => set({ ...value, description: event.target.value })}
          />
        )}
      </Field>
      <OwnerField value={value} set={set} />
      <div className="grid gap-2">
        <Checkbox
          checked={tags === null}
          onChange={(event) =>
            set({ ...value, tags: event.target.checked ? null : [...source.tags] })
          }
          label="Use the tags of the source"
          hint={source.tags.length === 0 ? 'The source has none.' : source.tags.join(', ')}
        />
        {tags !== null && (
          <TagInput
            label="Tags"
            hint="Type a tag and press Enter."
            field="tags"
            tags={tags}
            onAdd={(tag) => set({ ...value, tags: [...tags, tag] })}
            onRemove={(at) => set({ ...value, tags: tags.toSpliced(at, 1) })}
          />
        )}
      </div>
    </>
  )
}

function OwnerField({ value, set }: Pick<AnnotationFieldsProps, 'value' | 'set'>) {
  const session = useSession()
  const teams = useTeams() ?? []
  const findReason = (id: string): string | undefined =>
    id === value.ownerId ? undefined : may(session, 'ASSET_EDIT', id).reason
  return (
    <ChoiceField
      label="Owner"
      field="owner"
      hint="Its editors can change these details. You can choose teams that you can edit."
      value={value.ownerId}
      choices={[
        { value: '', label: 'Same as the integration' },
        ...toTeamChoices(teams, value.ownerId, findReason),
      ]}
      onChange={(ownerId) => set({ ...value, ownerId })}
    />
  )
}
