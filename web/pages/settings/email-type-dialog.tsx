import { X } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, Field, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { RowList } from '../../parts/row-list.tsx'
import { findTypeProblem, NEW_TEXT, type EmailText, type EmailType } from './email-texts.ts'

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
      <Form label={title} onSubmit={() => onDone(draft)}>
        <TextField
          label="Type"
          hint="The type of e-mail: invitation, password-reset, digest, or a kind of notification such as access_decided. Clients of the API can use other types."
          required
          maxLength={200}
          error={others.includes(draft.type) ? problem : undefined}
          value={draft.type}
          onChange={(text) => setDraft({ ...draft, type: text })}
        />
        <Checkbox
          label="Enabled"
          checked={draft.isEnabled}
          onChange={({ target }) => setDraft({ ...draft, isEnabled: target.checked })}
        />
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
        <SubmitButton busy={false} reason={problem}>
          Apply
        </SubmitButton>
      </Form>
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
  const { language, subject, body } = text
  const name = language === '' ? `text ${at + 1}` : language
  return (
    <div role="group" aria-label={name} className="grid gap-2 border-b border-line pb-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <TextField
          label="Language"
          hint="A language code, such as en or de-CH."
          required
          maxLength={35}
          value={language}
          onChange={(code) => onChange({ ...text, language: code })}
        />
        <IconButton
          label={`Remove ${name}`}
          icon={X}
          className="mt-6 self-start"
          onClick={onRemove}
        />
      </div>
      <TextField
        label="Subject"
        value={subject}
        onChange={(next) => onChange({ ...text, subject: next })}
      />
      <Field label="Body">
        {(control) => (
          <TextArea
            {...control}
            className="min-h-40"
            value={body}
            onChange={({ target }) => onChange({ ...text, body: target.value })}
          />
        )}
      </Field>
    </div>
  )
}
