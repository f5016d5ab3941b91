import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { client, type Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { ACCESS_DATA } from '../../documents/access/access-queries.ts'
import { addDays, today } from '../../documents/access/access-words.ts'
import { nameAgreement } from '../../documents/access/agreement-list.tsx'
import { DecisionDialog, type AccessDecision } from '../../documents/access/decision-dialog.tsx'
import { findRenewal, isOpen, mayActForConsumer, mayEnd } from '../../documents/access/own-side.ts'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { paths } from '../../paths.ts'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'

type Details = Schemas['AgreementDetails']
type OpenDialog = AccessDecision | 'renew' | 'reassess' | 'delete'

const OWN_REQUEST = 'This is your own request. Ask another approver of the team to decide.'
const NO_PORT = 'The output port no longer exists. Reject the request.'

/** The buttons for what both sides can do with an agreement in its state. */
export function Actions({ agreement }: { agreement: Details }) {
  const [dialog, setDialog] = useState<OpenDialog>()
  const close = (): void => setDialog(undefined)
  return (
    <>
      <StateActions agreement={agreement} onOpen={setDialog} />
      <MoreActions agreement={agreement} onOpen={setDialog} />
      {(dialog === 'approve' || dialog === 'reject' || dialog === 'cancel') && (
        <DecisionDialog decision={dialog} agreements={[agreement]} onClose={close} />
      )}
      {(dialog === 'renew' || dialog === 'reassess') && (
        <TermsDialog kind={dialog} agreement={agreement} onClose={close} />
      )}
      {dialog === 'delete' && <DeleteDialog agreement={agreement} onClose={close} />}
    </>
  )
}

interface ActionsProps {
  agreement: Details
  onOpen: (dialog: OpenDialog) => void
}

// The person who may decide gets the buttons of the decision; the consumer those of the own side.
function StateActions({ agreement, onOpen }: ActionsProps) {
  const session = useSession()
  const { id, state, productId, port, portName, providerTeam, isOwnRequest } = agreement
  const approval = may(session, 'ACCESS_APPROVE', providerTeam)
  const own = mayActForConsumer(session, agreement)
  const end = mayEnd(session, agreement)
  const renewal = findRenewal(agreement)
  if (state === 'requested') {
    return (
      <>
        {approval.allowed && (
          <>
            <Button
              look="primary"
              reason={isOwnRequest ? OWN_REQUEST : portName === null ? NO_PORT : undefined}
              onClick={() => onOpen('approve')}
            >
              Approve
            </Button>
            <Button onClick={() => onOpen('reject')}>Reject</Button>
          </>
        )}
        {own.allowed && <Button onClick={() => onOpen('cancel')}>Withdraw</Button>}
      </>
    )
  }
  return (
    <>
      {renewal !== undefined &&
        portName !== null &&
        own.allowed &&
        !(approval.allowed && isOpen(agreement)) && (
          <ButtonLink
            look={isOpen(agreement) ? 'secondary' : 'primary'}
            href={paths.requestAccess({ product: productId, port, renews: id })}
          >
            {renewal}
          </ButtonLink>
        )}
      {isOpen(agreement) && approval.allowed && (
        <Button reason={isOwnRequest ? OWN_REQUEST : undefined} onClick={() => onOpen('renew')}>
          Renew
        </Button>
      )}
      {isOpen(agreement) && end.allowed && (
        <Button onClick={() => onOpen('cancel')}>End access</Button>
      )}
    </>
  )
}

function MoreActions({ agreement, onOpen }: ActionsProps) {
  const session = useSession()
  const { providerTeam } = agreement
  const edit = may(session, 'ACCESS_EDIT', providerTeam)
  const removal = may(session, 'ACCESS_DELETE', providerTeam)
  if (!edit.allowed && !removal.allowed) return null
  return (
    <Menu trigger={<IconButton label="More actions" icon={Ellipsis} look="secondary" />}>
      {isOpen(agreement) && (
        <MenuItem reason={edit.reason} onSelect={() => onOpen('reassess')}>
          Set the reassessment
        </MenuItem>
      )}
      <MenuItem danger reason={removal.reason} onSelect={() => onOpen('delete')}>
        Delete the agreement
      </MenuItem>
    </Menu>
  )
}

function DeleteDialog({ agreement, onClose }: { agreement: Details; onClose: () => void }) {
  const { id, state } = agreement
  return (
    <ActionDialog
      title="Delete the agreement?"
      button="Delete agreement"
      danger
      request={() => client.DELETE('/api/access/{id}', { params: { path: { id } } })}
      notice="Agreement deleted."
      goTo={paths.requests()}
      refresh={ACCESS_DATA}
      onClose={onClose}
    >
      {state === 'active' && <p>The consumer loses access now.</p>}
      <p>It disappears from all lists. To keep it as a record, end the access instead.</p>
    </ActionDialog>
  )
}

const WORDS = {
  renew: {
    title: 'Renew access',
    label: 'Last day',
    hint: 'Empty: access does not end.',
    action: 'Renew',
    done: 'Access renewed.',
  },
  reassess: {
    title: 'Set the reassessment',
    label: 'Reassess on',
    hint: 'On this day, approvers are reminded to check whether the access is still needed.',
    action: 'Save',
    done: 'Reassessment saved.',
  },
}

interface TermsDialogProps {
  kind: keyof typeof WORDS
  agreement: Schemas['AgreementDetails']
  onClose: () => void
}

/** Changes the last day of an agreement, or the day of its reassessment. */
function TermsDialog({ kind, agreement, onClose }: TermsDialogProps) {
  const { title, label, hint, action, done } = WORDS[kind]
  const { id, endOn, reassessOn } = agreement
  const [day, setDay] = useState(
    kind === 'reassess' ? (reassessOn ?? '') : endOn === null ? '' : addDays(endOn, -1),
  )
  const value = day === '' ? null : day
  const body =
    kind === 'reassess'
      ? { reassessmentDate: value }
      : { endDate: value === null ? null : addDays(value, 1) }
  const change = useAction({
    request: () => client.PUT('/ui/access/{id}/terms', { params: { path: { id } }, body }),
    notice: done,
    refresh: ACCESS_DATA,
    onRefreshed: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={<span className="user-text">{nameAgreement(agreement)}</span>}
    >
      <Form label={title} problem={change.problem} onSubmit={change.run}>
        <TextField
          label={label}
          hint={hint}
          type="date"
          optional
          min={today()}
          value={day}
          onChange={setDay}
        />
        <div className="flex flex-wrap gap-2">
          <SubmitButton busy={change.isPending}>{action}</SubmitButton>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
