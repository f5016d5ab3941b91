import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { ExportFormat, DIALECTS } from '../../../formats/data-contract/export.ts'
import { client } from '../../api/client.ts'
import { readText } from '../../api/document.ts'
import { Button } from '../../parts/button.tsx'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toChoices } from '../../parts/choices.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { download } from '../../parts/download.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { countText, numberText } from '../../parts/number-text.ts'
import { Panel } from '../../parts/page.tsx'
import { withQuery } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { CONTRACT_URL_STATE } from './contract-query.ts'

/** A dialect of SQL in which a contract can be exported. */
type Dialect = (typeof DIALECTS)[number]

/** The name and purpose of a format. */
interface DescribedFormat {
  title: string
  /** The ending of the file name. */
  ending: string
  what: string
}

/** The export formats of a contract. */
const EXPORTS: Readonly<Record<ExportFormat, DescribedFormat>> = {
  odcs: { title: 'ODCS', ending: 'odcs.json', what: 'The whole contract in the open standard.' },
  'json-schema': {
    title: 'JSON Schema',
    ending: 'schema.json',
    what: 'For validating records and messages.',
  },
  avro: { title: 'Avro', ending: 'avsc', what: 'For Kafka and its schema registry.' },
  protobuf: { title: 'Protobuf', ending: 'proto', what: 'For gRPC and message queues.' },
  sql: { title: 'SQL', ending: 'sql', what: 'Tables with their comments, keys and checks.' },
  dbt: { title: 'dbt', ending: 'dbt.yaml', what: 'Models with columns and tests.' },
  bigquery: { title: 'BigQuery', ending: 'bigquery.json', what: 'A schema for bq and Terraform.' },
}

/** The dialects of SQL, with their names. */
const DIALECT_NAMES: Readonly<Record<Dialect, string>> = {
  postgresql: 'PostgreSQL',
  mysql: 'MySQL',
  sqlserver: 'SQL Server',
  snowflake: 'Snowflake',
  bigquery: 'BigQuery',
  databricks: 'Databricks',
  hive: 'Hive',
}

/** Returns an export format by name; ODCS for unknown names. */
function findExport(name: string): ExportFormat {
  return isFormat(name) ? name : 'odcs'
}

function isFormat(name: string): name is ExportFormat {
  return Object.hasOwn(EXPORTS, name)
}

/** Returns a dialect by name; undefined for that of the contract. */
function findDialect(name: string): Dialect | undefined {
  return isDialect(name) ? name : undefined
}

function isDialect(name: string): name is Dialect {
  return Object.hasOwn(DIALECT_NAMES, name)
}

/** The exports of a contract to view, copy and download, each with what it cannot express. */
export function ExportsView({ id }: { id: string }) {
  const [{ as, dialect }, setUrl] = useUrlState(CONTRACT_URL_STATE)
  const format = findExport(as)
  const hasDialect = format === 'sql' || format === 'dbt'
  return (
    <Panel title="Exports">
      <div className="mb-4 flex flex-wrap items-start gap-x-4 gap-y-3">
        <ChoiceField
          label="Format"
          hint={EXPORTS[format].what}
          className="w-72 max-w-full"
          value={format}
          choices={toChoices(Object.entries(EXPORTS).map(([name, { title }]) => [name, title]))}
          onChange={(name) => setUrl({ as: name })}
        />
        {hasDialect && (
          <ChoiceField
            label="Dialect"
            hint="Defaults to the dialect of the first server"
            className="w-72 max-w-full"
            value={dialect}
            choices={toChoices(Object.entries(DIALECT_NAMES), 'Default')}
            onChange={(name) => setUrl({ dialect: name })}
          />
        )}
      </div>
      <Preview
        key={`${format} ${dialect}`}
        id={id}
        format={format}
        dialect={hasDialect ? dialect : ''}
      />
    </Panel>
  )
}

interface PreviewProps {
  id: string
  format: ExportFormat
  dialect: string
}

// A longer text is of no use on a page, and slow.
const CHARS_SHOWN_MAX = 100_000

function Preview({ id, format, dialect }: PreviewProps) {
  const address = withQuery(`/api/datacontracts/${encodeURIComponent(id)}/export`, {
    format,
    dialect,
  })
  const query = useQuery({
    queryKey: ['document', '/api/datacontracts', id, 'export', format, dialect],
    queryFn: async ({ signal }) => await readText(address, { signal }),
  })
  return (
    <Loaded query={query} skeleton={{ lines: 12 }}>
      {({ text, mediaType, headers }) => (
        <div className="grid gap-3">
          <Losses
            id={id}
            format={format}
            dialect={dialect}
            count={Number(headers.get('portbook-loss-count') ?? 0)}
          />
          <div className="flex flex-wrap gap-2">
            <CopyButton text={text} />
            <Button
              icon={Download}
              onClick={() => download(text, mediaType, `${id}.${EXPORTS[format].ending}`)}
            >
              Download
            </Button>
          </div>
          <pre
            tabIndex={0}
            role="region"
            aria-label={`${EXPORTS[format].title} export`}
            className="max-h-[70vh] overflow-auto rounded-md border border-line bg-sunken px-3 py-2"
          >
            {readable(text, mediaType).slice(0, CHARS_SHOWN_MAX)}
          </pre>
          {text.length > CHARS_SHOWN_MAX && (
            <p className="text-sm text-muted">
              Showing the first {numberText(CHARS_SHOWN_MAX)} characters. Download it for the whole.
            </p>
          )}
        </div>
      )}
    </Loaded>
  )
}

// Compact JSON of a program is one line; what is copied and downloaded stays as it came.
function readable(text: string, mediaType: string): string {
  if (!mediaType.endsWith('json') || text.includes('\n') || text.length > CHARS_SHOWN_MAX)
    return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

interface LossesProps extends PreviewProps {
  count: number
}

function Losses({ id, format, dialect, count }: LossesProps) {
  const [isOpen, setOpen] = useState(false)
  if (count === 0) {
    return (
      <Notice tone="positive" title={`${EXPORTS[format].title} represents the whole contract`} />
    )
  }
  return (
    <Notice
      tone="caution"
      title={`${EXPORTS[format].title} cannot represent ${countText(count, 'detail')} of this contract`}
      actions={
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide details' : 'Show details'}
        </Button>
      }
    >
      {isOpen && <LossList id={id} format={format} dialect={dialect} />}
    </Notice>
  )
}

function LossList({ id, format, dialect }: PreviewProps) {
  const query = useQuery({
    queryKey: ['document', '/api/datacontracts', id, 'losses', format, dialect],
    queryFn: async ({ signal }) => await getLosses(id, { format, dialect }, signal),
  })
  return (
    <Loaded query={query}>
      {(losses) => (
        <ul
          className="max-h-72 list-disc overflow-y-auto pl-5"
          tabIndex={0}
          aria-label="Details that are lost"
        >
          {losses.map(({ path, message }, at) => (
            <li key={`${path} ${at}`}>
              <code className="user-text">{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

interface Loss {
  path: string
  message: string
}

async function getLosses(
  id: string,
  wanted: { format: ExportFormat; dialect: string },
  signal: AbortSignal,
): Promise<readonly Loss[]> {
  const dialect = findDialect(wanted.dialect)
  const { data } = await client.GET('/api/datacontracts/{id}/export', {
    params: {
      path: { id },
      query: { format: wanted.format, report: true, ...(dialect === undefined ? {} : { dialect }) },
    },
    signal,
  })
  const losses: unknown[] =
    typeof data === 'object' && data !== null && 'losses' in data && Array.isArray(data.losses)
      ? data.losses
      : []
  return losses.flatMap((loss) => (isLoss(loss) ? [loss] : []))
}

function isLoss(loss: unknown): loss is Loss {
  return (
    typeof loss === 'object' &&
    loss !== null &&
    'path' in loss &&
    typeof loss.path === 'string' &&
    'message' in loss &&
    typeof loss.message === 'string'
  )
}
