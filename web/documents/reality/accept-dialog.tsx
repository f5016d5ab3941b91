import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Field, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { countText } from '../../parts/number-text.ts'
import { useAction } from '../../shell/action.ts'
import { getDayAfter, getEnd, getLastDay } from './acceptance-days.ts'
import { DRIFT_DATA } from './drift-data.ts'
import { nameFinding, type Finding } from './drift-words.ts'

/** The maximum length of a reason in characters. */
const REASON_CHARACTERS_MAX = 1000
const DAYS_MAX = 365
const USUAL_DAYS = 28

interface AcceptDialogProps {
  /** The findings that are accepted together, for the same reason. */
  findings: readonly Finding[]
  onClose: () => void
}

/** Asks for the reason and the last day of an acceptance. */
export function AcceptDialog({ findings, onClose }: AcceptDialogProps) {
  const [first] = findings
  const single = findings.length === 1 ? first : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      title={single === undefined ? `Accept ${findings.length} differences` : 'Accept difference'}
      description={
        <span className="user-text">
          {single !== undefined && `${nameFinding(single)}. `}
          Consumers see the reason. Until the last day it opens no incident and fails no build; it
          counts again afterwards, or as soon as the table changes in this place.
        </span>
      }
    >
      <AcceptForm findings={findings} present={single?.acceptance ?? null} onClose={onClose} />
    </Dialog>
  )
}

interface AcceptFormProps extends AcceptDialogProps {
  /** The acceptance that is changed; null = there is none. */
  present: Finding['acceptance']
}

function AcceptForm({ findings, present, onClose }: AcceptFormProps) {
  const [reason, setReason] = useState(present?.reason ?? '')
  const [last, setLast] = useState(() =>
    present === null ? getDayAfter(USUAL_DAYS) : getLastDay(present.until),
  )
  const action = useAction({
    async request() {
      const body = { reason, until: getEnd(last) }
      for (const { id } of findings) {
        await client.PUT('/api/drift/{id}/acceptance', { params: { path: { id } }, body })
      }
    },
    notice: () => `${countText(findings.length, 'difference')} accepted.`,
    refresh: DRIFT_DATA,
    refreshAfterError: DRIFT_DATA,
    onRefreshed: onClose,
  })
  return (
    <Form
      label="Accept difference"
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
