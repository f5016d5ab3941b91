import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react'
import { Fragment, useDeferredValue, useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { Input } from './field.tsx'
import { Empty } from './notice.tsx'
import { getSchemaColumns, toColumnTemplate, type SchemaColumns } from './schema-tree-columns.ts'
import { FieldFacts, FieldMarks, FieldType, type FieldExtra } from './schema-tree-field.tsx'
import {
  countFields,
  fieldsBelow,
  schemaRows,
  type SchemaField,
  type SchemaModel,
  type SchemaPart,
  type SchemaRow,
} from './schema-tree-rows.ts'
import { Deprecated, Tag } from './status.tsx'
import { countText } from './number-text.ts'
import { toggleKey } from './toggle.ts'
import { TreeGrid, type TreeColumn } from './tree-grid.tsx'

interface SchemaTreeProps {
  label: string
  models: readonly SchemaModel[]
  /** The filter text, kept in the address of the page. */
  filter: string
  onFilter: (filter: string) => void
  /** Returns details of a field from the document, by the field's origin. */
  getExtra?: (origin: string) => FieldExtra | undefined
}

/** Models as a tree of fields, with a filter. A row expands to all details of its field. */
export function SchemaTree({ label, models, filter, onFilter, getExtra }: SchemaTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set())
  const query = useDeferredValue(filter)
  const rows = useMemo(() => schemaRows(models, { closed, filter: query }), [models, closed, query])
  const fieldCount = useMemo(() => countFields(models), [models])
  const present = useMemo(
    () => getSchemaColumns(models, (origin) => (getExtra?.(origin)?.marks.length ?? 0) > 0),
    [models, getExtra],
  )
  const columns = useMemo(() => createColumns(present, getExtra), [present, getExtra])
  const toggle = (row: SchemaRow): void => setClosed((before) => toggleKey(before, row.key))
  // The group has no details to show.
  const choose = (row: SchemaRow): void => {
    if (row.part.kind === 'computed') toggle(row)
    else setExpanded((before) => toggleKey(before, row.key))
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2">
        <Input
          type="search"
          aria-label={`Filter: ${label}`}
          placeholder="Filter by name, type or description"
          value={filter}
          onChange={(event) => onFilter(event.target.value)}
          className="sm:max-w-72"
        />
        <FoldAll
          isAllOpen={closed.size === 0}
          isFiltered={filter !== ''}
          onFold={(close) => setClosed(close ? listBranches(models) : new Set())}
        />
        <span className="ml-auto text-sm text-muted" aria-live="polite">
          {query === '' ? describeCounts(models.length, fieldCount) : describeMatches(rows)}
        </span>
      </div>
      {rows.length === 0 ? (
        <Empty title="No field matches">
          No model or field has "<span className="user-text">{query}</span>" in its name, type or
          description.
        </Empty>
      ) : (
        <TreeGrid
          label={label}
          rows={rows}
          columns={columns}
          rowClassName="sm:grid-cols-(--tree-columns)"
          columnTemplate={toColumnTemplate(present)}
          onToggle={toggle}
          onChoose={choose}
          renderDetail={(row) =>
            expanded.has(row.key) ? <RowFacts row={row} getExtra={getExtra} /> : undefined
          }
        />
      )}
    </>
  )
}

interface FoldAllProps {
  isAllOpen: boolean
  isFiltered: boolean
  onFold: (close: boolean) => void
}

function FoldAll({ isAllOpen, isFiltered, onFold }: FoldAllProps) {
  const Icon = isAllOpen ? ChevronsDownUp : ChevronsUpDown
  return (
    <Button
      icon={Icon}
      reason={isFiltered ? 'Clear the filter first: its matches are always expanded.' : undefined}
      onClick={() => onFold(isAllOpen)}
    >
      {isAllOpen ? 'Collapse all' : 'Expand all'}
    </Button>
  )
}

function createColumns(
  { hasConstraints, hasDescriptions }: SchemaColumns,
  getExtra: SchemaTreeProps['getExtra'],
): TreeColumn<SchemaRow>[] {
  const constraints: TreeColumn<SchemaRow> = {
    title: 'Constraints',
    cell: (row) => <RowMarks row={row} getExtra={getExtra} />,
  }
  const description: TreeColumn<SchemaRow> = {
    title: 'Description',
    cell: (row) => <RowDescription row={row} />,
  }
  return [
    { title: 'Field', cell: (row) => <RowName row={row} /> },
    { title: 'Type', cell: (row) => <RowType row={row} /> },
    ...(hasConstraints ? [constraints] : []),
    ...(hasDescriptions ? [description] : []),
  ]
}

function RowName({ row: { part } }: { row: SchemaRow }) {
  if (part.kind === 'field') {
    return (
      <span className="grid min-w-0">
        <code className="user-text line-clamp-2">
          <BreakableName name={part.field.name} />
        </code>
        <Synonyms synonyms={part.field.synonyms} />
      </span>
    )
  }
  if (part.kind === 'computed') {
    return <span className="text-muted sm:whitespace-nowrap">Measures and dimensions</span>
  }
  return (
    <span className="grid min-w-0">
      <span className="user-text line-clamp-2 font-semibold">
        <BreakableName name={part.model.name} />
      </span>
      <Synonyms synonyms={part.model.synonyms} />
    </span>
  )
}

/** The other names of a field or model. */
function Synonyms({ synonyms = [] }: { synonyms?: readonly string[] | undefined }) {
  if (synonyms.length === 0) return null
  return (
    <span className="user-text line-clamp-2 text-sm text-muted">also {synonyms.join(', ')}</span>
  )
}

const WORDS_MAX = 40

// A name that is too long for its place breaks between its words.
function BreakableName({ name }: { name: string }) {
  const words = name.split(/(?<=[_.-])(?=[^_.-])/, WORDS_MAX + 1)
  if (words.length > WORDS_MAX) return name
  return words.map((word, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {word}
    </Fragment>
  ))
}

function RowType({ row: { part } }: { row: SchemaRow }) {
  if (part.kind === 'field') return <FieldType field={part.field} />
  return part.kind === 'model' ? <span className="text-muted">{part.model.kind}</span> : null
}

interface RowExtraProps {
  row: SchemaRow
  getExtra: SchemaTreeProps['getExtra']
}

function RowMarks({ row: { part }, getExtra }: RowExtraProps) {
  if (part.kind === 'field') {
    return <FieldMarks field={part.field} extra={getExtra?.(part.field.origin)} />
  }
  if (part.kind === 'computed') return null
  return (
    <span className="flex flex-wrap gap-1">
      {part.model.deprecated === true && <Deprecated />}
      {getExtra?.(part.model.origin)?.instead}
      {part.model.tags.map((tag) => (
        <Tag key={tag}>{tag}</Tag>
      ))}
    </span>
  )
}

function RowDescription({ row: { part } }: { row: SchemaRow }) {
  const description = getNode(part)?.description
  if (description === undefined) return null
  return <span className="user-text line-clamp-2 text-muted">{description}</span>
}

function RowFacts({ row: { part, path }, getExtra }: RowExtraProps) {
  const node = getNode(part)
  if (node === undefined) return null
  return <FieldFacts node={node} path={path} extra={getExtra?.(node.origin)} />
}

// The group of what is computed is not a part of the document.
function getNode(part: SchemaPart): SchemaField | SchemaModel | undefined {
  if (part.kind === 'computed') return undefined
  return part.kind === 'field' ? part.field : part.model
}

// With all of them closed, only the models are visible.
function listBranches(models: readonly SchemaModel[]): ReadonlySet<string> {
  const all = schemaRows(models, { closed: new Set(), filter: '' })
  return new Set(all.filter(({ hasChildren }) => hasChildren).map(({ key }) => key))
}

function describeCounts(models: number, fields: number): string {
  return `${countText(models, 'model')}, ${countText(fields, 'field')}`
}

function describeMatches(rows: readonly SchemaRow[]): string {
  return `${countText(rows.filter(({ part }) => part.kind === 'field').length, 'field')} shown`
}

interface FieldListProps extends Pick<SchemaTreeProps, 'getExtra'> {
  fields: readonly SchemaField[]
  label: string
}

/** A few fields without a tree, for overviews. */
export function FieldList({ fields, label, getExtra }: FieldListProps) {
  return (
    <ul aria-label={label} className="grid gap-1">
      {fields.map((field) => (
        <li key={`${field.origin} ${field.name}`} className="flex flex-wrap items-baseline gap-x-3">
          <code className="user-text line-clamp-2">{field.name}</code>
          <FieldType field={field} />
          <FieldMarks field={field} extra={getExtra?.(field.origin)} />
          {fieldsBelow(field).length > 0 && (
            <span className="text-sm text-muted">{fieldsBelow(field).length} fields below</span>
          )}
        </li>
      ))}
    </ul>
  )
}
