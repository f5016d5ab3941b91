import type { Schemas } from '../../api/client.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { Link } from '../../parts/link.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { LongText } from '../../parts/long-text.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { TagLinks } from '../../parts/tag-links.tsx'
import { bytesText, numberText } from '../../parts/number-text.ts'
import { Time } from '../../parts/time.tsx'
import { pathOfResource, paths } from '../../paths.ts'
import { readInfo } from './asset-document.ts'

const SOURCES_SHOWN_MAX = 300

type AssetPage = Schemas['AssetPage']

/** The owner, origin, size and id of an asset. */
export function FactsPanel({ page }: { page: AssetPage }) {
  const { id, asset, type, integration, statistic, version } = page
  const { qualifiedName, source, sourceUrl, links, assignedTags } = readInfo(asset)
  return (
    <Panel title="Details">
      <Facts
        facts={[
          ['Owner', <Owner key="owner" page={page} />],
          ['Tags', <Tags key="tags" page={page} />],
          ['Rows', getCount(statistic?.rowCount)],
          ['Size', getSize(statistic?.sizeBytes)],
          ['Changed', getChanged(statistic?.changedAt)],
          [
            'Type',
            <code key="type" className="line-clamp-3">
              {type}
            </code>,
          ],
          ['Source', source],
          ['Qualified name', getLong(qualifiedName)],
          [
            'Integration',
            integration === null ? null : (
              <IntegrationName key="integration" integration={integration} />
            ),
          ],
          [
            'Source URL',
            sourceUrl === undefined ? null : (
              <OutsideLink key="url" href={sourceUrl}>
                {sourceUrl}
              </OutsideLink>
            ),
          ],
          [
            'Assigned tags',
            assignedTags.length === 0 ? null : (
              <TagLinks
                key="assigned"
                tags={assignedTags}
                getHref={(tag) => pathOfResource('TAG', tag)}
              />
            ),
          ],
          ['Links', links.length === 0 ? null : <Links key="links" links={links} />],
          ['Version', String(version)],
          [
            'Id',
            <span key="id" className="flex items-center gap-1">
              <code className="user-text min-w-0">{id}</code>
              <CopyIcon text={id} label="Copy id" />
            </span>,
          ],
        ]}
      />
    </Panel>
  )
}

function Links({ links }: { links: readonly (readonly [string, string])[] }) {
  return (
    <ul className="-my-0.5 grid">
      {links.map(([name, href]) => (
        <li key={name}>
          <OutsideLink href={href} className="flex min-h-6 items-center py-0.5">
            <span className="line-clamp-3">{name}</span>
          </OutsideLink>
        </li>
      ))}
    </ul>
  )
}

function getLong(text: string | undefined) {
  return text === undefined ? null : <LongText text={text} charactersMax={200} />
}

function getCount(count: number | null | undefined): string | null {
  return count === null || count === undefined ? null : numberText(count)
}

function getSize(bytes: number | null | undefined): string | null {
  return bytes === null || bytes === undefined ? null : bytesText(bytes)
}

function getChanged(instant: string | null | undefined) {
  return instant === null || instant === undefined ? null : <Time at={instant} />
}

// Its page is visible to the team that owns it.
function IntegrationName({ integration }: { integration: NonNullable<AssetPage['integration']> }) {
  const { externalId, name, isVisible } = integration
  return isVisible ? <Link href={paths.integration(externalId)}>{name}</Link> : name
}

function Owner({ page: { asset, ownerName, annotation, isIngested } }: { page: AssetPage }) {
  const { ownerId } = readInfo(asset)
  if (ownerId === undefined) return <span className="text-muted">No team</span>
  const isPeoples = annotation?.ownerId !== null && annotation?.ownerId !== undefined
  return (
    <>
      <Link href={paths.team(ownerId)}>{ownerName ?? ownerId}</Link>
      {isIngested && (
        <span className="block text-sm text-muted">
          {isPeoples ? 'Set by people' : 'Owner of the integration'}
        </span>
      )}
    </>
  )
}

function Tags({ page: { asset, source, annotation } }: { page: AssetPage }) {
  const { tags } = readInfo(asset)
  const sources = readInfo(source ?? {}).tags
  const isPeoples = annotation?.tags !== null && annotation?.tags !== undefined
  return (
    <>
      {tags.length === 0 ? (
        <span className="text-muted">None</span>
      ) : (
        <TagLinks tags={tags} getHref={(tag) => paths.search({ tag })} />
      )}
      {isPeoples && (
        <span className="block text-sm text-muted">
          Set by people;{' '}
          {sources.length === 0
            ? 'the source has none'
            : `in the source: ${sources.join(', ').slice(0, SOURCES_SHOWN_MAX)}`}
        </span>
      )}
    </>
  )
}
