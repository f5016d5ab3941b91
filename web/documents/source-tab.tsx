import type { MediaType } from '../../formats/text/text.ts'
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
  return (
    <div className="grid gap-5">
      <Panel title="Source" marks={mediaType === 'application/json' ? 'JSON' : 'YAML'}>
        <SourceView
          text={text}
          mediaType={mediaType}
          fileName={id}
          label={`Source of the ${kind.called}`}
        />
      </Panel>
      <Panel title="From the command line">
        <div className="grid gap-3">
          <p className="text-muted">{COMMAND_HINT}</p>
          <Commands list={kind.api} id={id} mediaType={mediaType} noun={kind.called} />
        </div>
      </Panel>
    </div>
  )
}

/** The note about the key that the commands use. */
export const COMMAND_HINT = (
  <>
    With an API key in the environment variable <code>PORTBOOK_API_KEY</code>.
  </>
)

interface CommandsProps {
  /** The address of all documents of the kind: `/api/dataproducts`. */
  list: string
  id: string
  mediaType: MediaType
  /** The noun for the document: `data product`. */
  noun: string
}

/** The commands that read and write a document. */
export function Commands({ list, id, mediaType, noun }: CommandsProps) {
  const { get, put } = curlCommands({ origin: globalThis.location.origin, list, id }, mediaType)
  const commands = [
    { title: 'Read', text: get, label: `Command to read the ${noun}` },
    {
      title: 'Register or replace',
      text: put,
      label: `Command to register or replace the ${noun}`,
    },
  ]
  return commands.map(({ title, text, label }) => (
    <section key={title} className="grid min-w-0 gap-1">
      <h3 className="text-sm text-muted">{title}</h3>
      <CodeBlock text={text} label={label} />
    </section>
  ))
}
