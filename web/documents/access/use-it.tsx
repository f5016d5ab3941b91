import { useState, type ReactNode } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { CodeBlock, CopyIcon } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Facts } from '../../parts/page.tsx'
import { PlatformMark } from '../../parts/platform-mark.tsx'
import { Tag, ToneIcon } from '../../parts/status.tsx'
import { TextTabs } from '../../parts/text-tabs.tsx'
import { paths } from '../../paths.ts'
import {
  describePlatform,
  getAccessTone,
  nameServer,
  type ServerConnection,
} from './use-it-words.ts'

type Connection = Schemas['PortConnection']

/** The data to use: that of an agreement, or that of an output port. */
export type UseItSubject = { agreementId: string } | { productId: string; port: string }

/** The connection to the data of an agreement or an output port: address, statement, commands, and channels. */
export function UseIt({ subject }: { subject: UseItSubject }) {
  return 'agreementId' in subject ? (
    <AgreementUse id={subject.agreementId} />
  ) : (
    <PortUse {...subject} />
  )
}

const SKELETON = { lines: 6, label: 'Loading the connection' }

function useModel() {
  const [model, setModel] = useState('')
  return { model, setModel, query: model === '' ? {} : { model } }
}

// The former model stays visible while the next one loads.
const KEPT = { placeholderData: <Data,>(before: Data | undefined) => before }

function AgreementUse({ id }: { id: string }) {
  const { query, ...choice } = useModel()
  const params = { path: { id }, query }
  const answer = api.useQuery('get', '/api/access/{id}/connection', { params }, KEPT)
  return (
    <Loaded query={answer} skeleton={SKELETON}>
      {(connection) => <ConnectionView connection={connection} {...choice} />}
    </Loaded>
  )
}

function PortUse({ productId, port }: { productId: string; port: string }) {
  const { query, ...choice } = useModel()
  const params = { path: { id: productId, portId: port }, query }
  const path = '/api/dataproducts/{id}/outputports/{portId}/connection'
  const answer = api.useQuery('get', path, { params }, KEPT)
  return (
    <Loaded query={answer} skeleton={SKELETON}>
      {(connection) => <ConnectionView connection={connection} {...choice} />}
    </Loaded>
  )
}

interface ConnectionViewProps {
  connection: Connection
  /** '' = the first. */
  model: string
  setModel: (model: string) => void
}

function ConnectionView({ connection, model, setModel }: ConnectionViewProps) {
  const { access, servers, models, contract } = connection
  const [at, setAt] = useState('0')
  const server = servers[Number(at)] ?? servers[0]
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <p className="flex items-start gap-2">
        <span className="mt-0.5">
          <ToneIcon tone={getAccessTone(access)} />
        </span>
        <span className="user-text min-w-0">{access.provisioning}</span>
      </p>
      {contract?.isCurrent === false && <AgreedVersion contract={contract} />}
      {(servers.length > 1 || models.length > 1) && (
        <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
          {servers.length > 1 && (
            <ChoiceField
              label="Server"
              className="w-72 max-w-full"
              value={at}
              choices={toChoices(servers.map((one, index) => [String(index), nameServer(one)]))}
              onChange={setAt}
            />
          )}
          {models.length > 1 && (
            <ChoiceField
              label="Table"
              className="w-72 max-w-full"
              value={model === '' ? (server?.model ?? models[0] ?? '') : model}
              choices={toChoices(models)}
              onChange={setModel}
            />
          )}
        </div>
      )}
      {server === undefined ? (
        <p className="text-muted">
          Neither the contract nor the output port names a server. Ask the team where the data is.
        </p>
      ) : (
        <ServerUse key={`${at} ${server.model}`} server={server} />
      )}
      <MoreWays connection={connection} />
    </div>
  )
}

function AgreedVersion({ contract }: { contract: NonNullable<Connection['contract']> }) {
  const { id, version, currentVersion } = contract
  return (
    <p className="user-text text-sm text-muted">
      The address is that of version {version}, which was agreed on. The contract now has version{' '}
      {currentVersion ?? 'none'}.{' '}
      <Link href={paths.dataContractVersions(id)}>See its versions</Link>
    </p>
  )
}

function ServerUse({ server }: { server: ServerConnection }) {
  const { environment, platform, facts, statement, snippets, unresolved } = server
  const { name, mark } = describePlatform(platform)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        <PlatformMark source={mark} />
        <span className="user-text">{name}</span>
        {environment !== undefined && <Tag>{environment}</Tag>}
      </p>
      <Facts
        facts={facts.map((fact, at) => [fact.label, <FactValue key={`${at}`} fact={fact} />])}
      />
      {unresolved.length > 0 && <Unresolved variables={unresolved} />}
      {statement !== undefined && (
        <Titled title="Statement">
          <CodeBlock text={statement} label="Statement" />
        </Titled>
      )}
      {snippets.length > 0 && (
        <Titled title="Connect with">
          <TextTabs
            label="Tools"
            tabs={snippets.map(({ tool, text }) => ({ title: tool, text }))}
          />
        </Titled>
      )}
    </div>
  )
}

function FactValue({
  fact: { name, label, value, warning },
}: {
  fact: ServerConnection['facts'][number]
}) {
  if (warning === undefined && name === 'description') return value
  if (warning === undefined) {
    return (
      <span className="flex min-w-0 items-start gap-1">
        <code className="user-text min-w-0 py-0.5">{value}</code>
        <span className="-my-0.5 shrink-0">
          <CopyIcon text={value} label={`Copy: ${label}`} />
        </span>
      </span>
    )
  }
  // What is odd is shown, and not offered for copying.
  return (
    <span className="grid min-w-0 gap-0.5">
      <code className="user-text">{value}</code>
      <span className="flex items-start gap-1.5 text-sm">
        <span className="mt-0.5">
          <ToneIcon tone="caution" />
        </span>
        {warning}
      </span>
    </span>
  )
}

function Titled({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5">
      <p className="text-sm text-muted">{title}</p>
      {children}
    </div>
  )
}

function Unresolved({ variables }: { variables: readonly string[] }) {
  return (
    <Notice tone="caution" title="Replace the variables before you connect">
      <p className="flex flex-wrap gap-x-3 gap-y-1">
        {variables.map((variable) => (
          <code key={variable} className="user-text">
            {variable}
          </code>
        ))}
      </p>
      <p>The document has no values for them. Ask the team that owns the data.</p>
    </Notice>
  )
}

function MoreWays({ connection: { support, team, contract } }: { connection: Connection }) {
  return (
    <Facts
      facts={[
        [
          'Ask',
          support.length === 0 ? (
            team && (
              <Link key="team" href={paths.team(team.id)}>
                {team.name}
              </Link>
            )
          ) : (
            <span key="support" className="flex flex-wrap gap-x-3 gap-y-1">
              {support.map(({ channel, url, description }) => (
                <span key={`${channel} ${url}`} className="user-text" title={description}>
                  {url === undefined ? channel : <OutsideLink href={url}>{channel}</OutsideLink>}
                </span>
              ))}
            </span>
          ),
        ],
        [
          'Generate',
          contract && (
            <span key="generate" className="flex flex-wrap gap-x-3 gap-y-1">
              {GENERATED.map(([title, as]) => (
                <Link key={as} href={paths.dataContract(contract.id, { view: 'exports', as })}>
                  {title}
                </Link>
              ))}
            </span>
          ),
        ],
      ]}
    />
  )
}

// What developers begin with, of the formats on the page of the contract.
const GENERATED = [
  ['JSON Schema', 'json-schema'],
  ['Avro', 'avro'],
  ['SQL', 'sql'],
  ['dbt', 'dbt'],
] as const
