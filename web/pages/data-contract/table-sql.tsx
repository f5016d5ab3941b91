import { Code } from 'lucide-react'
import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'

interface TableSqlProps {
  id: string
  server: string
  model: Schemas['ModelDrift']
}

/** The button that shows the SQL with which the table keeps the contract again; nothing without differences. */
export function TableSql(props: TableSqlProps) {
  const { model } = props
  const [isOpen, setOpen] = useState(false)
  if (!model.findings.some(({ level }) => level === 'breaking')) return null
  return (
    <>
      <Button
        icon={Code}
        aria-label={`Copy SQL for the table of ${model.model} on ${props.server}`}
        onClick={() => setOpen(true)}
      >
        Copy SQL for the table
      </Button>
      {isOpen && <SqlDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function SqlDialog({ id, server, model, onClose }: TableSqlProps & { onClose: () => void }) {
  const query = api.useQuery('get', '/api/datacontracts/{id}/drift/sql', {
    params: { path: { id }, query: { server, model: model.model } },
  })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="SQL for the table"
      description="The statements that make the table keep the contract. Portbook never executes them: read them, and run them where you change tables."
    >
      <Loaded query={query} skeleton={{ lines: 4, isFlush: true }}>
        {({ dialect, sql, notes }) => (
          <div className="grid gap-4">
            {sql === '' ? (
              <p>No statement changes this table.</p>
            ) : (
              <CodeBlock label={`SQL for ${dialect}`} text={sql.trimEnd()} />
            )}
            {notes.length > 0 && (
              <section aria-label="Before you run it">
                <h3 className="text-sm font-medium">Before you run it</h3>
                <ul className="mt-1 list-disc pl-5">
                  {notes.map(({ field, message }) => (
                    <li key={`${field} ${message}`} className="user-text">
                      {field !== '' && <code>{field}</code>} {message}
                    </li>
                  ))}
                </ul>
              </section>
            )}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
