import { may, useSession } from '../../api/session.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { numberText } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useCorrection, type Correction } from './use-correction.ts'
import type { Integration, Run, RunName } from './use-run.ts'

interface HeldProps {
  name: RunName
  run: Run
  /** Undefined = not known yet. */
  integration: Integration | undefined
}

/** Deletes that a run did not make by itself: why, and what each decision leads to. */
export function HeldNotice({ name, run, integration }: HeldProps) {
  const session = useSession()
  const correction = useCorrection(name)
  const { assetsHeld, heldState, kind } = run
  if (assetsHeld === 0) return null
  const count = numberText(assetsHeld)
  const list = (
    <ButtonLink
      href={paths.run(name.externalId, name.ingestionRunId, { view: 'changes', action: 'held' })}
    >
      Show them
    </ButtonLink>
  )
  if (kind === 'preview') {
    return (
      <Notice
        tone="caution"
        title={`A run would hold ${count} deletes for a decision`}
        actions={list}
      >
        {WHY}
      </Notice>
    )
  }
  if (heldState !== 'pending') {
    return (
      <Notice tone="info" title={`This run held ${count} deletes`} actions={list}>
        {DECIDED[heldState ?? ''] ?? 'They no longer wait for a decision.'}
      </Notice>
    )
  }
  const reason =
    integration === undefined
      ? 'Wait a moment: whether you may decide is being looked up.'
      : may(session, 'INGESTION_EDIT', integration.owningTeamExternalId).reason
  return (
    <>
      <Notice
        tone="caution"
        title={`${count} deletes wait for your decision`}
        actions={
          <span className="flex flex-wrap gap-2">
            {list}
            <Button look="danger" reason={reason} onClick={() => correction.ask('confirm')}>
              Delete them
            </Button>
            <Button reason={reason} onClick={() => correction.ask('reject')}>
              Keep them
            </Button>
          </span>
        }
      >
        {WHY} Everything else of this run is published. The next run that succeeds looks again, and
        its findings take the place of these.
      </Notice>
      <HeldDialogs correction={correction} count={count} />
    </>
  )
}

const WHY =
  'They are too many at once to be taken for granted, as a lost privilege or a wrong database would look the same; or the settings leave out what was taken in before. The list says which.'

const DECIDED: Readonly<Record<string, string>> = {
  confirmed: 'A person confirmed them, and they are deleted.',
  rejected:
    'A person kept the assets. A later run may ask again, when it does not find them either.',
  superseded: 'A later run looked again, and its findings took their place.',
}

function HeldDialogs({ correction, count }: { correction: Correction; count: string }) {
  const { asked, close, isPending, problem, decide } = correction
  return (
    <>
      <ConfirmDialog
        open={asked === 'confirm'}
        onClose={close}
        title={`Delete ${count} assets?`}
        action="Delete them"
        danger
        busy={isPending}
        onConfirm={decide}
      >
        <p>
          They disappear from lists and search, and are kept for 14 days. Within that time they come
          back as they were when the source shows them again, or when you undo this. Data contracts
          and data products that name them stay.
        </p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'reject'}
        onClose={close}
        title={`Keep ${count} assets?`}
        action="Keep the assets"
        busy={isPending}
        onConfirm={decide}
      >
        <p>
          They stay in the catalog as they are. A later run that does not find them either asks
          again: mend the privileges or the filters first when these are the reason.
        </p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </ConfirmDialog>
    </>
  )
}
