import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { getField, asText } from '../../../formats/text/value.ts'
import { ClassificationsProvider } from '../../documents/classifications.tsx'
import { PeoplePanel, SupportPanel } from '../../documents/contact-panels.tsx'
import { DomainLink, TeamLink } from '../../documents/team-link.tsx'
import { findHighest } from '../../parts/classification-tiers.ts'
import { Classification, useTiers } from '../../parts/classification.tsx'
import { Link, OutsideLink } from '../../parts/link.tsx'
import { Facts, Panel, StackedFacts } from '../../parts/page.tsx'
import { TagLinks } from '../../parts/tag-links.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { portContractsQuery } from './ports.tsx'
import type { ShownProduct } from './product-query.ts'

const CUSTOM_MAX = 40
// These have a name of their own on the page.
const TOLD_ELSEWHERE = ['type', 'maturity', 'assets']

/** The properties of a product except its ports. */
export function About({ shown: { facts: product, value } }: { shown: ShownProduct }) {
  const { tags, links, domain, archetype, maturity, version } = product
  const classifications = useClassifications(product.id)
  const custom = product.custom.filter(({ property }) => !TOLD_ELSEWHERE.includes(property))
  return (
    <>
      <Panel title="About">
        <Facts
          facts={[
            ['Owner', <TeamLink key="owner" id={product.ownerTeamId ?? ''} />],
            ['Domain', domain === undefined ? null : <DomainLink key="domain" domain={domain} />],
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
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Custom id={product.id} custom={custom} />
    </>
  )
}

interface CustomProps {
  id: string
  custom: ShownProduct['facts']['custom']
}

function Custom({ id, custom }: CustomProps): ReactNode {
  if (custom.length === 0) return null
  const rest = custom.length - CUSTOM_MAX
  return (
    <Panel title="Custom properties" marks={custom.length}>
      <StackedFacts
        facts={custom
          .slice(0, CUSTOM_MAX)
          .map(({ property, value }, at) => [
            property,
            <ValueView key={`${property} ${at}`} value={value} />,
          ])}
      />
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
