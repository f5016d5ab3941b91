import { Eye, MoreHorizontal, Pause, Pencil, Play, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { CancelRunButton, toRunStart } from '../../documents/run-buttons.tsx'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import { Menu, MenuItem, MenuLine } from '../../parts/menu.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { paths } from '../../paths.ts'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { useAction, allExcept } from '../../shell/action.ts'
import type { IntegrationForm } from './integration-draft.ts'
import { useAssetCount } from './use-integration.ts'

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

interface ForceProps {
  externalId: string
  onClose: () => void
}

/** Confirms a run that accepts an empty source. */
function ForceDialog({ externalId, onClose }: ForceProps) {
  const { request, ...start } = toRunStart(externalId)
  return (
    <ActionDialog
      {...start}
      request={() => request({ kind: 'ingest', force: true })}
      title="Run even if the source is empty?"
      button="Run anyway"
      onClose={onClose}
    >
      <p>
        A source that suddenly shows nothing usually means a lost privilege or a wrong database, so
        a run normally fails and deletes nothing, and a schema that is no longer listed is kept for
        14 days. This run deletes everything that the source does not show.
      </p>
      <p>
        Many deletes at once are still held until a person confirms them, including those that were
        rejected before.
      </p>
    </ActionDialog>
  )
}

type Assets = 'keep' | 'delete'

const CHOICES = [
  {
    value: 'keep',
    label: 'Keep the assets',
    hint: 'They stay with their history and annotations, without an integration. The API can change and delete them.',
  },
  {
    value: 'delete',
    label: 'Delete the assets too',
    hint: 'They disappear from lists and search. This cannot be undone.',
  },
] as const

interface DeleteProps {
  form: IntegrationForm
  open: boolean
  onClose: () => void
}

/** Deletes an integration, with or without its assets. */
function DeleteDialog({ form, open, onClose }: DeleteProps) {
  const { externalId, name, latestRun } = form
  const [assets, setAssets] = useState<Assets>('keep')
  const count = useAssetCount(externalId)
  const remove = useAction({
    request: () =>
      client.DELETE('/ui/integrations/{externalId}', {
        params: { path: { externalId }, query: { assets } },
      }),
    notice: 'Integration deleted',
    goTo: paths.integrations,
    // Data of the deleted integration is not requested again.
    refresh: allExcept(externalId),
  })
  const isRunning = latestRun?.status === 'RUNNING'
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Delete ${name}?`}
      description="This permanently deletes its configuration, its secrets and its runs."
    >
      {isRunning && (
        <Notice tone="caution" title="A run is in progress">
          Wait until it ends, or cancel it first.
        </Notice>
      )}
      <RadioGroup
        label={count === undefined ? 'Assets' : countText(count, 'asset')}
        name="assets"
        value={assets}
        options={CHOICES}
        onChange={setAssets}
      />
      <ProblemNotice problem={remove.problem} />
      <footer className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          look="danger"
          busy={remove.isPending}
          reason={isRunning ? 'A run is in progress.' : undefined}
          onClick={() => remove.run()}
        >
          {assets === 'keep' ? 'Delete integration' : 'Delete integration and assets'}
        </Button>
      </footer>
    </Dialog>
  )
}
