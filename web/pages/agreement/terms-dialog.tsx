import { useState } from 'react'
import { client, type Schemas } from '../../api/client.ts'
import { ACCESS_DATA } from '../../documents/access/access-queries.ts'
import { addDays, today } from '../../documents/access/access-words.ts'
import { nameAgreement } from '../../documents/access/agreement-list.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { useAction } from '../../shell/action.ts'

const WORDS = {
  renew: {
    title: 'Renew access',
    label: 'Last day',
    hint: 'Empty: access does not end.',
    action: 'Renew',
    done: 'Access renewed.',
  },
  reassess: {
    title: 'Set the reassessment',
    label: 'Reassess on',
    hint: 'On this day, approvers are reminded to check whether the access is still needed.',
    action: 'Save',
    done: 'Reassessment saved.',
  },
}

interface TermsDialogProps {
  kind: keyof typeof WORDS
  agreement: Schemas['AgreementDetails']
  onClose: () => void
}

/** Changes the last day of an agreement, or the day of its reassessment. */
export function TermsDialog({ kind, agreement, onClose }: TermsDialogProps) {
  const { title, label, hint, action, done } = WORDS[kind]
  const { id, endOn, reassessOn } = agreement
  const [day, setDay] = useState(
    kind === 'reassess' ? (reassessOn ?? '') : endOn === null ? '' : addDays(endOn, -1),
  )
  const value = day === '' ? null : day
  const body =
    kind === 'reassess'
      ? { reassessmentDate: value }
      : { endDate: value === null ? null : addDays(value, 1) }
  const change = useAction({
    request: () => client.PUT('/ui/access/{id}/terms', { params: { path: { id } }, body }),
    notice: done,
    refresh: ACCESS_DATA,
    onRefreshed: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={<span className="user-text">{nameAgreement(agreement)}</span>}
    >
      <Form label={title} problem={change.problem} onSubmit={change.run}>
        <TextField
          label={label}
          hint={hint}
          type="date"
          optional
          min={today()}
          value={day}
          onChange={setDay}
        />
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={change.isPending}>{action}</SubmitButton>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
