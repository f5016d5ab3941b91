import { Eye, MoreHorizontal, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { CancelRunButton, toRunStart } from '../../documents/run-buttons.tsx'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { ForceDialog } from './force-dialog.tsx'
import type { IntegrationForm } from './integration-draft.ts'

/** The actions on an integration; a disabled one shows the reason. */
export function IntegrationActions({ form }: { form: IntegrationForm }) {
  const session = useSession()
  const start = useAction(toRunStart(form.externalId))
  const [asked, setAsked] = useState<'delete' | 'force'>()
  const { reason } = may(session, 'INGESTION_EDIT', form.owningTeamExternalId)
  const isRunning = form.latestRun?.status === 'RUNNING'
  const runReason = reason ?? (isRunning ? 'A run is in progress.' : undefined)
  const close = (): void => setAsked(undefined)
  return (
    <>
      <ButtonLink href={paths.editIntegration(form.externalId)} reason={reason} icon={Pencil}>
        Edit
      </ButtonLink>
      <Button
        icon={Eye}
        reason={runReason}
        busy={start.isPending}
        onClick={() => start.run({ kind: 'preview', force: false })}
      >
        <span>
          Preview<span className="max-sm:sr-only"> run</span>
        </span>
      </Button>
      {isRunning ? (
        <CancelRunButton externalId={form.externalId} reason={reason} />
      ) : (
        <Button
          look="primary"
          icon={Play}
          reason={runReason}
          busy={start.isPending}
          onClick={() => start.run({ kind: 'ingest', force: false })}
        >
          Run now
        </Button>
      )}
      <MoreMenu form={form} reason={reason} runReason={runReason} ask={setAsked} />
      <DeleteDialog form={form} open={asked === 'delete'} onClose={close} />
      {asked === 'force' && <ForceDialog externalId={form.externalId} onClose={close} />}
    </>
  )
}

interface MoreProps {
  form: IntegrationForm
  reason: string | undefined
  runReason: string | undefined
  ask: (what: 'delete' | 'force') => void
}

function MoreMenu({ form, reason, runReason, ask }: MoreProps) {
  const { externalId, enabled, pausedBecause, scheduleExpression } = form
  const params = { path: { externalId } }
  const turn = useAction({
    request: (to: 'enable' | 'disable') =>
      client.POST(`/ui/integrations/{externalId}/${to}`, { params }),
    notice: (_, to) => (to === 'enable' ? 'Schedule turned on' : 'Schedule turned off'),
    problemAsNotice: true,
    refresh: 'everything',
  })
  const isOn = enabled && pausedBecause === null
  const noSchedule =
    scheduleExpression === null ? 'No schedule is set. Edit the integration to set one.' : undefined
  return (
    <Menu
      trigger={<IconButton label="More" look="secondary" icon={MoreHorizontal} iconSize={16} />}
    >
      <MenuItem
        icon={isOn ? Pause : Power}
        reason={reason ?? noSchedule}
        onSelect={() => turn.run(isOn ? 'disable' : 'enable')}
      >
        {isOn ? 'Turn schedule off' : 'Turn schedule on'}
      </MenuItem>
      <MenuItem icon={Play} reason={runReason} onSelect={() => ask('force')}>
        Run even if the source is empty
      </MenuItem>
      <MenuLine />
      <MenuItem danger icon={Trash2} reason={reason} onSelect={() => ask('delete')}>
        Delete integration
      </MenuItem>
    </Menu>
  )
}
