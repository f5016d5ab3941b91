import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { readText, sendText, type KeptDocument } from '../../api/document.ts'
import { api, type Schemas } from '../../api/client.ts'
import { listCustomFields, type CustomFilter } from '../../api/custom-filters.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { toMarks } from '../../documents/problem-marks.ts'
import { SourceEditor } from '../../documents/source-editor.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { useSettled } from '../../parts/settled.ts'
import { paths } from '../../paths.ts'
import { parseCustomFilters } from './custom-filters.ts'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { UnusedSettings } from './unused-settings.tsx'

const PATH = '/api/settings/customization'
// JSON documents are also edited as YAML.
const YAML = 'application/yaml'
const QUERY_KEY = ['settings', 'customization']
const PAUSE_MS = 300
const NO_PROBLEM = { violations: [] }

/** The customization of the pages: filters of data products by custom properties. */
export function CustomizationPage() {
  const { organization } = useSession()
  const stored = useQuery({
    queryKey: [...QUERY_KEY, organization?.id],
    queryFn: async ({ signal }) => await readText(PATH, { accept: YAML, signal }),
  })
  return (
    <SettingsFrame at={paths.customization}>
      <p className="max-w-3xl text-muted">
        Filters of data products by custom properties. They appear on the search page, and clients
        of the API read them from here.
      </p>
      <Loaded query={stored}>
        {(data) => <CustomizationForm key={organization?.id} stored={data} />}
      </Loaded>
      <UnusedSettings document="customization" />
    </SettingsFrame>
  )
}

const toText = ({ text }: KeptDocument): string => text

function CustomizationForm({ stored }: { stored: KeptDocument }) {
  const { reason } = mayOwn(useSession())
  const editing = useSettingEditing(stored, toText)
  const { form: text, base, change } = editing
  const saving = useSettingSaving({
    request: () => sendText('PUT', PATH, { text, mediaType: YAML, ifMatch: base.etag }),
    notice: 'Customization saved',
    data: [{ queryKey: QUERY_KEY }],
    editing,
  })
  const { problem } = saving
  const marks = useMemo(() => toMarks(problem ?? NO_PROBLEM), [problem])
  const filters = useMemo(() => parseCustomFilters(text), [text])
  const unreadable = filters === undefined ? 'The text cannot be read.' : undefined
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel title="Customization (YAML)">
        <SettingForm
          label="Customization"
          editing={editing}
          saving={saving}
          reason={reason ?? unreadable}
          saveLabel="Save customization"
        >
          <SourceEditor
            label="Customization"
            text={text}
            mediaType={YAML}
            problems={marks}
            {...(reason === undefined ? { onChange: change } : {})}
          />
        </SettingForm>
      </Panel>
      <Panel title="Preview of the filters">
        {filters === undefined ? (
          <p>The text cannot be read.</p>
        ) : (
          <FilterPreview filters={filters} />
        )}
      </Panel>
    </div>
  )
}

function FilterPreview({ filters }: { filters: readonly CustomFilter[] }) {
  // A changed display name is no reason to count again.
  const fields = useSettled(JSON.stringify(listCustomFields(filters)), PAUSE_MS)
  const customField: string[] = JSON.parse(fields)
  const query = { resourceType: ['DATA_PRODUCT' as const], customField, limit: 1 }
  const found = api.useQuery(
    'get',
    '/api/search',
    { params: { query } },
    { enabled: customField.length > 0, placeholderData: keepPreviousData },
  )
  if (filters.length === 0) {
    return (
      <p className="text-muted">
        No filters. Add an item with <code>displayName</code> and <code>customField</code> to{' '}
        <code>dataProduct.customFilters</code>.
      </p>
    )
  }
  return (
    <Loaded query={found}>
      {({ facets }) => (
        <div className="grid gap-4">
          {filters.map(({ displayName, customField: field }, at) => (
            <section key={`${at} ${field}`}>
              <h3 className="user-text text-sm font-medium">{displayName}</h3>
              <FilterValues
                field={field}
                values={facets?.custom.find((one) => one.field === field)?.values}
              />
            </section>
          ))}
        </div>
      )}
    </Loaded>
  )
}

interface FilterValuesProps {
  field: string
  /** Undefined = they are not counted yet. */
  values: readonly Schemas['SearchFacetValue'][] | undefined
}

function FilterValues({ field, values }: FilterValuesProps) {
  if (values === undefined) return <Skeleton lines={1} label="Counting" />
  if (values.length === 0) {
    return (
      <p className="user-text text-sm text-muted">
        No data product has the custom property <code>{field}</code>.
      </p>
    )
  }
  return (
    <ul className="mt-1 grid gap-0.5">
      {values.map(({ value, count }) => (
        <li key={value} className="flex justify-between gap-3">
          <span className="user-text min-w-0">{value}</span>
          <span className="figures text-muted">{count}</span>
        </li>
      ))}
    </ul>
  )
}
