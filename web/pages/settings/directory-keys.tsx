import { Trash2 } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { client, type Schemas } from '../../api/client.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { ActionDialog } from '../../shell/action-dialog.tsx'

type DirectoryKey = Schemas['DirectoryKey']

interface DirectoryKeysPanelProps {
  keys: readonly DirectoryKey[]
  keysMax: number
  /** The button that creates a key. */
  children: ReactNode
}

/** The keys of the directory. To rotate one, another is created first. */
export function DirectoryKeysPanel({ keys, keysMax, children }: DirectoryKeysPanelProps) {
  const [deleted, setDeleted] = useState<DirectoryKey | undefined>(undefined)
  return (
    <Panel title="Keys" marks={`${keys.length} of ${keysMax}`} actions={children} flush>
      {keys.length === 0 ? (
        <Empty title="No keys">The directory cannot provision until it has a key.</Empty>
      ) : (
        <Table
          label="Keys of the directory"
          columns={getColumns(setDeleted)}
          rows={keys}
          getKey={({ id }) => id}
        />
      )}
      {deleted !== undefined && (
        <DeleteKeyDialog directoryKey={deleted} onClose={() => setDeleted(undefined)} />
      )}
    </Panel>
  )
}

function getColumns(onDelete: (key: DirectoryKey) => void): Column<DirectoryKey>[] {
  return [
    { title: 'Key', cell: ({ secretPrefix }) => <code>{secretPrefix}…</code> },
    { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'Last used',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className="text-muted">Never</span> : <Time at={lastUsedAt} />,
    },
    {
      title: 'Actions',
      align: 'right',
      cell: (key) => (
        <IconButton
          label={`Delete the key ${key.secretPrefix}…`}
          icon={Trash2}
          onClick={() => onDelete(key)}
        />
      ),
    },
  ]
}

interface DeleteKeyDialogProps {
  directoryKey: DirectoryKey
  onClose: () => void
}

function DeleteKeyDialog({ directoryKey, onClose }: DeleteKeyDialogProps) {
  const { id, secretPrefix } = directoryKey
  return (
    <ActionDialog
      title={`Delete the key ${secretPrefix}…?`}
      button="Delete key"
      danger
      request={() => client.DELETE('/ui/directory/keys/{id}', { params: { path: { id } } })}
      notice="Key deleted"
      refresh={['/ui/directory']}
      refreshAfterError={['/ui/directory']}
      onClose={onClose}
    >
      <p>
        A directory that uses this key is rejected within a second. To replace it without a gap,
        create the other key, enter it in the directory, and delete this one then.
      </p>
    </ActionDialog>
  )
}

interface NewDirectoryKeyProps {
  secret: string
  address: string
  onSaved: () => void
}

/** A key that was just created, which is shown only now. */
export function NewDirectoryKey({ secret, address, onSaved }: NewDirectoryKeyProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section
      aria-labelledby="new-directory-key"
      className="grid grid-cols-[minmax(0,1fr)] gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <h2 id="new-directory-key" ref={heading} tabIndex={-1} className="text-lg outline-none">
        Key created
      </h2>
      <Notice tone="caution" title="The key is shown only now">
        Enter it in the directory, together with the address. Portbook keeps only a hash.
      </Notice>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Key (Entra ID: Secret token; Okta: bearer token)</h3>
        <CodeBlock text={secret} label="Key of the directory" />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
        <h3 className="text-sm">Address (Entra ID: Tenant URL; Okta: base URL)</h3>
        <CodeBlock text={address} label="Address beside the key" />
      </div>
      <Button look="primary" className="justify-self-start" onClick={onSaved}>
        I have saved it
      </Button>
    </section>
  )
}
