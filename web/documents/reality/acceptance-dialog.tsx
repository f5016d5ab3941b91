import { useState, type ReactNode } from 'react'
import { REASON_CHARACTERS_MAX } from '../../../formats/reality/reason.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { useAction, type Refresh } from '../../shell/action.ts'
import { getDayAfter, getEnd, getLastDay } from './acceptance-days.ts'

const DAYS_MAX = 365
const USUAL_DAYS = 28

/** An acceptance as the API takes it. */
interface NewAcceptance {
  reason: string
  /** The instant at which it ends. */
  until: string
}

interface AcceptanceFormProps {
  /** The accessible name of the form: `Accept difference`. */
  label: string
  /** The acceptance that is changed; null = there is none. */
  present: NewAcceptance | null
  /** Stores the acceptance. Errors: Problem. */
  request: (acceptance: NewAcceptance) => Promise<unknown>
  notice: string
  /** The data that shows what is accepted; out of date after an error, too. */
  refresh: Refresh
  onClose: () => void
}

interface AcceptanceDialogProps extends AcceptanceFormProps {
  title: string
  description: ReactNode
}

/** Asks for the reason and the last day of an acceptance. */
export function AcceptanceDialog({ title, description, ...form }: AcceptanceDialogProps) {
  return (
    <Dialog open onClose={form.onClose} title={title} description={description}>
      <AcceptanceForm {...form} />
    </Dialog>
  )
}

function AcceptanceForm(props: AcceptanceFormProps) {
  const { label, present, request, notice, refresh, onClose } = props
  const [reason, setReason] = useState(present?.reason ?? '')
  const [last, setLast] = useState(() =>
    present === null ? getDayAfter(USUAL_DAYS) : getLastDay(present.until),
  )
  const action = useAction({
    request: async () => await request({ reason, until: getEnd(last) }),
    notice,
    refresh,
    refreshAfterError: refresh,
    onRefreshed: onClose,
  })
  return (
    <Form
      label={label}
      problem={action.problem}
      fields={['reason', 'until']}
      takesFocus
      onSubmit={() => action.run()}
    >
      <Field label="Reason" field="reason">
        {(control) => (
          <TextArea
            {...control}
            required
            maxLength={REASON_CHARACTERS_MAX}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
      </Field>
      <TextField
        label="Last day"
        field="until"
        type="date"
        required
        hint="At most a year from now"
        min={getDayAfter(0)}
        max={getDayAfter(DAYS_MAX - 1)}
        value={last}
        onChange={setLast}
      />
      <div className="flex flex-wrap gap-2">
        <SubmitButton busy={action.isPending}>Accept</SubmitButton>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  )
}
