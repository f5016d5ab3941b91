import { CodeBlock } from '../../parts/copy.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Status, type Tone } from '../../parts/status.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { durationText } from '../../parts/time.tsx'
import type { Sent } from './use-send.ts'

interface SentViewProps {
  sent: Sent | undefined
  isSending: boolean
}

/** A response: status, time, headers and body, as text. */
export function SentView({ sent, isSending }: SentViewProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div aria-live="polite" className="flex flex-wrap items-center gap-3">
        {isSending && <span className="text-muted">Waiting for the response…</span>}
        {!isSending && sent !== undefined && sent.failure === undefined && (
          <>
            <Status tone={getTone(sent.status)}>
              {sent.status} {sent.statusText}
            </Status>
            <span className="text-muted">in {durationText(sent.durationMs)}</span>
          </>
        )}
        {!isSending && sent?.failure !== undefined && (
          <Notice tone="critical" title="No response">
            {sent.failure}
          </Notice>
        )}
      </div>
      {sent !== undefined && sent.failure === undefined && <Received sent={sent} />}
    </div>
  )
}

function Received({ sent }: { sent: Sent }) {
  const { headers, text, characters } = sent
  return (
    <>
      {text === '' ? (
        <p className="text-muted">The response has no body.</p>
      ) : (
        <div className="grid max-h-[32rem] overflow-auto">
          <CodeBlock label="Response body" text={text} />
        </div>
      )}
      {characters > text.length && (
        <p className="text-sm text-muted">
          Showing the first {numberText(text.length)} of {numberText(characters)} characters.
        </p>
      )}
      <details>
        <summary className="w-fit py-0.5 text-sm text-accent">
          {countText(headers.length, 'response header')}
        </summary>
        <CodeBlock
          label="Response headers"
          text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      </details>
    </>
  )
}

function getTone(status: number): Tone {
  if (status < 300) return 'positive'
  if (status < 400) return 'neutral'
  return status < 500 ? 'caution' : 'critical'
}
