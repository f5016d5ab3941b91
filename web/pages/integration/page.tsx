import { useSources } from '../../api/sources.ts'
import { useTeams } from '../../api/teams.ts'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { paths, withQuery } from '../../paths.ts'
import { MissingThing } from '../../shell/missing-thing.tsx'
import { usePathId, useUrlState } from '../../shell/url-state.ts'
import { IntegrationActions } from './actions.tsx'
import { Configuration } from './configuration.tsx'
import type { IntegrationForm } from './integration-draft.ts'
import { Overview } from './overview.tsx'
import { RunList } from './run-list.tsx'
import { useIntegration } from './use-integration.ts'

const SEE_ALL = <Link href={paths.integrations}>See all integrations</Link>

const USUAL_VIEW = { view: 'overview' }

const VIEWS = [
  { view: 'overview', title: 'Overview' },
  { view: 'runs', title: 'Runs' },
  { view: 'configuration', title: 'Configuration' },
] as const

/** An integration: its runs, its schedule and its configuration. */
export function IntegrationPage() {
  const externalId = usePathId() ?? ''
  const integration = useIntegration(externalId)
  const [{ view }] = useUrlState(USUAL_VIEW)
  const { data } = integration
  const shown = VIEWS.find((one) => one.view === view)?.view ?? 'overview'
  return (
    <Page
      title={data?.name ?? externalId}
      trail={[{ title: 'Integrations', href: paths.integrations }]}
      marks={data !== undefined && <Marks form={data} />}
      facts={data !== undefined && <PageFacts form={data} />}
      actions={data !== undefined && <IntegrationActions form={data} />}
    >
      {integration.error === null && (
        <Tabs
          label="Views of the integration"
          tabs={VIEWS.map((one) => ({
            title: one.title,
            href: withQuery(paths.integration(externalId), {
              view: one.view === 'overview' ? '' : one.view,
            }),
            isCurrent: one.view === shown,
          }))}
        />
      )}
      <Loaded query={integration} missing={<MissingThing called="integration" action={SEE_ALL} />}>
        {(form) => (
          <>
            {shown === 'overview' && <Overview form={form} />}
            {shown === 'runs' && <RunList form={form} />}
            {shown === 'configuration' && <Configuration form={form} />}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Marks({ form }: { form: IntegrationForm }) {
  if (form.scheduleExpression === null) return <Tag>Manual</Tag>
  if (form.pausedBecause !== null) return <Status tone="caution">Schedule paused</Status>
  return form.enabled ? (
    <Status tone="positive">Schedule on</Status>
  ) : (
    <Status tone="off">Schedule off</Status>
  )
}

function PageFacts({ form }: { form: IntegrationForm }) {
  const { source, owningTeamExternalId: owner, externalId } = form
  const teams = useTeams()
  const { data } = useSources()
  const platform = data?.find((one) => one.source === source)?.title ?? source
  return (
    <>
      <span className="flex items-center gap-1.5">
        <PlatformMark source={source} size={16} />
        {platform}
      </span>
      <code className="user-text">{externalId}</code>
      <span>
        {owner === null ? (
          'Owned by the organization'
        ) : (
          <>
            Owned by{' '}
            <Link href={paths.team(owner)} className="user-text">
              {teams?.find(({ id }) => id === owner)?.name ?? owner}
            </Link>
          </>
        )}
      </span>
    </>
  )
}
