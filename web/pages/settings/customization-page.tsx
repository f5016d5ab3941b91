import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, type ComponentProps } from 'react'
import { readText, sendText, type KeptDocument } from '../../api/document.ts'
import { api, type Schemas } from '../../api/client.ts'
import { listCustomFields, type CustomFilter } from '../../api/custom-filters.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { toMarks } from '../../documents/problem-marks.ts'
import { SourceEditor } from '../../documents/source-editor.tsx'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { useSettled } from '../../parts/settled.ts'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { parseCustomFilters } from './custom-filters.ts'
import { useSettingEditing, useSettingSaving } from './setting-editing.ts'
import { SettingForm } from './setting-form.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { FiltersForm } from './filters-form.tsx'
import { listFilterFields, listFilterRows } from './filter-edits.ts'

const PATH = '/api/settings/customization'
// JSON documents are also edited as YAML.
const YAML = 'application/yaml'
const QUERY_KEY = ['settings', 'customization']
const PAUSE_MS = 300
const USUAL = { as: 'form' }
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
    </SettingsFrame>
  )
}

const toText = ({ text }: KeptDocument): string => text

// The text is what is edited and saved, also by the form.
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
  const [{ as }, setUrl] = useUrlState(USUAL)
  const isForm = as !== 'text'
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Panel
        title={isForm ? 'Filters' : 'Customization (YAML)'}
        actions={
          <Button onClick={() => setUrl({ as: isForm ? 'text' : 'form' })}>
            {isForm ? 'Edit as text' : 'Edit as form'}
          </Button>
        }
      >
        <SettingForm
          label="Customization"
          fields={isForm ? listFilterFields(text) : []}
          editing={editing}
          saving={saving}
          reason={reason ?? unreadable}
          saveLabel="Save customization"
        >
          {isForm ? (
            <FormOfText
              text={text}
              violations={problem?.violations ?? []}
              isReadOnly={reason !== undefined}
              onChange={change}
            />
          ) : (
            <SourceEditor
              label="Customization"
              text={text}
              mediaType={YAML}
              problems={marks}
              {...(reason === undefined ? { onChange: change } : {})}
            />
          )}
        </SettingForm>
      </Panel>
      <Preview filters={filters} />
    </div>
  )
}

// The text is what is saved; the form changes only the filters in it.
function FormOfText(form: ComponentProps<typeof FiltersForm>) {
  if (listFilterRows(form.text) !== undefined) return <FiltersForm {...form} />
  return (
    <Notice tone="caution" title="The form cannot show this text">
      It has errors, or something else in place of the filters. Choose "Edit as text" to fix it.
    </Notice>
  )
}

function Preview({ filters }: { filters: readonly CustomFilter[] | undefined }) {
  return (
    <Panel title="Preview of the filters">
      {filters === undefined ? (
        <p>The text cannot be read.</p>
      ) : (
        <FilterPreview filters={filters} />
      )}
    </Panel>
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
        No filters yet. A filter with a name and a custom property appears here with its values.
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
