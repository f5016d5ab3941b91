import { api, client, readBody, type Answer } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { dayText } from '../../parts/date-format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { NewTabLink } from '../../parts/link.tsx'
import { Skeleton, Notice, ProblemNotice } from '../../parts/notice.tsx'
import { bytesText, countText } from '../../parts/number-text.ts'
import { Facts, Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { durationText, Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { SettingsFrame } from './settings-frame.tsx'

type About = Answer<'/ui/about', 'get'>

const REFETCH_MS = 15_000

/** The installation, its health, and the guides. */
export function AboutPage() {
  const query = api.useQuery('get', '/ui/about', {}, { refetchInterval: REFETCH_MS })
  return (
    <SettingsFrame at={paths.about}>
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Loaded query={query} skeleton={<PanelSkeleton title="Installation" lines={8} />}>
          {(about) => <InstallationPanel about={about} />}
        </Loaded>
        <div className="grid min-w-0 gap-5">
          <Loaded query={query} skeleton={<PanelSkeleton title="Health" lines={4} />}>
            {(about) => <HealthPanel about={about} />}
          </Loaded>
          <Loaded query={query} skeleton={<PanelSkeleton title="E-mail" lines={3} />}>
            {({ mail }) => <MailPanel mail={mail} />}
          </Loaded>
          <GuidesPanel />
        </div>
      </div>
    </SettingsFrame>
  )
}

function PanelSkeleton({ title, lines }: { title: string; lines: number }) {
  return (
    <Panel title={title}>
      <Skeleton lines={lines} isFlush />
    </Panel>
  )
}

function HealthPanel({ about }: { about: About }) {
  const { health, memoryBytes, workers, startedAt, refusedConnections } = about
  return (
    <Panel title="Health">
      <Facts
        facts={[
          [
            'Database',
            <span key="store" className="flex flex-wrap items-center gap-2">
              {health.store === 'ok' ? (
                <Status tone="positive">Healthy</Status>
              ) : (
                <Status tone="caution">Slow</Status>
              )}
              <span className="text-muted">answers in {durationText(health.storeMs)}</span>
            </span>,
          ],
          ['Memory', `${bytesText(memoryBytes)} used by this process`],
          [
            'Workers',
            workers === 0
              ? 'None in this process. Ingestion needs another one that runs `portbook work`.'
              : `${workers} for ingestion in this process`,
          ],
          ['Running since', <Time key="since" at={startedAt} />],
          [
            'Refused connections',
            refusedConnections && <RefusedConnections key="refused" refused={refusedConnections} />,
          ],
        ]}
      />
    </Panel>
  )
}

function RefusedConnections({ refused }: { refused: NonNullable<About['refusedConnections']> }) {
  const { client, at, count, setting } = refused
  return (
    <span className="grid gap-1">
      <span>
        <Status tone="caution">{countText(count, 'connection')}</Status> since the start, the latest{' '}
        <Time at={at} /> from {client}, which has too many.
      </span>
      <span className="text-sm text-muted">
        If it is a proxy, add it to <code>{setting}</code>.
      </span>
    </span>
  )
}

function InstallationPanel({ about }: { about: About }) {
  const { version, nodeVersion, store, baseUrl, encryptionKeyId, dpsUntil, dcsUntil } = about
  return (
    <Panel title="Installation">
      <Facts
        facts={[
          ['Portbook', version],
          ['Node', nodeVersion],
          ['Database', `PostgreSQL ${store.version}`],
          ['Database size', store.sizeBytes === null ? null : bytesText(store.sizeBytes)],
          ['Address', baseUrl],
          [
            'Credentials',
            encryptionKeyId === null
              ? 'No encryption key: credentials cannot be stored'
              : `Encrypted with key ${encryptionKeyId}`,
          ],
          ['DPS documents', `Accepted through ${dayText(dpsUntil)}`],
          ['DCS documents', `Accepted through ${dayText(dcsUntil)}`],
        ]}
      />
    </Panel>
  )
}

const GUIDES = [
  {
    href: '/guides/overview',
    title: 'All guides',
    text: 'To use, publish, connect and operate.',
  },
  {
    href: '/guides/backup-and-restore',
    title: 'Back up and restore',
    text: 'Every night, with a trial of the restore.',
  },
  {
    href: '/guides/first-hour',
    title: 'The first hour',
    text: 'From the setup link to a product, a key, a source and a run.',
  },
  {
    href: '/guides/ci',
    title: 'Register from CI',
    text: 'Plan and register from a pipeline.',
  },
  {
    href: '/guides/dps-to-odps',
    title: 'From DPS to ODPS',
    text: 'Move data products to the standard before the old format ends.',
  },
  {
    href: '/guides/dcs-to-odcs',
    title: 'From DCS to ODCS',
    text: 'Move data contracts to the standard before the old format ends.',
  },
]

function GuidesPanel() {
  return (
    <Panel title="Guides">
      <ul className="grid gap-2.5">
        {GUIDES.map(({ href, title, text }) => (
          <li key={href}>
            <NewTabLink href={href}>{title}</NewTabLink>
            <span className="block text-sm text-muted">{text}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Mail = Answer<'/ui/about', 'get'>['mail']

/** The mail server, and a test message for owners. */
function MailPanel({ mail }: { mail: Mail }) {
  const session = useSession()
  const isOwner = session.organization?.role === 'Owner'
  if (mail === null) {
    return (
      <Panel title="E-mail">
        <p>
          Off: no mail server is configured. Notifications appear only on the pages, and you pass on
          the links of invitations yourself.
        </p>
        <p className="mt-2">
          <NewTabLink href="/guides/e-mail">Set up e-mail</NewTabLink>
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="E-mail">
      <Facts
        facts={[
          ['Mail server', mail.server],
          ['Sender', mail.from],
        ]}
      />
      {isOwner && <TestMail />}
    </Panel>
  )
}

function TestMail() {
  const test = useAction({ request: () => readBody(client.POST('/ui/test-mail', {})) })
  return (
    <div className="mt-4 grid justify-items-start gap-3">
      <Button busy={test.isPending} onClick={() => test.run()}>
        Send test message
      </Button>
      <div role="status" className="w-full">
        <ProblemNotice problem={test.problem} />
        {test.result?.problem === null && (
          <Notice tone="positive" title={`Sent to ${test.result.to}`}>
            The mail server accepted the message. Check that it arrives.
          </Notice>
        )}
        {test.result?.problem && (
          <Notice tone="critical" title="Not sent">
            {test.result.problem}
          </Notice>
        )}
      </div>
    </div>
  )
}
