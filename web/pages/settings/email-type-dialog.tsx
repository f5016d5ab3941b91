import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormFields, InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { findTypeProblem, NEW_TEXT, type EmailText, type EmailType } from './email-texts.ts'

const FIELDS: readonly FieldRecord<keyof EmailType>[] = [
  {
    name: 'type',
    title: 'Type',
    hint: 'The type of e-mail: invitation, password-reset, digest, or a kind of notification such as access_decided. Clients of the API can use other types.',
    control: { required: true, maxLength: 200 },
  },
  { name: 'isEnabled', kind: 'yes-no', title: 'Enabled' },
]

const LANGUAGE: readonly FieldRecord<keyof EmailText>[] = [
  {
    name: 'language',
    title: 'Language',
    hint: 'A language code, such as en or de-CH.',
    control: { required: true, maxLength: 35 },
  },
]

const TEXT: readonly FieldRecord<keyof EmailText>[] = [
  { name: 'subject', title: 'Subject' },
  { name: 'body', kind: 'long-text', title: 'Body', control: { className: 'min-h-40' } },
]

interface EmailTypeDialogProps {
  type: EmailType
  /** The names of the other types. */
  others: readonly string[]
  title: string
  onClose: () => void
  onDone: (type: EmailType) => void
}

/** The form of a type of e-mail: whether it is sent, and its texts by language. */
export function EmailTypeDialog({ type, others, title, onClose, onDone }: EmailTypeDialogProps) {
  const [draft, setDraft] = useState(type)
  const problem = findTypeProblem(draft, others)
  return (
    <Dialog open wide onClose={onClose} title={title}>
      <InputForm
        label={title}
        fields={FIELDS}
        values={draft}
        onChange={setDraft}
        overrides={{ type: { error: others.includes(draft.type) ? problem : undefined } }}
        reason={problem}
        action="Apply"
        onSubmit={() => onDone(draft)}
      >
        <RowList
          title="Texts"
          rows={draft.texts}
          addLabel="Add language"
          newRow={NEW_TEXT}
          onChange={(texts) => setDraft({ ...draft, texts })}
        >
          {(text, at, { set, remove }) => (
            <TextFields text={text} at={at} onChange={set} onRemove={remove} />
          )}
        </RowList>
      </InputForm>
    </Dialog>
  )
}

interface TextFieldsProps {
  text: EmailText
  at: number
  onChange: (text: EmailText) => void
  onRemove: () => void
}

function TextFields({ text, at, onChange, onRemove }: TextFieldsProps) {
  const { language } = text
  const name = language === '' ? `text ${at + 1}` : language
  const common = { values: text, onChange }
  return (
    <div role="group" aria-label={name} className="grid gap-2 border-b border-line pb-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <FormFields fields={LANGUAGE} {...common} />
        <IconButton
          label={`Remove ${name}`}
          icon={X}
          className="mt-6 self-start"
          onClick={onRemove}
        />
      </div>
      <FormFields fields={TEXT} {...common} />
    </div>
  )
}
