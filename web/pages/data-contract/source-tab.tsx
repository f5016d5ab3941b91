import { SourceView } from '../../documents/source-view.tsx'
import type { StoredText } from '../../documents/stored-document.ts'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import { curlCommands } from '../../documents/curl-commands.ts'

/** The document as it was sent, and the commands that read and write it. */
export function SourceTab({ id, stored }: { id: string; stored: StoredText }) {
  const { get, put } = curlCommands(
    { origin: globalThis.location.origin, list: '/api/datacontracts', id },
    stored.mediaType,
  )
  return (
    <div className="grid gap-5">
      <Panel title="Source" marks={stored.mediaType === 'application/json' ? 'JSON' : 'YAML'}>
        <SourceView text={stored.text} mediaType={stored.mediaType} fileName={id} />
      </Panel>
      <Panel title="From the command line">
        <div className="grid gap-3">
          <p className="text-muted">
            With an API key in the environment variable <code>PORTBOOK_API_KEY</code>.
          </p>
          <div className="grid min-w-0 gap-1">
            <h3 className="text-sm text-muted">Read</h3>
            <CodeBlock text={get} label="Command to read the contract" />
          </div>
          <div className="grid min-w-0 gap-1">
            <h3 className="text-sm text-muted">Register or replace</h3>
            <CodeBlock text={put} label="Command to register or replace the contract" />
          </div>
        </div>
      </Panel>
    </div>
  )
}
