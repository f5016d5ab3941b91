import { useRef } from 'react'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import { may, useSession } from '../../api/session.ts'
import { LeaveDialog } from '../../documents/leave-dialog.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { Field, TextArea, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { useConnectorSaving } from './saving.ts'

const EMPTY = { id: '', type: '', description: '' }

/** Registers a connector before its first start. */
export function NewConnectorPage() {
  const { reason } = may(useSession(), 'INGESTION_EDIT', null)
  const { value, set, discard } = useDraft('connector:new', EMPTY)
  const isLeft = useRef(false)
  const saving = useConnectorSaving()
  const { problem } = saving
  const isTaken = problem?.status === 412
  const { id, type, description } = value
  const idProblem = findIdProblem(id)
  const leave = (): void => {
    isLeft.current = true
    discard()
  }
  const save = (): void => {
    const info = { type: type || undefined, description: description || undefined }
    const text = JSON.stringify({ id, info })
    saving.run({ id, text, etag: undefined, message: 'Connector registered', onSaved: leave })
  }
  return (
    <Page
      title="Register connector"
      width="reading"
      trail={[{ title: 'Connectors', href: paths.connectors }]}
      facts="A connector registers itself at its first start. Register it here to describe it before."
    >
      <Form
        label="Connector"
        problem={isTaken ? undefined : problem}
        fields={['id', 'info.type', 'info.description']}
        takesFocus
        onSubmit={save}
      >
        {isTaken && <Taken id={saving.input?.id ?? id} />}
        <ConnectorFields value={value} onChange={set} />
        <SubmitButton
          busy={saving.isPending}
          reason={reason ?? (idProblem === undefined ? undefined : 'Enter a valid id first.')}
        >
          Register connector
        </SubmitButton>
      </Form>
      <LeaveDialog
        hasChanges={() => !isLeft.current && JSON.stringify(value) !== JSON.stringify(EMPTY)}
        onDiscard={leave}
      />
    </Page>
  )
}

function Taken({ id }: { id: string }) {
  return (
    <div role="alert">
      <Notice
        tone="critical"
        title={`The id "${id}" is taken`}
        actions={<ButtonLink href={paths.connector(id)}>Open connector</ButtonLink>}
      >
        Choose another id. Nothing was changed.
      </Notice>
    </div>
  )
}

interface ConnectorFieldsProps {
  value: typeof EMPTY
  onChange: (value: typeof EMPTY) => void
}

function ConnectorFields({ value, onChange }: ConnectorFieldsProps) {
  const { id, type, description } = value
  const idProblem = findIdProblem(id)
  return (
    <>
      <TextField
        label="Id"
        hint="The id under which the program reads and stores its state. It cannot be changed later."
        field="id"
        error={id === '' || idProblem === undefined ? undefined : `The id ${idProblem}.`}
        required
        autoComplete="off"
        value={id}
        onChange={(next) => onChange({ ...value, id: next })}
      />
      <TextField
        label="Type"
        hint="The platform that it connects, such as kafka."
        field="info.type"
        optional
        autoComplete="off"
        value={type}
        onChange={(next) => onChange({ ...value, type: next })}
      />
      <Field label="Description" field="info.description" optional>
        {(control) => (
          <TextArea
            {...control}
            value={description}
            onChange={({ target }) => onChange({ ...value, description: target.value })}
          />
        )}
      </Field>
    </>
  )
}
