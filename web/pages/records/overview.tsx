import { Suspense, type ReactNode } from 'react'
import type { RecordFields } from '../../../formats/record/read.ts'
import type { RecordKind } from '../../../formats/record/record-kind.ts'
import type { Shape, ObjectShape } from '../../../formats/shape/shape.ts'
import { getField, isObject, type Value } from '../../../formats/text/value.ts'
import { toLabel } from '../../documents/to-label.ts'
import { TeamLink } from '../../documents/team-link.tsx'
import { classNames } from '../../parts/class-names.ts'
import { lazyPart } from '../../parts/lazy-part.ts'
import { OutsideLink } from '../../parts/outside-link.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { TagLinks } from '../../parts/tag-links.tsx'
import { ValueView } from '../../parts/value-view.tsx'
import { paths } from '../../paths.ts'
import { DefinitionUses, TagUses } from './record-uses.tsx'

interface OverviewProps {
  kind: RecordKind
  record: RecordFields
  /** The whole document. */
  value: Value
}

/** The fields of a record. */
export function Overview({ kind, record, value }: OverviewProps) {
  const { description, ownerTeamId, tags, links } = record
  const facts: [string, ReactNode][] = []
  if (ownerTeamId !== undefined) {
    facts.push(['Owner', <TeamLink key="owner" id={ownerTeamId} />])
  } else if (kind.paths.owner !== undefined) facts.push(['Owner', 'No team'])
  if (tags.length > 0) {
    facts.push(['Tags', <TagLinks key="tags" tags={tags} getHref={getTagHref} />])
  }
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-5">
        <Panel title={kind.isMarkdown === true ? 'Content' : 'Description'}>
          <Description text={description} isMarkdown={kind.isMarkdown === true} />
        </Panel>
        <OtherFields kind={kind} value={value} />
      </div>
      <div className="grid min-w-0 gap-5">
        {facts.length > 0 && (
          <Panel title="About">
            <Facts facts={facts} />
          </Panel>
        )}
        {links.length > 0 && (
          <Panel title="Links">
            <ul className="grid gap-1.5">
              {links.map(({ name, url }) => (
                <li key={name} className="user-text">
                  <OutsideLink href={url}>{name}</OutsideLink>
                </li>
              ))}
            </ul>
          </Panel>
        )}
        {kind.kind === 'definition' && <DefinitionUses id={record.id} />}
        {kind.kind === 'tag' && <TagUses id={record.id} />}
      </div>
    </div>
  )
}

const MarkdownText = lazyPart(() => import('../../documents/markdown-text.tsx'), 'MarkdownText')

interface DescriptionProps {
  text: string | undefined
  isMarkdown: boolean
}

function Description({ text, isMarkdown }: DescriptionProps) {
  if (text === undefined) return <p className="text-muted">No description yet.</p>
  if (!isMarkdown) return <p className="user-text max-w-prose whitespace-pre-line">{text}</p>
  return (
    <Suspense fallback={<Skeleton />}>
      <MarkdownText text={text} />
    </Suspense>
  )
}

function getTagHref(tag: string): string {
  return paths.search({ tag })
}

function FieldView(props: { name: string; value: Value; shape: Shape | undefined }) {
  const { name, value, shape } = props
  if (shape?.kind !== 'list' || shape.items.kind !== 'object' || !Array.isArray(value)) {
    return <ValueView value={value} />
  }
  return <ObjectTable label={toLabel(name)} items={value} shape={shape.items} />
}

/** The fields that have no place of their own on the page: those of the shape first, then unknown ones. */
function OtherFields({
  kind: { shape, paths: known },
  value,
}: Omit<OverviewProps, 'record'>): ReactNode {
  const { rank: _, ...visible } = known
  const elsewhere = new Set(Object.values(visible).map(([name]) => name))
  const names = new Set([...shape.fields.keys(), ...(isObject(value) ? Object.keys(value) : [])])
  const fields = [...names].flatMap((name) => {
    const field = getField(value, name)
    return elsewhere.has(name) || field === undefined ? [] : [{ name, field }]
  })
  if (fields.length === 0) return null
  return (
    <Panel title="More">
      <dl className="grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-3 sm:grid-cols-2">
        {fields.map(({ name, field }) => (
          <div key={name} className={classNames('min-w-0', isLong(field) && 'sm:col-span-2')}>
            <dt className="user-text text-muted">{toLabel(name)}</dt>
            <dd className="user-text min-w-0">
              <FieldView name={name} value={field} shape={shape.fields.get(name)} />
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

// Longer texts and nested values need the whole width.
const SHORT_CHARACTERS_MAX = 80

function isLong(value: Value): boolean {
  if (typeof value === 'string') return value.length > SHORT_CHARACTERS_MAX
  if (Array.isArray(value)) return value.some((item) => isObject(item) || isLong(item))
  return isObject(value)
}

const ROWS_SHOWN_MAX = 100

interface ObjectTableProps {
  label: string
  items: readonly Value[]
  /** The shape of an item. */
  shape: ObjectShape
}

/** Objects of one shape, each in a row: the tiers of a classification scheme. Fields that no item has are left out. */
function ObjectTable({ label, items, shape }: ObjectTableProps) {
  const rows = items.slice(0, ROWS_SHOWN_MAX).map((item, at) => ({ item, at }))
  const hasValue = (name: string): boolean =>
    rows.some(({ item }) => (getField(item, name) ?? null) !== null)
  const columns = [...shape.fields.keys()].filter(hasValue).map(createColumn)
  return (
    <>
      <Table label={label} columns={columns} rows={rows} getKey={({ at }) => String(at)} />
      {items.length > rows.length && (
        <p className="text-muted">and {items.length - rows.length} more in the source</p>
      )}
    </>
  )
}

interface Row {
  item: Value
  /** Its position in the list. */
  at: number
}

function createColumn(name: string): Column<Row> {
  return {
    title: toLabel(name),
    cell: ({ item }) => {
      const value = getField(item, name) ?? null
      if (value === null) return null
      // Wide enough for a word, which would break otherwise.
      return (
        <div className={typeof value === 'string' ? 'min-w-24' : ''}>
          <ValueView value={value} />
        </div>
      )
    },
  }
}
