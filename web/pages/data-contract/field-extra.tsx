import type { ReactNode } from 'react'
import { toPath } from '../../../formats/data-contract/model-parts.ts'
import {
  getField,
  isObject,
  asText,
  valueAt,
  type ObjectValue,
  type Value,
} from '../../../formats/text/value.ts'
import { Link, OutsideLink } from '../../parts/link.tsx'
import type { FieldExtra } from '../../parts/schema-tree-field.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { pathOfResource } from '../../paths.ts'
import { listCustomProperties, listDefinitions } from './about-contract.ts'
import { newTable } from '../../../formats/name/table.ts'

// The model has these, in one form for all schema languages.
const IN_MODEL: ReadonlySet<string> = new Set(
  `id name type title physicalName physicalType logicalType description logicalTypeOptions required
   unique primaryKey primaryKeyPosition tags classification enum quality properties items map fields
   keys values relationships references format pattern minLength maxLength minimum maximum
   exclusiveMinimum exclusiveMaximum precision scale authoritativeDefinitions customProperties links
   pii`.split(/\s+/),
)

const NAMES = newTable<string>({
  businessName: 'Business name',
  examples: 'Examples',
  example: 'Example',
  criticalDataElement: 'Critical data element',
  encryptedName: 'Encrypted as',
  transformLogic: 'Transformation',
  transformDescription: 'Transformation description',
  transformSourceObjects: 'Source fields',
  partitioned: 'Partitioned',
  partitionKeyPosition: 'Partition key position',
  $ref: 'Defined by',
  lineage: 'Lineage',
  config: 'Configuration',
})

/** Returns the details of a field or model that its model does not have; undefined without any. */
export function fieldExtra(document: Value, origin: string): FieldExtra | undefined {
  const raw = valueAt(document, toPath(document, origin))
  if (!isObject(raw)) return undefined
  const custom = listCustomProperties(getField(raw, 'customProperties'))
  const others = Object.entries(raw).filter(([name]) => !IN_MODEL.has(name))
  const title = asText(getField(raw, 'title'))
  const links = listDefinitions(getField(raw, 'authoritativeDefinitions'))
  const told: [string, Value][] = [
    ...(title === undefined ? [] : [['Title', title] satisfies [string, Value]]),
    ...[...others, ...custom].map(([name, value]): [string, Value] => [NAMES[name] ?? name, value]),
  ]
  return {
    marks: getMarks(raw, custom),
    facts: [
      ...told.map(([name, value]) => [name, <ValueView key={name} value={value} />] as const),
      ...(links.length === 0 ? [] : [['Definitions', linkList(links)] as const]),
    ],
  }
}

function linkList(links: ReturnType<typeof listDefinitions>): ReactNode {
  return (
    <ul>
      {links.map(({ title, href, definitionId }, at) => (
        <li key={`${at} ${href}`}>
          {definitionId === undefined ? (
            <OutsideLink href={href}>{title}</OutsideLink>
          ) : (
            <DefinitionLink id={definitionId} />
          )}
        </li>
      ))}
    </ul>
  )
}

// A definition of the glossary has a page here, wherever the address leads.
function DefinitionLink({ id }: { id: string }) {
  return <Link href={pathOfResource('DEFINITION', id)}>{id}</Link>
}

function getMarks(raw: ObjectValue, custom: readonly [string, Value][]): string[] {
  const pii = getField(raw, 'pii') ?? custom.find(([name]) => name.toLowerCase() === 'pii')?.[1]
  return [
    ...(pii === true || pii === 'true' ? ['personal data'] : []),
    ...(getField(raw, 'criticalDataElement') === true ? ['critical'] : []),
  ]
}
