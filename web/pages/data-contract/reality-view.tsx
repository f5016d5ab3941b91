import { useQuery } from '@tanstack/react-query'
import { FilePen } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { contractDriftQuery } from '../../documents/reality/drift-data.ts'
import { describeCounts, getDriftWord, groupFindings } from '../../documents/reality/drift-words.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { Status, Tag } from '../../parts/status.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import type { ShownContract } from './contract-query.ts'
import { FreshnessPanel } from './freshness-panel.tsx'
import { ModelReality } from './reality-model.tsx'
import { ShowMore, useShownCount } from './reality-more.tsx'

type ContractDrift = Schemas['ContractDrift']
type ServerDrift = ContractDrift['servers'][number]

/** The contract beside the tables that keep it: which they are, and where they differ. */
export function RealityView({ id, shown }: { id: string; shown: ShownContract }) {
  const query = useQuery(contractDriftQuery(id))
  const owner = shown.facts.ownerTeamId ?? null
  return (
    <Loaded query={query} skeleton={{ lines: 8, label: 'Loading the comparison' }}>
      {(drift) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Summary id={id} owner={owner} drift={drift} />
          <FreshnessPanel id={id} />
          {drift.servers.map((server) => (
            <ServerReality key={server.server} id={id} owner={owner} server={server} />
          ))}
        </div>
      )}
    </Loaded>
  )
}

interface SummaryProps {
  id: string
  owner: string | null
  drift: ContractDrift
}

function Summary({ id, owner, drift }: SummaryProps) {
  const { state, counts, servers } = drift
  const models = servers.flatMap((server) => server.models)
  const comparedAt =
    models
      .map((model) => model.comparedAt ?? '')
      .toSorted()
      .at(-1) ?? ''
  const linkedCount = models.filter(({ link }) => link.state === 'linked').length
  const { word, tone } = getDriftWord(state)
  const isEmpty = linkedCount === 0 && counts.breaking + counts.accepted + counts.additive === 0
  return (
    <Panel
      title="Contract and tables"
      actions={servers.some(hasProposal) && <ChangeContract id={id} owner={owner} />}
    >
      {isEmpty ? (
        <NoTables />
      ) : (
        <div className="grid gap-1.5">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Status tone={tone}>{word}</Status>
            <span>{describeCounts(counts)}</span>
          </p>
          <p className="text-sm text-muted">
            {linkedCount} of {countText(models.length, 'model')} on{' '}
            {countText(servers.length, 'server')} {linkedCount === 1 ? 'has' : 'have'} a table.
            {comparedAt !== '' && (
              <>
                {' '}
                Last compared <Time at={comparedAt} />.
              </>
            )}{' '}
            <Link href={paths.guide('reality')}>What is compared</Link>
          </p>
          <p className="text-sm">
            <Link
              href={paths.drift({ contract: id, status: 'resolved' })}
              className="inline-flex min-h-6 items-center"
            >
              Resolved differences
            </Link>
          </p>
        </div>
      )}
    </Panel>
  )
}

function NoTables() {
  return (
    <Empty
      title="Nothing to compare yet"
      action={<ButtonLink href={paths.integrations}>Open integrations</ButtonLink>}
    >
      No ingested table matches these servers. Connect a source or choose a table.{' '}
      <Link href={paths.guide('reality')}>How tables are found</Link>
    </Empty>
  )
}

// The proposal adopts the differences that count; that a table does not exist is nothing that a contract can promise.
function hasProposal({ isProduction, models }: ServerDrift): boolean {
  const findings = models.flatMap((model) => groupFindings(model.findings).breaking)
  return isProduction && findings.some(({ aspect }) => aspect !== 'object')
}

function ChangeContract({ id, owner }: { id: string; owner: string | null }) {
  const session = useSession()
  if (!may(session, 'DATACONTRACT_EDIT', owner).allowed) return null
  return (
    <ButtonLink href={paths.editDataContract(id, { from: 'drift' })} icon={FilePen}>
      Change the contract
    </ButtonLink>
  )
}

const MODELS_STEP = 20

interface ServerRealityProps {
  id: string
  owner: string | null
  server: ServerDrift
}

function ServerReality({ id, owner, server }: ServerRealityProps) {
  const { server: name, environment, isProduction, models } = server
  const more = useShownCount(models.length, MODELS_STEP)
  return (
    <Panel
      title={name}
      flush
      marks={
        <span className="inline-flex flex-wrap gap-1">
          {environment !== null && <Tag>{environment}</Tag>}
          {!isProduction && <Tag>Does not count: not production</Tag>}
        </span>
      }
    >
      <ul className="divide-y divide-line">
        {models.slice(0, more.count).map((model) => (
          <li key={model.model} className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-4">
            <ModelReality id={id} owner={owner} server={name} model={model} />
          </li>
        ))}
      </ul>
      <ShowMore more={more} />
    </Panel>
  )
}
