import { CodeBlock } from '../parts/copy.tsx'
import { Panel } from '../parts/page.tsx'
import { curlCommands } from './curl-commands.ts'
import type { DocumentKind } from './document-kind.ts'
import { SourceView } from './source-view.tsx'
import type { StoredText } from './stored-document.ts'

interface SourceTabProps {
  kind: DocumentKind
  id: string
  stored: StoredText
}

/** The document as it was sent, and the commands that read and write it. */
export function SourceTab({ kind, id, stored }: SourceTabProps) {
  const { text, mediaType } = stored
  const { called: noun, api: list } = kind
  const { get, put } = curlCommands({ origin: globalThis.location.origin, list, id }, mediaType)
  return (
    <div className="grid gap-5">
      <Panel title="Source" marks={mediaType === 'application/json' ? 'JSON' : 'YAML'}>
        <SourceView
          text={text}
          mediaType={mediaType}
          fileName={id}
          label={`Source of the ${noun}`}
        />
      </Panel>
      <Panel title="From the command line">
        <div className="grid gap-3">
          <p className="text-muted">
            With an API key in the environment variable <code>PORTBOOK_API_KEY</code>.
          </p>
          <Command title="Read" text={get} label={`Command to read the ${noun}`} />
          <Command
            title="Register or replace"
            text={put}
            label={`Command to register or replace the ${noun}`}
          />
        </div>
      </Panel>
    </div>
  )
}

function Command({ title, text, label }: { title: string; text: string; label: string }) {
  return (
    <div className="grid min-w-0 gap-1">
      <h3 className="text-sm text-muted">{title}</h3>
      <CodeBlock text={text} label={label} />
    </div>
  )
}
