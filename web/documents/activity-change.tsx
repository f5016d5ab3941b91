import { RECORDS } from '../../formats/record/kinds.ts'
import type { Schemas } from '../api/client.ts'
import { Link, NameLink } from '../parts/link.tsx'
import { ResourceIcon } from '../parts/resource-icon.tsx'
import { ChangeLevel } from '../parts/status.tsx'
import { numberText } from '../parts/number-text.ts'
import { getRecordPaths, pathOfResource, paths } from '../paths.ts'
import { describeAction, describeDetails } from './activity-words.ts'
import { newTable } from '../../formats/name/table.ts'

/** A change in a group of activity. */
type Change = Schemas['ActivityChange']

const RESOURCE_TYPES = newTable<string>({
  'data-product': 'DATA_PRODUCT',
  'data-contract': 'DATA_CONTRACT',
  asset: 'DATA_ASSET',
  team: 'TEAM',
  'ingestion-run': 'DATA_ASSET',
  'ingested-asset': 'DATA_ASSET',
  ...Object.fromEntries(RECORDS.map(({ kind, resourceType }) => [kind, resourceType])),
})

/** One line of a group: what changed, how, and how big the change is. */
export function ChangeLine({ change }: { change: Change }) {
  return (
    <li className="flex min-w-0 items-start gap-2 py-0.5">
      <span className="mt-1">
        <ResourceIcon resourceType={RESOURCE_TYPES[change.kind] ?? ''} />
      </span>
      <span className="flex min-w-0 flex-wrap items-center gap-x-2">
        <ChangeSubject change={change} />
        <span className="text-muted">{describeAction(change)}</span>
        <ChangeMarks change={change} />
      </span>
    </li>
  )
}

/** The name of what changed, with a link to it as long as it exists. */
export function ChangeSubject({ change }: { change: Change }) {
  const { name } = change
  const href = pathOfChange(change)
  return href === undefined ? (
    <span className="user-text line-clamp-2 min-w-0 font-medium">{name}</span>
  ) : (
    <NameLink href={href} className="font-medium" name={name} lines={2} />
  )
}

/** The level of a change, how many assets a run changed, and the way to compare versions. */
export function ChangeMarks({ change }: { change: Change }) {
  const { level, counts, details } = change
  const text = counts === null ? describeDetails(details) : ''
  return (
    <>
      {level !== null && <ChangeLevel level={level} />}
      {counts !== null && <AssetCounts counts={counts} />}
      {text !== '' && <span className="user-text text-sm text-muted">{text}</span>}
      <CompareLink change={change} />
    </>
  )
}

function AssetCounts({ counts }: { counts: NonNullable<Change['counts']> }) {
  const { created, updated, deleted } = counts
  const text = `${numberText(created)} created, ${numberText(updated)} updated, ${numberText(deleted)} deleted`
  return (
    <>
      <span className="sr-only">{text}</span>
      <span aria-hidden title={text} className="inline-flex gap-2 font-mono text-sm">
        <span className="text-positive">+{numberText(created)}</span>
        <span className="text-caution">~{numberText(updated)}</span>
        <span className="text-critical">−{numberText(deleted)}</span>
      </span>
    </>
  )
}

// Deleted documents, and former ids of renamed tags, have only their versions; a deleted team or asset has no page.
function pathOfChange({ kind, id, action, integrationExternalId }: Change): string | undefined {
  if (kind === 'ingestion-run' || kind === 'ingestion-attempt') {
    return integrationExternalId === null ? undefined : paths.run(integrationExternalId, id)
  }
  if (kind === 'integration') return action === 'deleted' ? undefined : paths.integration(id)
  if (kind === 'access') return action === 'deleted' ? undefined : paths.access(id)
  const resourceType = RESOURCE_TYPES[kind]
  if (resourceType === undefined) return undefined
  const isGone = action === 'deleted' || action === 'renamed'
  return isGone ? pathOfVersions(kind, id) : pathOfResource(resourceType, id)
}

// Teams and assets have no page of versions.
function pathOfVersions(
  kind: string,
  id: string,
  query: Readonly<Record<string, string>> = {},
): string | undefined {
  if (kind === 'data-product') return paths.dataProductVersions(id, query)
  if (kind === 'data-contract') return paths.dataContractVersions(id, query)
  const record = RECORDS.find((one) => one.kind === kind)
  return record && getRecordPaths(record).versions(id, query)
}

/** A link to the comparison of an updated document with its version before. */
function CompareLink({ change: { kind, id, name, action, version } }: { change: Change }) {
  if (action !== 'updated' || version === null || version < 2) return null
  const href = pathOfVersions(kind, id, { from: String(version - 1), to: String(version) })
  if (href === undefined) return null
  return (
    <Link
      href={href}
      aria-label={`Compare ${name} with the previous version`}
      className="flex min-h-6 min-w-6 items-center text-sm"
    >
      Compare
    </Link>
  )
}
