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
import { describeSynonyms, describeValues } from '../../documents/entry-list.tsx'
import { listMoreFacts } from '../../documents/more-facts.tsx'
import { toLabel } from '../../documents/to-label.ts'
import { Link } from '../../parts/link.tsx'
import { OutsideLink } from '../../parts/outside-link.tsx'
import type { FieldExtra } from '../../parts/schema-tree-field.tsx'
import { valueText } from '../../parts/value-text.ts'
import { ValueView } from '../../parts/value-view.tsx'
import { pathOfResource } from '../../paths.ts'
import { listDefinitions } from './about-contract.ts'
import { newTable } from '../../../formats/name/table.ts'

// The model has these, in one form for all schema languages.
const IN_MODEL: ReadonlySet<string> = new Set(
  `id name type title physicalName physicalType logicalType description logicalTypeOptions required
   unique primaryKey primaryKeyPosition tags classification enum quality properties items map fields
   keys values relationships references format pattern minLength maxLength minimum maximum
   exclusiveMinimum exclusiveMaximum precision scale authoritativeDefinitions customProperties links
   pii deprecated synonyms context semanticType`.split(/\s+/),
)

const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['replacedBy'])

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
  const list = getField(raw, 'customProperties')
  const custom = listMoreFacts(list && { customProperties: list }, SHOWN_ELSEWHERE)
  const isComputed = ['measure', 'dimension'].includes(asText(getField(raw, 'semanticType')) ?? '')
  const others = Object.entries(raw).filter(
    ([name]) => !IN_MODEL.has(name) && !(isComputed && name === 'transformLogic'),
  )
  const title = asText(getField(raw, 'title'))
  const links = listDefinitions(getField(raw, 'authoritativeDefinitions'))
  const told: [string, Value][] = [
    ...(title === undefined ? [] : [['Title', title] satisfies [string, Value]]),
    ...others.map(([name, value]): [string, Value] => [NAMES[name] ?? name, value]),
  ]
  return {
    marks: getMarks(raw),
    facts: [
      ...listEntryFacts(raw),
      ...listOptions(getField(raw, 'logicalTypeOptions')),
      ...told.map(([name, value]) => [name, <ValueView key={name} value={value} />] as const),
      ...custom,
      ...listRelationships(getField(raw, 'relationships')),
      ...(links.length === 0 ? [] : [['Definitions', linkList(links)] as const]),
    ],
  }
}

// The model has these options.
const OPTIONS_IN_MODEL: ReadonlySet<string> = new Set(
  `format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems
   precision scale dimensions elementType normalized embeddingModel embeddingModelVersion
   distanceMetric`.split(/\s+/),
)

function listOptions(options: Value | undefined): FieldExtra['facts'] {
  if (options === undefined || !isObject(options)) return []
  return Object.entries(options)
    .filter(([name]) => !OPTIONS_IN_MODEL.has(name))
    .map(([name, value]) => [toLabel(name), <ValueView key={name} value={value} />])
}

// The model has the values and synonyms, the document also what they mean.
function listEntryFacts(raw: ObjectValue): FieldExtra['facts'] {
  const values = describeValues(getField(raw, 'enum'))
  const synonyms = describeSynonyms(getField(raw, 'synonyms'))
  return [
    ...(values === undefined ? [] : [['Values', values] as const]),
    ...(synonyms === undefined ? [] : [['Synonyms', synonyms] as const]),
  ]
}

function describeSide(side: Value | undefined): string {
  return Array.isArray(side) ? side.map(valueText).join(', ') : (valueText(side) ?? '?')
}

// The model has those of a field; those of a model name both sides.
function listRelationships(list: Value | undefined): FieldExtra['facts'] {
  if (!Array.isArray(list)) return []
  const named = list.filter((item) => getField(item, 'from') !== undefined)
  if (named.length === 0) return []
  const texts = named.map((item) =>
    ['from', 'to'].map((side) => describeSide(getField(item, side))).join(' → '),
  )
  return [['Relationships', <ValueView key="relationships" value={texts} />]]
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

function getMarks(raw: ObjectValue): string[] {
  const list = getField(raw, 'customProperties')
  const custom = (Array.isArray(list) ? list : []).find(
    (item) => asText(getField(item, 'property'))?.toLowerCase() === 'pii',
  )
  const pii = getField(raw, 'pii') ?? (custom && getField(custom, 'value'))
  return [
    ...(pii === true || pii === 'true' ? ['personal data'] : []),
    ...(getField(raw, 'criticalDataElement') === true ? ['critical'] : []),
  ]
}
