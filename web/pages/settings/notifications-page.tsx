import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BellOff } from 'lucide-react'
import { api, client, type Answer, type Schemas } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { toChoices } from '../../parts/choices.ts'
import { Combobox } from '../../parts/combobox.tsx'
import { Link, NewTabLink } from '../../parts/link.tsx'
import { Loaded, QueryPanel } from '../../parts/loaded.tsx'
import { Empty, Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { paths, pathOfResource } from '../../paths.ts'
import { DigestPanel } from './digest-panel.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { FOLLOW_DATA } from '../../documents/follow-button.tsx'
import { useAction } from '../../shell/action.ts'

type Setting = Answer<'/ui/notification-settings', 'get'>['kinds'][number]
type Follow = Schemas['FollowList'][number]

const SETTINGS = api.queryOptions('get', '/ui/notification-settings', {})
const FOLLOWS = api.queryOptions('get', '/ui/follows', {})

const EMAIL_CHOICES = [
  ['off', 'No e-mail'],
  ['immediate', 'At once'],
  ['digest', 'In the digest'],
] as const

/** Which notifications the user gets, and what the user follows. */
export function NotificationSettingsPage() {
  return (
    <SettingsFrame at={paths.notificationSettings}>
      <KindsPanel />
      <MailDigest />
      <FollowsPanel />
    </SettingsFrame>
  )
}

// Without a mail server, no digest is sent.
function MailDigest() {
  const { data } = useQuery(SETTINGS)
  return data?.sendsMail === true ? <DigestPanel /> : null
}

function KindsPanel() {
  const query = useQuery(SETTINGS)
  const save = useSave()
  const change = ({ kind, onPage, email }: Setting, patch: Partial<Setting>): void =>
    save.run({ kind, onPage, email, ...patch })
  return (
    <Panel title="Notifications" flush>
      <ProblemNotice problem={save.problem} />
      <Loaded query={query} skeleton={{ lines: 8 }}>
        {({ kinds, sendsMail }) => (
          <>
            {!sendsMail && <MailOff />}
            <Table
              label="Notifications and their channels"
              columns={toColumns(change, sendsMail)}
              rows={kinds}
              getKey={({ kind }) => kind}
            />
          </>
        )}
      </Loaded>
    </Panel>
  )
}

const MAIL_OFF_ID = 'mail-off'

function MailOff() {
  return (
    <div id={MAIL_OFF_ID} className="p-4">
      <Notice tone="info" title="E-mail is off">
        No mail server is configured, so notifications appear only on the page and in the channels
        of teams. <NewTabLink href="/guides/e-mail">Set up e-mail</NewTabLink>
      </Notice>
    </div>
  )
}

function toColumns(
  change: (setting: Setting, patch: Partial<Setting>) => void,
  sendsMail: boolean,
): Column<Setting>[] {
  return [
    {
      title: 'Notification',
      cell: ({ title, description }) => (
        <span className="block max-w-prose">
          {title}
          <span className="block text-sm font-normal text-muted">{description}</span>
        </span>
      ),
    },
    {
      title: 'On the page',
      className: 'w-28',
      cell: (setting) => (
        <input
          type="checkbox"
          aria-label={`${setting.title} on the page`}
          className="size-4 accent-accent-solid"
          checked={setting.onPage}
          onChange={({ target }) => change(setting, { onPage: target.checked })}
        />
      ),
    },
    {
      title: 'By e-mail',
      className: 'w-48',
      cell: (setting) => (
        <Combobox
          aria-label={`${setting.title} by e-mail`}
          aria-describedby={sendsMail ? undefined : MAIL_OFF_ID}
          disabled={!sendsMail}
          className="w-40"
          value={setting.email}
          choices={toChoices(EMAIL_CHOICES)}
          onChange={(value) => {
            const choice = EMAIL_CHOICES.find(([one]) => one === value)
            if (choice !== undefined) change(setting, { email: choice[0] })
          }}
        />
      ),
    },
  ]
}

// The row shows the change before the server has stored it, and shows the stored one if that fails.
function useSave() {
  const queries = useQueryClient()
  return useAction({
    request: (body: Pick<Setting, 'kind' | 'onPage' | 'email'>) =>
      client.PUT('/ui/notification-settings', { body }),
    onStart(body) {
      queries.setQueryData(
        SETTINGS.queryKey,
        (before: Answer<'/ui/notification-settings', 'get'> | undefined) =>
          before === undefined
            ? before
            : {
                ...before,
                kinds: before.kinds.map((one) =>
                  one.kind === body.kind ? { ...one, ...body, isDefault: false } : one,
                ),
              },
      )
    },
    refreshAfterError: ['/ui/notification-settings'],
  })
}

const CALLED: Record<Follow['kind'], string> = {
  'data-product': 'Data product',
  'data-contract': 'Data contract',
  team: 'Team',
  search: 'Search',
}

const FOLLOW_COLUMNS: readonly Column<Follow>[] = [
  {
    title: 'Subject',
    cell: (follow) => (
      <Link href={toPath(follow)} plain className="user-text hover:underline">
        {follow.name ?? (follow.kind === 'search' ? describeSearch(follow.id) : follow.id)}
      </Link>
    ),
  },
  { title: 'Type', className: 'w-36', cell: ({ kind }) => CALLED[kind] },
  {
    title: 'State',
    className: 'w-28',
    cell: ({ muted }) => (muted ? 'Muted' : 'Following'),
  },
  { title: 'Actions', isAction: true, cell: (follow) => <EndButton follow={follow} /> },
]

function FollowsPanel() {
  const query = useQuery(FOLLOWS)
  return (
    <QueryPanel
      title="Followed and muted"
      marks={query.data?.length || undefined}
      flush
      query={query}
      skeleton={{ lines: 3 }}
      empty={
        <Empty icon={BellOff} title="Nothing followed or muted">
          What your teams own and read is followed by default. Follow anything else with the button
          on its page.
        </Empty>
      }
    >
      {(follows) => (
        <Table
          label="Followed and muted"
          columns={FOLLOW_COLUMNS}
          rows={follows}
          getKey={({ kind, id }) => `${kind} ${id}`}
        />
      )}
    </QueryPanel>
  )
}

function EndButton({ follow: { kind, id, name, muted } }: { follow: Follow }) {
  const end = useAction({
    request: () => client.DELETE('/ui/follow', { params: { query: { kind, id } } }),
    notice: muted ? 'Unmuted' : 'Unfollowed',
    problemAsNotice: true,
    refresh: FOLLOW_DATA,
    refreshAfterError: FOLLOW_DATA,
  })
  const action = muted ? 'Unmute' : 'Unfollow'
  return (
    <Button look="quiet" aria-label={`${action} ${name ?? id}`} onClick={() => end.run()}>
      {action}
    </Button>
  )
}

const RESOURCE_TYPES = {
  'data-product': 'DATA_PRODUCT',
  'data-contract': 'DATA_CONTRACT',
  team: 'TEAM',
} as const

function toPath({ kind, id }: Follow): string {
  return kind === 'search' ? `${paths.search()}?${id}` : pathOfResource(RESOURCE_TYPES[kind], id)
}

/** Describes a followed search: its words and the values of its filters. */
function describeSearch(canonical: string): string {
  const query = new URLSearchParams(canonical)
  const words = query.get('query')
  const filters = [...query].filter(([name]) => name !== 'query').map(([, value]) => value)
  return [words === null ? '' : `"${words}"`, filters.join(', ')].filter(Boolean).join(' in ')
}
