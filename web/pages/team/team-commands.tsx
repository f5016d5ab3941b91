import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { teamCurl } from './team-curl.ts'

/** A button that opens the commands with which a pipeline reads and writes a team. */
export function TeamCommands({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  const { get, put } = teamCurl(globalThis.location.origin, id)
  return (
    <>
      <Button icon={Terminal} onClick={() => setOpen(true)}>
        Command line
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="From the command line"
        description={
          <>
            With an API key in the environment variable <code>PORTBOOK_API_KEY</code>.
          </>
        }
        wide
      >
        <section className="grid gap-1.5">
          <h3 className="text-sm text-muted">Read the team</h3>
          <CodeBlock text={get} label="Command that reads the team" />
        </section>
        <section className="grid gap-1.5">
          <h3 className="text-sm text-muted">Create or replace</h3>
          <CodeBlock text={put} label="Command that writes the team" />
        </section>
      </Dialog>
    </>
  )
}
