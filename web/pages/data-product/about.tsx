import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { listObjects } from '../../../formats/data-product/fields.ts'
import { getField, asText, type Value } from '../../../formats/text/value.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { PeoplePanel, SupportPanel } from '../../documents/contact-panels.tsx'
import { listMoreFacts } from '../../documents/more-facts.tsx'
import { DomainLink, TeamLink } from '../../documents/team-link.tsx'
import { findHighest } from '../../parts/classification-tiers.ts'
import { Classification, useTiers } from '../../parts/classification.tsx'
import { Link } from '../../parts/link.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Facts, Panel, StackedFacts } from '../../parts/page.tsx'
import { TagLinks } from '../../parts/tag-links.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { showSynonyms } from './port-more.tsx'
import { portContractsQuery } from './port-contract.tsx'
import type { ShownProduct } from './product-query.ts'

const CUSTOM_MAX = 40
// These have a name of their own on the page.
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['type', 'maturity', 'assets', 'replacedBy'])

/** The properties of a product except its ports. */
export function About({ shown }: { shown: ShownProduct }) {
  const { facts: product, value } = shown
  const { tags, links, domain, archetype, maturity, synonyms, version } = product
  const classifications = useClassifications(product.id)
  return (
    <>
      <Panel title="About">
        <Facts
          facts={[
            ['Owner', <TeamLink key="owner" id={product.ownerTeamId ?? ''} />],
            ['Domain', domain === undefined ? null : <DomainLink key="domain" domain={domain} />],
            ['Synonyms', synonyms && showSynonyms(value, synonyms)],
            ['Version', version],
            ['Archetype', archetype],
            ['Maturity', maturity],
            [
              'Classification',
              classifications.length === 0 ? null : (
                <HighestClassification key="classification" names={classifications} />
              ),
            ],
            ['Format', formatText(product)],
            ['Tenant', asText(getField(value, 'tenant'))],
            [
              'Tags',
              tags.length === 0 ? null : (
                <TagLinks key="tags" tags={tags} getHref={(tag) => paths.search({ tag })} />
              ),
            ],
          ]}
        />
      </Panel>
      <SupportPanel value={value} />
      <PeoplePanel value={value} />
      {links.length > 0 && (
        <Panel title="Links">
          <ul className="grid gap-1.5">
            {links.slice(0, CUSTOM_MAX).map(({ type, url }, at) => (
              <li key={`${url} ${at}`} className="user-text">
                <OutsideLink href={url}>{type === '' ? url : type}</OutsideLink>
                <LinkDescription value={value} url={url} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Custom id={product.id} shown={shown} />
    </>
  )
}

// The model has the type and the address of a link.
function LinkDescription({ value, url }: { value: Value; url: string }) {
  const links = listObjects(getField(value, 'authoritativeDefinitions'))
  const link = links.find(({ item }) => getField(item, 'url') === url)?.item
  const description = link && asText(getField(link, 'description'))
  return description === undefined ? null : <p className="text-sm text-muted">{description}</p>
}

interface CustomProps {
  id: string
  shown: ShownProduct
}

function Custom({ id, shown: { facts: product, value } }: CustomProps): ReactNode {
  // ODPS describes them, DPS has an object with other names.
  const list = getField(value, 'customProperties')
  const custom = Array.isArray(list)
    ? listMoreFacts({ customProperties: list }, SHOWN_ELSEWHERE)
    : product.custom
        .filter(({ property }) => !SHOWN_ELSEWHERE.has(property))
        .map(
          ({ property, value: one }, at) =>
            [property, <ValueView key={`${property} ${at}`} value={one} />] as const,
        )
  if (custom.length === 0) return null
  const rest = custom.length - CUSTOM_MAX
  return (
    <Panel title="Custom properties" marks={custom.length}>
      <StackedFacts facts={custom.slice(0, CUSTOM_MAX)} />
      {rest > 0 && (
        <p className="mt-2">
          <Link href={paths.dataProduct(id, { view: 'source' })}>{rest} more in the source</Link>
        </p>
      )}
    </Panel>
  )
}

function formatText({ format, formatVersion }: ShownProduct['facts']): string {
  return `${format.toUpperCase()} ${formatVersion?.replace(/^v/, '') ?? ''}`.trim()
}

/** Lists the classifications of the fields that a product provides; none until they are loaded. */
function useClassifications(id: string): string[] {
  const { data: ports = [] } = useQuery(portContractsQuery(id))
  return ports.flatMap(({ direction, contract }) =>
    direction === 'output' ? (contract?.classifications ?? []) : [],
  )
}

/** The classification that needs the most protection, by the schemes of the organization. */
function HighestClassification({ names }: { names: readonly string[] }) {
  return (
    <ClassificationsProvider>
      <Highest names={names} />
    </ClassificationsProvider>
  )
}

function Highest({ names }: { names: readonly string[] }) {
  const highest = findHighest(useTiers(), names)
  return highest === undefined ? null : <Classification name={highest} />
}
