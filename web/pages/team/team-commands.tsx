import { Terminal } from 'lucide-react'
import { useState } from 'react'
import { COMMAND_HINT, Commands } from '../../documents/source-tab.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'

/** A button that opens the commands with which a pipeline reads and writes a team. */
export function TeamCommands({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon={Terminal} onClick={() => setOpen(true)}>
        Command line
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="From the command line"
        description={COMMAND_HINT}
        wide
      >
        <Commands list="/api/teams" id={id} mediaType="application/json" noun="team" />
      </Dialog>
    </>
  )
}
