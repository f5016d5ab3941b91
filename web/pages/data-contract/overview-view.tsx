import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, type ReactNode } from 'react'
import type { ContractFacts } from '../../../formats/data-contract/data-contract.ts'
import { toPath } from '../../../formats/data-contract/model-parts.ts'
import { getField, valueAt, type Value } from '../../../formats/text/value.ts'
import { api } from '../../api/client.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { ContextPanel } from '../../documents/context-panel.tsx'
import { useDeprecatedParts, UseInstead } from '../../documents/deprecations.tsx'
import { PeoplePanel, SupportPanel } from '../../documents/contact-panels.tsx'
import { listMoreFacts } from '../../documents/more-facts.tsx'
import { DomainLink } from '../../documents/team-link.tsx'
import { IncidentsPanel } from '../../documents/incidents.tsx'
import { LatestTest } from '../../documents/test-outcome.tsx'
import { Link } from '../../parts/link.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { QueryPanel } from '../../parts/loaded.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Empty, Notice } from '../../parts/notice.tsx'
import { countText } from '../../parts/number-text.ts'
import { Facts, Panel, StackedFacts } from '../../parts/page.tsx'
import { valueText } from '../../parts/value-text.ts'
import { SchemaTree } from '../../parts/schema-tree.tsx'
import { TagLinks } from '../../parts/tag-links.tsx'
import { VariableText } from '../../parts/variable-text.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { aboutContract, type AboutContract } from './about-contract.ts'
import { modelQuery, type ShownContract, CONTRACT_URL_STATE } from './contract-query.ts'
import { fieldExtra } from './field-extra.tsx'
import { TestNow } from './test-now.tsx'

interface OverviewProps {
  id: string
  shown: ShownContract
}

/** The description, models and terms of a contract. */
export function OverviewView({ id, shown }: OverviewProps) {
  const { facts: contract, value } = shown
  const about = useMemo(() => aboutContract(contract.format, value), [contract.format, value])
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_19rem]">
      <div className="grid min-w-0 gap-5">
        <Texts texts={about.texts} more={getField(value, 'description')} />
        <ContextPanel context={contract.context} />
        <ModelsPanel id={id} shown={shown} />
      </div>
      <div className="grid min-w-0 gap-5 sm:max-xl:grid-cols-2">
        <IncidentsPanel dataContractId={id} />
        <TestsPanel id={id} owner={contract.ownerTeamId} />
        <ServiceLevels levels={contract.serviceLevels} value={value} />
        {contract.format === 'odcs' && (
          <>
            <SupportPanel value={value} />
            <PeoplePanel value={value} />
          </>
        )}
        <Links links={about.links} />
        <Details contract={contract} value={value} more={about.more} />
      </div>
    </div>
  )
}

interface TextsProps {
  texts: AboutContract['texts']
  /** The description of the document, with members of its own. */
  more: Value | undefined
}

const SHOWN_TEXTS: ReadonlySet<string> = new Set(['purpose', 'usage', 'limitations'])

function Texts({ texts, more }: TextsProps) {
  const facts = listMoreFacts(more, SHOWN_TEXTS)
  if (texts.length + facts.length === 0) return null
  return (
    <Panel title="Description">
      <StackedFacts
        facts={[
          ...texts.map(
            ([title, text]) =>
              [
                title,
                <div key={title} className="max-w-prose">
                  <LongText text={text} charactersMax={1500} />
                </div>,
              ] as const,
          ),
          ...facts,
        ]}
      />
    </Panel>
  )
}

/** The models of a contract as a tree, and what of them could not be read. */
function ModelsPanel({ id, shown: { value } }: OverviewProps) {
  const [{ q }, setUrl] = useUrlState(CONTRACT_URL_STATE)
  const query = useQuery(modelQuery(id))
  const parts = useDeprecatedParts({ kind: 'data-contract', id })
  const getExtra = useCallback(
    (origin: string) => {
      const extra = fieldExtra(value, origin)
      const part = parts.find(({ pointer }) => pointer === origin)
      return part === undefined || extra === undefined
        ? extra
        : { ...extra, instead: <UseInstead part={part} /> }
    },
    [value, parts],
  )
  return (
    <QueryPanel title="Models" flush query={query} skeleton={{ lines: 8 }}>
      {({ models, warnings }) => (
        <>
          {warnings.length > 0 && <Warnings warnings={warnings} />}
          {models.length === 0 ? (
            <Empty title="No models yet">
              Add the tables, files or topics of this contract and their fields. You then see
              breaking changes before you save.
            </Empty>
          ) : (
            <ClassificationsProvider>
              <SchemaTree
                label="Models and their fields"
                models={models}
                filter={q}
                onFilter={(text) => setUrl({ q: text }, { replace: true })}
                getExtra={getExtra}
              />
            </ClassificationsProvider>
          )}
        </>
      )}
    </QueryPanel>
  )
}

const WARNINGS_SHOWN_MAX = 20

function Warnings({
  warnings,
}: {
  warnings: readonly { field: string; message: string; line: number }[]
}) {
  const rest = warnings.length - WARNINGS_SHOWN_MAX
  return (
    <div className="p-3">
      <Notice
        tone="caution"
        title={`${countText(warnings.length, 'possible mistake')} in this document`}
      >
        <ul className="list-disc pl-5">
          {warnings.slice(0, WARNINGS_SHOWN_MAX).map(({ field, message, line }, at) => (
            <li key={`${field} ${at}`}>
              <span className="text-muted">Line {line}: </span>
              {field !== '' && <code>{field}</code>} {message}
            </li>
          ))}
        </ul>
        {rest > 0 && <p>and {rest} more</p>}
      </Notice>
    </div>
  )
}

interface ServiceLevelsProps {
  levels: ContractFacts['serviceLevels']
  /** The whole document. */
  value: Value
}

const SHOWN_OF_LEVEL: ReadonlySet<string> = new Set('id property value unit element'.split(' '))

function ServiceLevels({ levels, value: document }: ServiceLevelsProps) {
  return (
    <Panel title="Service levels">
      {levels.length === 0 ? (
        <p className="text-muted">No service levels.</p>
      ) : (
        <StackedFacts
          facts={levels.map(({ property, value, unit, element, origin }) => [
            property,
            <span key={origin}>
              <VariableText text={[valueText(value), unit].filter(Boolean).join(' ')} />
              {element !== undefined && <span className="text-muted"> · {element}</span>}
              <LevelFacts raw={valueAt(document, toPath(document, origin))} />
            </span>,
          ])}
        />
      )}
    </Panel>
  )
}

// DCS has other names for a level of service.
function LevelFacts({ raw }: { raw: Value | undefined }) {
  const isOdcs = raw !== undefined && getField(raw, 'property') !== undefined
  const facts = isOdcs ? listMoreFacts(raw, SHOWN_OF_LEVEL) : []
  return facts.length === 0 ? null : (
    <span className="mt-1 block text-sm">
      <Facts facts={facts} />
    </span>
  )
}

function Links({ links }: { links: readonly { title: string; href: string }[] }) {
  if (links.length === 0) return null
  return (
    <Panel title="Links">
      <ul className="grid gap-1">
        {links.map(({ title, href }, at) => (
          <li key={`${at} ${href}`}>
            <OutsideLink href={href}>{title}</OutsideLink>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['replacedBy'])

interface DetailsProps {
  contract: ContractFacts
  value: Value
  more: AboutContract['more']
}

function Details({ contract: { format, domain, tags }, value, more }: DetailsProps) {
  const custom = format === 'odcs' ? getField(value, 'customProperties') : undefined
  const facts: (readonly [string, ReactNode])[] = [
    ...more.map(
      ([name, one], at) => [name, <ValueView key={`${at} ${name}`} value={one} />] as const,
    ),
    ...listMoreFacts(custom && { customProperties: custom }, SHOWN_ELSEWHERE),
  ]
  if (tags.length > 0) {
    const links = <TagLinks key="tags" tags={tags} getHref={(tag) => paths.search({ tag })} />
    facts.unshift(['Tags', links])
  }
  if (domain !== undefined) facts.unshift(['Domain', <DomainLink key="domain" domain={domain} />])
  if (facts.length === 0) return null
  return (
    <Panel title="Details">
      <StackedFacts facts={facts} />
    </Panel>
  )
}

/** The newest test result for each server of a contract. */
function TestsPanel({ id, owner }: { id: string; owner: string | undefined }) {
  const query = api.useQuery('get', '/ui/datacontracts/{id}/test-results', {
    params: { path: { id } },
  })
  return (
    <QueryPanel
      title="Tests"
      actions={
        <>
          {query.data !== undefined && query.data.length > 0 && (
            <Link
              href={paths.testResults({ dataContractId: id })}
              className="flex min-h-6 items-center text-sm"
            >
              All results
            </Link>
          )}
          <TestNow id={id} owner={owner} />
        </>
      }
      query={query}
      empty={
        <p className="text-muted">
          No results yet. Test the contract now, if its integration has an account for tests, or
          publish results from CI, for example with <code>datacontract test --publish</code>.
        </p>
      }
    >
      {(results) => (
        <StackedFacts
          facts={results.map((result) => [
            result.server || 'No server',
            <LatestTest key={result.id} result={result} />,
          ])}
        />
      )}
    </QueryPanel>
  )
}
