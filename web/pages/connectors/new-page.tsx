import { useRef } from 'react'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import { may, useSession } from '../../api/session.ts'
import { LeaveDialog } from '../../documents/leave-dialog.tsx'
import { ButtonLink } from '../../parts/button.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { useConnectorSaving } from './saving.ts'

const EMPTY = { id: '', type: '', description: '' }

const FIELDS: readonly FieldRecord<keyof typeof EMPTY>[] = [
  {
    name: 'id',
    title: 'Id',
    hint: 'The id under which the program reads and stores its state. It cannot be changed later.',
    control: { required: true, autoComplete: 'off' },
  },
  {
    name: 'type',
    title: 'Type',
    hint: 'The platform that it connects, such as kafka.',
    field: 'info.type',
    optional: true,
    control: { autoComplete: 'off' },
  },
  {
    name: 'description',
    kind: 'long-text',
    title: 'Description',
    field: 'info.description',
    optional: true,
  },
]

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
      <div className="grid gap-4">
        {isTaken && <Taken id={saving.input?.id ?? id} />}
        <InputForm
          label="Connector"
          fields={FIELDS}
          values={value}
          onChange={set}
          overrides={{
            id: {
              error: id === '' || idProblem === undefined ? undefined : `The id ${idProblem}.`,
            },
          }}
          problem={isTaken ? undefined : problem}
          takesFocus
          busy={saving.isPending}
          reason={reason ?? (idProblem === undefined ? undefined : 'Enter a valid id first.')}
          action="Register connector"
          onSubmit={save}
        />
      </div>
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
