import { Checkbox, Field, TextArea } from '../../parts/field.tsx'
import type { BasketItem } from '../../shell/access-basket.ts'
import { getPortName, type LoadedPort } from './port-names.ts'
import {
  changeChoice,
  changeOwnPurposes,
  getChoice,
  hasSeveralPurposes,
  PURPOSE_CHARACTERS_MAX,
  type AccessRequestDraft,
} from './request-draft.ts'

const HINT =
  'What the data is used for. The owning team decides by it, and it stays with the agreement.'

interface PurposeFieldsProps {
  draft: AccessRequestDraft
  items: readonly BasketItem[]
  /** The loaded ports, in the order of the items. */
  ports: readonly LoadedPort[]
  onChange: (draft: AccessRequestDraft) => void
}

/** The purpose of all output ports of a request, or one for each of them. */
export function PurposeFields({ draft, items, ports, onChange }: PurposeFieldsProps) {
  const isSeveral = hasSeveralPurposes(draft, items)
  return (
    <div className="grid gap-3">
      {isSeveral ? (
        items.map((item, at) => {
          const choice = getChoice(draft, item)
          return (
            <PurposeField
              key={`${item.productId} ${item.port}`}
              label={`Purpose of ${getPortName(item, ports[at])}`}
              hint={at === 0 ? HINT : undefined}
              field={`ports.${at}.purpose`}
              value={choice.purpose}
              onChange={(purpose) => onChange(changeChoice(draft, { ...choice, purpose }))}
            />
          )
        })
      ) : (
        <PurposeField
          label="Purpose"
          hint={HINT}
          field="purpose"
          value={draft.purpose}
          onChange={(purpose) => onChange({ ...draft, purpose })}
        />
      )}
      {items.length > 1 && (
        <Checkbox
          label="Different purpose for each port"
          checked={isSeveral}
          onChange={({ target }) => onChange(changeOwnPurposes(draft, items, target.checked))}
        />
      )}
    </div>
  )
}

interface PurposeFieldProps {
  label: string
  hint: string | undefined
  /** The name under which the server reports violations. */
  field: string
  value: string
  onChange: (purpose: string) => void
}

function PurposeField({ label, hint, field, value, onChange }: PurposeFieldProps) {
  return (
    <Field label={label} hint={hint} field={field}>
      {(control) => (
        <TextArea
          {...control}
          required
          maxLength={PURPOSE_CHARACTERS_MAX}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  )
}
