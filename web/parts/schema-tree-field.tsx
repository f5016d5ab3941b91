import { KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { capitalize } from './capitalize.ts'
import { Classification } from './classification.tsx'
import { listContextParts } from './context-view.tsx'
import { countText } from './number-text.ts'
import { Facts } from './page.tsx'
import {
  fieldsBelow,
  isComputed,
  logicalTypeText,
  type SchemaField,
  type SchemaModel,
} from './schema-tree-rows.ts'
import { Deprecated, Tag } from './status.tsx'
import { valueText } from './value-text.ts'

/** Details of a field that only some schema languages have. */
export interface FieldExtra {
  /** Labels beside the field: `personal data`. */
  marks: readonly string[]
  facts: readonly (readonly [string, ReactNode])[]
  /** The successor of a deprecated field. */
  instead?: ReactNode
}

/** A field's logical type, and the platform's name of it when that adds something. */
export function FieldType({ field }: { field: SchemaField }) {
  const logical = logicalTypeText(field)
  const physicalType = field.expression ?? field.physicalType
  if (logical === 'unknown') {
    return (
      <code className="user-text line-clamp-2 text-muted">{physicalType ?? 'unknown type'}</code>
    )
  }
  // `map` adds nothing to `map of string to number`.
  const addsDetail = physicalType !== undefined && !logical.startsWith(physicalType.toLowerCase())
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <span className="user-text line-clamp-2">{capitalizeVector(logical)}</span>
      {addsDetail && <code className="user-text line-clamp-2 text-muted">{physicalType}</code>}
    </span>
  )
}

function capitalizeVector(type: string): string {
  return type.startsWith('vector') ? capitalize(type) : type
}

/** The constraints of a field in short: its key, whether it is required, its classification. */
export function FieldMarks({
  field,
  extra,
}: {
  field: SchemaField
  extra?: FieldExtra | undefined
}) {
  const { primaryKeyPosition, required, unique, classification, tags, quality } = field
  return (
    <span className="flex flex-wrap items-center gap-1">
      {field.deprecated === true && <Deprecated />}
      {extra?.instead}
      {isComputed(field) && <Tag>{field.semanticType}</Tag>}
      {primaryKeyPosition !== undefined && (
        <Tag>
          <KeyRound size={11} aria-hidden className="mr-1 shrink-0" />
          primary key{primaryKeyPosition > 1 ? ` ${primaryKeyPosition}` : ''}
        </Tag>
      )}
      {required && <Tag>required</Tag>}
      {unique && <Tag>unique</Tag>}
      {classification !== undefined && <Classification name={classification} />}
      {extra?.marks.map((mark) => (
        <Tag key={mark}>{mark}</Tag>
      ))}
      {field.enum !== undefined && <Tag>{countText(field.enum.length, 'value')}</Tag>}
      {quality.length > 0 && <Tag>{countText(quality.length, 'rule')}</Tag>}
      {tags.slice(0, TAGS_SHOWN_MAX).map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
      {tags.length > TAGS_SHOWN_MAX && <Tag>{`${tags.length - TAGS_SHOWN_MAX} more tags`}</Tag>}
    </span>
  )
}

const TAGS_SHOWN_MAX = 3

interface FieldFactsProps {
  node: SchemaField | SchemaModel
  path: string
  extra: FieldExtra | undefined
}

/** All details of a field or model. */
export function FieldFacts({ node, path, extra }: FieldFactsProps) {
  const more = extra?.facts ?? []
  // The document has more about some of them: the labels of values, the languages of synonyms.
  const titles = new Set(more.map(([title]) => title))
  const facts = ('kind' in node ? modelFacts(node) : getFacts(node)).filter(
    ([title]) => !titles.has(title),
  )
  return (
    <div className="my-1 rounded-md bg-sunken px-4 py-3 sm:ml-7">
      <Facts facts={[['Path', code(path)], ...facts, ...more]} />
    </div>
  )
}

type Fact = readonly [string, ReactNode]

function modelFacts(model: SchemaModel): Fact[] {
  const { name, physicalName, namespace, description, synonyms, primaryKey, tags, context } = model
  return [
    ['Physical name', physicalName === name ? undefined : physicalName],
    ['Namespace', namespace],
    ['Description', whole(description)],
    ['Synonyms', synonyms?.join(', ')],
    ['Primary key', primaryKey.join(', ')],
    ['Tags', tags.join(', ')],
    ...listContextParts(context),
  ]
}

function getFacts(field: SchemaField): Fact[] {
  const { description, synonyms, physicalName, physicalType, expression, quality } = field
  return [
    ['Physical name', physicalName],
    ['Physical type', code(physicalType)],
    ['Description', whole(description)],
    ['Synonyms', synonyms?.join(', ')],
    ['Expression', code(expression)],
    ...vectorFacts(field),
    ...bounds(field, ''),
    ...heldFacts(field),
    ['Refers to', field.references.join(', ')],
    [
      'Classification',
      field.classification && <Classification key="classification" name={field.classification} />,
    ],
    ['Tags', field.tags.join(', ')],
    ['Rules', getRules(quality)],
  ]
}

function vectorFacts({ vector }: SchemaField): Fact[] {
  if (vector === undefined) return []
  const { normalized, distanceMetric, model, modelVersion } = vector
  return [
    ['Normalized', normalized ? 'yes: all vectors have the length 1' : undefined],
    ['Distance metric', distanceMetric],
    ['Embedding model', [model, modelVersion].filter(Boolean).join(' ')],
  ]
}

// The contents of a list or a map have no row.
function heldFacts(field: SchemaField): Fact[] {
  const held: [string, SchemaField | undefined][] = [
    ['Each item', field.items],
    ['Each key', field.keys],
    ['Each value', field.values],
  ]
  return held.flatMap(([name, one]): Fact[] => {
    if (one === undefined) return []
    const below = fieldsBelow(one)
    const type = [
      logicalTypeText(one),
      one.physicalType,
      below.length > 0 && countText(below.length, 'field'),
    ]
    return [
      [name, type.filter(Boolean).join(', ')],
      [`${name}: description`, whole(one.description)],
      ...bounds(one, `${name}: `),
    ]
  })
}

function bounds(field: SchemaField, before: string): Fact[] {
  const facts: Fact[] = [
    ['Values', getValues(field.enum)],
    ['Format', field.format],
    ['Pattern', code(field.pattern)],
    ['Length', rangeText(field.minLength, field.maxLength)],
    ['Items', rangeText(field.minItems, field.maxItems)],
    ['From', valueText(field.minimum)],
    ['To', valueText(field.maximum)],
    ['Above', valueText(field.exclusiveMinimum)],
    ['Below', valueText(field.exclusiveMaximum)],
    ['Digits', digitsText(field)],
  ]
  return facts.map(([name, value]) => [`${before}${name}`, value])
}

function whole(text: string | undefined): ReactNode {
  return text === undefined ? undefined : <span className="whitespace-pre-line">{text}</span>
}

function code(text: string | undefined): ReactNode {
  return text === undefined ? undefined : <code>{text}</code>
}

function getValues(values: readonly unknown[] | undefined): ReactNode {
  return values === undefined ? undefined : <Values values={values} />
}

function getRules(rules: SchemaField['quality']): ReactNode {
  if (rules.length === 0) return undefined
  return (
    <ul className="list-disc pl-4">
      {rules.map(({ name, type, description }, at) => (
        <li key={`${at} ${name}`}>{description ?? name ?? type}</li>
      ))}
    </ul>
  )
}

const VALUES_SHOWN_MAX = 200

/** Values side by side, as many as can be read. */
function Values({ values }: { values: readonly unknown[] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {values.slice(0, VALUES_SHOWN_MAX).map((value, at) => (
        <Tag key={`${at}`}>{valueText(value)}</Tag>
      ))}
      {values.length > VALUES_SHOWN_MAX && <span>and {values.length - VALUES_SHOWN_MAX} more</span>}
    </span>
  )
}

function rangeText(from: number | undefined, to: number | undefined): string | undefined {
  if (from === undefined && to === undefined) return undefined
  if (from === to) return `exactly ${from}`
  if (from === undefined) return `at most ${to}`
  return to === undefined ? `at least ${from}` : `${from} to ${to}`
}

function digitsText({ precision, scale }: SchemaField): string | undefined {
  if (precision === undefined) return undefined
  return scale === undefined ? String(precision) : `${precision}, ${scale} after the decimal point`
}
