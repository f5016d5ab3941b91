import { useState } from 'react'
import { sendText } from '../../api/document.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { useTeams } from '../../api/teams.ts'
import { toApiPath } from '../../documents/document-kind.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import type { StoredText } from '../../documents/stored-document.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import { toTeamChoices } from '../../shell/team-choices.ts'

interface ContractOwnerProps {
  id: string
  stored: StoredText
}

/** The team that owns a data contract; if there is none, organization owners can set it. */
export function ContractOwner({ id, stored }: ContractOwnerProps) {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  const { owner } = stored
  if (owner !== undefined) {
    return (
      <span>
        Owned by <TeamLink id={owner} />
      </span>
    )
  }
  return (
    <span className="flex items-center gap-1">
      <span>No owner</span>
      <Button look="quiet" reason={mayOwn(session).reason} onClick={() => setOpen(true)}>
        Set owner
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Set owner"
        description="Editors of the team can then change the data contract. The document itself does not change."
      >
        <OwnerForm id={id} stored={stored} onDone={() => setOpen(false)} />
      </Dialog>
    </span>
  )
}

function OwnerForm({ id, stored, onDone }: ContractOwnerProps & { onDone: () => void }) {
  const teams = useTeams() ?? []
  const [team, setTeam] = useState('')
  const save = useAction({
    request: () => setOwner(id, stored, team),
    notice: 'Owner set',
    refresh: 'everything',
    onRefreshed: onDone,
  })
  return (
    <>
      <ChoiceField
        label="Team"
        value={team}
        placeholder="Choose a team"
        choices={toTeamChoices(teams, team)}
        onChange={setTeam}
      />
      <ProblemNotice problem={save.problem} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>Cancel</Button>
        <Button
          look="primary"
          busy={save.isPending}
          reason={team === '' ? 'Choose a team first.' : undefined}
          onClick={() => save.run()}
        >
          Set owner
        </Button>
      </div>
    </>
  )
}

// The text is sent again as it is, so that only the owner changes.
async function setOwner(id: string, stored: StoredText, team: string): Promise<void> {
  const { text, mediaType, etag } = stored
  const path = toApiPath({ api: '/api/datacontracts' }, id)
  const query = `?owner=${encodeURIComponent(team)}`
  await sendText('PUT', `${path}${query}`, { text, mediaType, ifMatch: etag })
}
