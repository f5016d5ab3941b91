import { useState } from 'react'
import type { ObjectValue } from '../../../formats/text/value.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Panel } from '../../parts/page.tsx'
import type { Operation } from './api-document.ts'
import { BodyField } from './body-field.tsx'
import { ParameterFields } from './parameter-field.tsx'
import { toCurlCommand, listMissingParameters } from './request.ts'
import { SentView } from './sent-view.tsx'
import { useRequest, type RequestDraft } from './use-request.ts'
import { useSend, type Outgoing } from './use-send.ts'

interface TryPanelProps {
  operation: Operation
  schemas: ObjectValue
}

/** A request to fill in and send in one's own session, with the command that does the same. */
export function TryPanel({ operation, schemas }: TryPanelProps) {
  const request = useRequest(operation, schemas)
  const { send, sent, isSending } = useSend()
  const [asked, setAsked] = useState<'no' | 'yes' | 'agreed'>('no')
  const { outgoing, isHarmless } = request
  const submit = (): void => {
    if (isHarmless || asked === 'agreed') void send(outgoing)
    else setAsked('yes')
  }
  return (
    <Panel title="Request">
      <form
        aria-label="Request"
        className="grid grid-cols-[minmax(0,1fr)] gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <RequestFields operation={operation} schemas={schemas} request={request} />
        <SendRow missing={listMissingParameters(operation, request.filled)} isSending={isSending} />
        <SentView sent={sent} isSending={isSending} />
        <details>
          <summary className="w-fit py-0.5 text-sm text-accent">Equivalent curl command</summary>
          <CodeBlock
            label="Equivalent curl command"
            text={toCurlCommand({ origin: window.location.origin, ...outgoing })}
          />
        </details>
      </form>
      {asked === 'yes' && (
        <ConfirmSend
          outgoing={outgoing}
          onClose={() => setAsked('no')}
          onConfirm={() => {
            setAsked('agreed')
            void send(outgoing)
          }}
        />
      )}
    </Panel>
  )
}

function RequestFields({ operation, schemas, request }: TryPanelProps & { request: RequestDraft }) {
  const { filled, mediaType, body, change } = request
  return (
    <>
      <ParameterFields
        parameters={operation.parameters}
        schemas={schemas}
        filled={filled}
        onChange={(next) => change({ filled: next })}
      />
      {operation.body !== undefined && (
        <BodyField
          body={operation.body}
          schemas={schemas}
          mediaType={mediaType}
          text={body}
          onMediaType={(next) => change({ mediaType: next })}
          onText={(next) => change({ body: next })}
        />
      )}
    </>
  )
}

function SendRow({ missing, isSending }: { missing: readonly string[]; isSending: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        type="submit"
        look="primary"
        busy={isSending}
        reason={missing.length === 0 ? undefined : `Fill in ${missing.join(', ')} first.`}
      >
        Send
      </Button>
      <span className="text-sm text-muted">Sent with your session and your permissions.</span>
    </div>
  )
}

interface ConfirmSendProps {
  outgoing: Outgoing
  onClose: () => void
  onConfirm: () => void
}

function ConfirmSend({ outgoing: { method, address }, onClose, onConfirm }: ConfirmSendProps) {
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="This changes real data"
      action={`Send ${method}`}
      danger={method === 'DELETE'}
      onConfirm={onConfirm}
    >
      <p className="user-text">
        {method} {address} changes the catalog on your behalf. You are asked once per operation.
      </p>
    </ConfirmDialog>
  )
}
