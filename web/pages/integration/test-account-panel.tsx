import { useState } from 'react'
import { api, client } from '../../api/client.ts'
import type { components } from '../../api/openapi.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Facts } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { useAction } from '../../shell/action.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'
import type { IntegrationForm } from './integration-draft.ts'

type TestAccount = components['schemas']['TestAccount']

const ACCOUNT_DATA = ['/api/integrations/{externalId}/test-account'] as const

/** The second account of an integration, which tests contracts. */
export function TestAccountPanel({ form }: { form: IntegrationForm }) {
  const { externalId, owningTeamExternalId: owner } = form
  const { reason } = may(useSession(), 'INGESTION_EDIT', owner)
  const account = api.useQuery('get', '/api/integrations/{externalId}/test-account', {
    params: { path: { externalId } },
  })
  const [isOpen, setOpen] = useState(false)
  const { data } = account
  return (
    <>
      <QueryPanel
        title="Tests of contracts"
        query={account}
        skeleton={{ lines: 3, label: 'Loading the account for tests' }}
        actions={
          data !== undefined && (
            <AccountButtons
              id={externalId}
              isOffered={data.isOffered}
              hasAccount={data.userName !== null}
              reason={reason}
              onOpen={() => setOpen(true)}
            />
          )
        }
      >
        {(found) =>
          found.isOffered ? (
            <AccountFacts account={found} />
          ) : (
            <p className="text-muted">
              Not offered: tables of {found.product} are tested next to the data, with{' '}
              <code>datacontract test --publish</code>.
            </p>
          )
        }
      </QueryPanel>
      {isOpen && data !== undefined && (
        <AccountDialog
          id={externalId}
          account={data}
          isOwned={owner !== null}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

interface AccountButtonsProps {
  /** External id of the integration. */
  id: string
  /** Whether an account can be set; one that exists can always be deleted. */
  isOffered: boolean
  hasAccount: boolean
  /** Why the account cannot be changed; undefined = it can. */
  reason: string | undefined
  onOpen: () => void
}

function AccountButtons({ id, isOffered, hasAccount, reason, onOpen }: AccountButtonsProps) {
  return (
    <>
      {isOffered && (
        <Button reason={reason} onClick={onOpen}>
          {hasAccount ? 'Change account…' : 'Set account…'}
        </Button>
      )}
      {hasAccount && (
        <ActionButton
          label="Delete account…"
          title="Delete the account for tests?"
          button="Delete account"
          danger
          reason={reason}
          request={() =>
            client.DELETE('/api/integrations/{externalId}/test-account', {
              params: { path: { externalId: id } },
            })
          }
          notice="Account for tests deleted."
          refresh={ACCOUNT_DATA}
        >
          Portbook then cannot test contracts on this source. Stored results stay.
        </ActionButton>
      )}
    </>
  )
}

function AccountFacts({ account }: { account: TestAccount }) {
  const { userName, enabled, isForAllTeams, needsPassword, updatedAt, right } = account
  if (userName === null) {
    return (
      <div className="grid max-w-prose justify-items-start gap-2">
        <Status tone="off">Off</Status>
        <p className="text-muted">
          With a second account that may only select, Portbook tests contracts by counting. It never
          reads values, and never runs SQL of a contract.
        </p>
        {right !== null && <p className="user-text text-muted">{right}</p>}
      </div>
    )
  }
  return (
    <div className="grid gap-4">
      {needsPassword && (
        <Notice tone="caution" title="Enter the password again">
          The connection of the integration changed since the password was entered.
        </Notice>
      )}
      <Facts
        facts={[
          [
            'Tests',
            <Status key="state" tone={enabled ? 'positive' : 'off'}>
              {enabled ? 'On' : 'Off'}
            </Status>,
          ],
          ['User', <code key="user">{userName}</code>],
          ['Contracts', isForAllTeams ? 'Of all teams' : 'Of the owning team'],
          ['Changed', <Time key="changed" at={updatedAt} />],
        ]}
      />
    </div>
  )
}

interface Draft {
  userName: string
  password: string
  enabled: boolean
  isForAllTeams: boolean
}

interface AccountDialogProps {
  /** External id of the integration. */
  id: string
  account: TestAccount
  /** Whether a team owns the integration. */
  isOwned: boolean
  onClose: () => void
}

function AccountDialog({ id, account, isOwned, onClose }: AccountDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    userName: account.userName ?? '',
    password: '',
    enabled: account.userName === null || account.enabled,
    isForAllTeams: account.isForAllTeams || !isOwned,
  })
  const keepsPassword = !account.needsPassword && draft.userName === account.userName
  const save = useAction({
    request: () =>
      client.PUT('/api/integrations/{externalId}/test-account', {
        params: { path: { externalId: id } },
        body: { ...draft, password: draft.password === '' ? null : draft.password },
      }),
    notice: 'Account for tests saved.',
    refresh: ACCOUNT_DATA,
    onRefreshed: onClose,
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Account for tests"
      description={<span className="user-text">{account.right}</span>}
    >
      <InputForm
        label="Account for tests"
        fields={listFields(keepsPassword, isOwned)}
        values={draft}
        onChange={setDraft}
        sending={save}
        action="Save"
        onSubmit={() => save.run()}
      />
    </Dialog>
  )
}

function listFields(keepsPassword: boolean, isOwned: boolean): FieldRecord<keyof Draft>[] {
  return [
    {
      name: 'userName',
      title: 'User',
      hint: 'Another account than the one that reads the source',
      control: { required: true, maxLength: 128, autoComplete: 'off' },
    },
    {
      name: 'password',
      title: 'Password',
      optional: keepsPassword,
      ...(keepsPassword && { hint: 'Leave empty to keep the stored one.' }),
      control: {
        type: 'password',
        required: !keepsPassword,
        maxLength: 4096,
        autoComplete: 'new-password',
      },
    },
    { name: 'enabled', kind: 'yes-no', title: 'Test contracts with this account' },
    {
      name: 'isForAllTeams',
      kind: 'yes-no',
      title: 'Also for contracts of other teams',
      hint: 'Counts answer questions about data, such as how many rows have a value.',
      isHidden: !isOwned,
    },
  ]
}
