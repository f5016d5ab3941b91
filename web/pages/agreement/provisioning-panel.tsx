import type { Schemas } from '../../api/client.ts'
import { describeProvisioning } from '../../documents/access/access-words.ts'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { ToneIcon } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'

type Report = Schemas['AgreementDetails']['reports'][number]

interface ReportsProps {
  /** The newest first. */
  reports: readonly Report[]
}

/** Warns both sides that the platform could not grant or revoke access. */
export function ProvisioningNotice({ reports }: ReportsProps) {
  const [last] = reports
  if (last === undefined || !last.provisioning.status.endsWith('failed')) return null
  const { status, platform, diagnostics } = last.provisioning
  const where = (platform ?? '') === '' ? '' : ` on ${platform}`
  return (
    <Notice tone="critical" title={`${describeProvisioning(status).word}${where}`}>
      <LongText
        text={diagnostics ?? 'The connector gave no reason. Ask those who run the platform.'}
      />
    </Notice>
  )
}

interface ProvisioningPanelProps {
  agreement: Pick<Schemas['AgreementDetails'], 'state' | 'reports'>
}

/** The reports of connectors about granting and revoking access, the newest first. */
export function ProvisioningPanel({ agreement: { state, reports } }: ProvisioningPanelProps) {
  if (reports.length === 0 && state !== 'active') return null
  return (
    <Panel title="Provisioning">
      {reports.length === 0 ? (
        <p className="text-muted">
          No connector has reported yet that it granted access on a platform.
        </p>
      ) : (
        <ol className="grid gap-4">
          {reports.map((report) => (
            <li key={`${report.reportedAt} ${report.provisioning.status}`} className="flex gap-2">
              <ReportItem report={report} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function ReportItem({ report: { provisioning, reportedAt, byName } }: { report: Report }) {
  const { status, platform, executor, reference, diagnostics, note, links } = provisioning
  const { tone, word } = describeProvisioning(status)
  const hasFailed = status.endsWith('failed')
  return (
    <>
      <span className="mt-0.5">
        <ToneIcon tone={tone} />
      </span>
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p>
          {word}
          <span className="user-text text-sm text-muted">
            {' '}
            <Time at={reportedAt} />
            {byName !== null && ` by ${byName}`}
          </span>
        </p>
        <Facts
          facts={[
            ['Platform', platform],
            ['Executor', executor],
            ['Reference', reference],
            [
              'Diagnostics',
              hasFailed ? <LongText key="diagnostics" text={diagnostics ?? 'None'} /> : null,
            ],
            ['Note', note],
            [
              'Links',
              Object.keys(links ?? {}).length === 0 ? null : (
                <Links key="links" links={links ?? {}} />
              ),
            ],
          ]}
        />
      </div>
    </>
  )
}

function Links({ links }: { links: Readonly<Record<string, string>> }) {
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {Object.entries(links).map(([name, href]) => (
        <OutsideLink key={name} href={href}>
          {name}
        </OutsideLink>
      ))}
    </span>
  )
}
