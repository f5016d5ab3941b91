import { useState } from 'react'
import { client } from '../../api/client.ts'
import { GRANT_DATA } from '../../documents/grants/grant-data.ts'
import type { GrantSettings } from '../../documents/grants/grant-words.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction } from '../../shell/action.ts'

interface Draft {
  enabled: boolean
  pattern: string
}

const FIELDS: readonly FieldRecord<keyof Draft>[] = [
  {
    name: 'enabled',
    kind: 'yes-no',
    title: 'Read grants in every run',
    hint: 'Turning this off deletes what was read, and resolves the deviations.',
  },
  {
    name: 'pattern',
    title: 'Pattern of names',
    optional: true,
    hint: 'The names that this platform gives to consumers, with {product}, {team} or {email} exactly once',
    control: { maxLength: 200, autoComplete: 'off', placeholder: 'dp_{product}_reader' },
  },
]

interface GrantSettingsDialogProps {
  /** External id of the integration. */
  id: string
  settings: GrantSettings
  onClose: () => void
}

/** The form that changes whether and how an integration reads grants. */
export function GrantSettingsDialog({ id, settings, onClose }: GrantSettingsDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    enabled: settings.enabled,
    pattern: settings.pattern ?? '',
  })
  const save = useAction({
    request: () =>
      client.PUT('/api/integrations/{externalId}/grants', {
        params: { path: { externalId: id } },
        body: draft,
      }),
    notice: () =>
      draft.enabled ? 'The next run reads grants.' : 'Grants of this source are not read.',
    refresh: GRANT_DATA,
    onRefreshed: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Grants"
      description={<span className="user-text">{settings.right}</span>}
    >
      <InputForm
        label="Grants"
        fields={FIELDS}
        values={draft}
        onChange={setDraft}
        sending={save}
        action="Save"
        onSubmit={() => save.run()}
      />
    </Dialog>
  )
}
