import { SourceView } from '../../documents/source-view.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Panel } from '../../parts/page.tsx'
import { curlCommands } from '../../documents/curl-commands.ts'
import type { ShownProduct } from './product-query.ts'

/** The document as it was sent, and the commands that read and write it. */
export function SourceTab({ id, shown }: { id: string; shown: ShownProduct }) {
  const { text, mediaType } = shown.stored
  const { get, put } = curlCommands(
    { origin: globalThis.location.origin, list: '/api/dataproducts', id },
    mediaType,
  )
  return (
    <div className="grid gap-5">
      <Panel title="Source" marks={mediaType === 'application/json' ? 'JSON' : 'YAML'}>
        <SourceView
          text={text}
          mediaType={mediaType}
          fileName={id}
          label="Source of the data product"
        />
      </Panel>
      <Panel title="From the command line">
        <div className="grid gap-3">
          <p className="text-muted">
            With an API key in the environment variable <code>PORTBOOK_API_KEY</code>.
          </p>
          <h3 className="text-sm text-muted">Read</h3>
          <CodeBlock text={get} label="Command to read the data product" />
          <h3 className="text-sm text-muted">Register or replace</h3>
          <CodeBlock text={put} label="Command to register or replace the data product" />
        </div>
      </Panel>
    </div>
  )
}
