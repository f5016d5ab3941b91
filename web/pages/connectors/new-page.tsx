import { findIdProblem } from '../../../formats/name/document-id.ts'
import { may, useSession } from '../../api/session.ts'
import { TakenNotice, useDocumentSaving, useLeaving } from '../../documents/document-form.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { CONNECTOR_SAVING } from './connector.ts'

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
  const draft = useDraft('connector:new', EMPTY)
  const { value, set } = draft
  const { leave, dialog } = useLeaving(draft, JSON.stringify(value) !== JSON.stringify(EMPTY))
  const saving = useDocumentSaving(CONNECTOR_SAVING)
  const { problem } = saving
  const isTaken = problem?.status === 412
  const { id, type, description } = value
  const idProblem = findIdProblem(id)
  const takenId = saving.input?.id ?? id
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
        {isTaken && (
          <TakenNotice id={takenId} href={paths.connector(takenId)} open="Open connector" />
        )}
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
          takesFocus
          sending={{ ...saving, problem: isTaken ? undefined : problem }}
          reason={reason ?? (idProblem === undefined ? undefined : 'Enter a valid id first.')}
          action="Register connector"
          onSubmit={save}
        />
      </div>
      {dialog}
    </Page>
  )
}
