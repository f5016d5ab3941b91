import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { may, useSession } from '../../api/session.ts'
import { useDocumentSaving, useLeaving } from '../../documents/document-form.tsx'
import { toMarks } from '../../documents/problem-marks.ts'
import { SourceEditor } from '../../documents/source-editor.tsx'
import type { StoredText } from '../../documents/stored-document.ts'
import { Button } from '../../parts/button.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { RightNotice } from '../../shell/right-notice.tsx'
import { usePathId } from '../../shell/url-state.ts'
import { CONNECTOR_SAVING, connectorQuery, toIndented } from './connector.ts'

const SEE_ALL = <Link href={paths.connectors}>See all connectors</Link>

/** Changes the document of a connector, its state included. */
export function EditConnectorPage() {
  const id = usePathId() ?? ''
  const query = useQuery(connectorQuery(id))
  return (
    <Page
      title={`Edit ${id}`}
      trail={[
        { title: 'Connectors', href: paths.connectors },
        { title: id, href: paths.connector(id) },
      ]}
      facts="Stop the connector before you change its state: it replaces the document whenever it stores what it has done."
    >
      <Loaded
        query={query}
        skeleton={{ lines: 8, label: 'Loading the connector' }}
        missing={<MissingThing called="connector" action={SEE_ALL} />}
      >
        {(stored) => <ConnectorForm key={id} id={id} stored={stored} />}
      </Loaded>
    </Page>
  )
}

interface Draft {
  text: string
  /** The version that was edited. */
  etag: string
}

function ConnectorForm({ id, stored }: { id: string; stored: StoredText }) {
  const permit = may(useSession(), 'INGESTION_EDIT', stored.owner ?? null)
  const { reason } = permit
  const current: Draft = { text: toIndented(stored), etag: stored.etag }
  // Null = nothing was edited: the page shows what the connector stores.
  const { value: draft, set, discard } = useDraft<Draft | null>(`connector:${id}`, null)
  const saving = useDocumentSaving(CONNECTOR_SAVING)
  const { problem } = saving
  const marks = useMemo(() => toMarks(problem ?? { violations: [] }), [problem])
  const { text, etag } = draft ?? current
  const isUnchanged = text === current.text
  const isOutrun = !isUnchanged && etag !== stored.etag
  const { leave, dialog } = useLeaving({ discard }, !isUnchanged)
  return (
    <div className="grid gap-4">
      <RightNotice permit={permit} />
      <Form
        label="Connector"
        problem={problem?.status === 412 ? undefined : problem}
        onSubmit={() => saving.run({ id, text, etag, message: 'Connector saved', onSaved: leave })}
      >
        {isOutrun && (
          <Outrun
            onReplace={() => set({ text, etag: stored.etag })}
            onDiscard={() => {
              set(null)
              discard()
            }}
          />
        )}
        <SourceEditor
          label="Document of the connector"
          text={text}
          mediaType="application/json"
          problems={marks}
          {...(reason === undefined ? { onChange: (next) => set({ text: next, etag }) } : {})}
        />
        <SubmitButton
          busy={saving.isPending}
          reason={
            reason ??
            (isUnchanged ? 'No changes to save.' : undefined) ??
            (isOutrun ? 'Decide first which version to keep.' : undefined)
          }
        >
          Save connector
        </SubmitButton>
      </Form>
      {dialog}
    </div>
  )
}

function Outrun({ onReplace, onDiscard }: { onReplace: () => void; onDiscard: () => void }) {
  return (
    <div role="alert">
      <Notice
        tone="caution"
        title="The connector was stored again while you were editing"
        actions={
          <>
            <Button onClick={onDiscard}>Discard my changes</Button>
            <Button onClick={onReplace}>Keep my changes</Button>
          </>
        }
      >
        If you keep your changes, saving replaces what was stored.
      </Notice>
    </div>
  )
}
