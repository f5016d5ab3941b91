import { Pencil } from 'lucide-react'
import { Suspense } from 'react'
import { useSources, type Source } from '../../api/sources.ts'
import { may, useSession } from '../../api/session.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { lazyPart } from '../../parts/lazy-part.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Skeleton } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'
import {
  createFormFields,
  toFormValues,
  type FormField,
  type FormValues,
} from '../../parts/schema-form-values.ts'
import { dayText } from '../../parts/date-format.ts'
import { paths, withQuery } from '../../paths.ts'
import { toIntegrationDraft, type IntegrationForm } from './integration-draft.ts'
import { connectionFacts, filterFacts } from './setup-facts.ts'

// Accounts for tests and grants are shown in one view only.
const TestAccountPanel = lazyPart(() => import('./test-account-panel.tsx'), 'TestAccountPanel')
const GrantsPanel = lazyPart(() => import('./grants-panel.tsx'), 'GrantsPanel')

/** The configuration of an integration, and of its grants; of secrets only the day on which they were set. */
export function Configuration({ form }: { form: IntegrationForm }) {
  const sources = useSources()
  return (
    <div className="grid gap-5">
      <Loaded query={sources}>
        {(known) => (
          <ConfigurationPanels
            form={form}
            source={known.find(({ source }) => source === form.source)}
          />
        )}
      </Loaded>
      <Suspense fallback={<Skeleton lines={3} label="Loading the grants" />}>
        <TestAccountPanel form={form} />
        <GrantsPanel form={form} />
      </Suspense>
    </div>
  )
}

function ConfigurationPanels({
  form,
  source,
}: {
  form: IntegrationForm
  source: Source | undefined
}) {
  const session = useSession()
  const { reason } = may(session, 'INGESTION_EDIT', form.owningTeamExternalId)
  const fields: FormField[] = source === undefined ? [] : createFormFields(source.configuration)
  const values: FormValues = toFormValues(fields, form.configuration)
  const edit = (step: string) => (
    <ButtonLink
      href={withQuery(paths.editIntegration(form.externalId), { step })}
      reason={reason}
      icon={Pencil}
    >
      Edit
    </ButtonLink>
  )
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <Panel title="Connection" actions={edit('connection')}>
        <Facts
          facts={[['Platform', source?.title ?? form.source], ...connectionFacts(fields, values)]}
        />
      </Panel>
      <div className="grid min-w-0 content-start gap-5">
        <Panel title="Secrets">
          <Facts
            facts={form.secrets.map(({ title, setAt }) => [
              title,
              setAt === null ? 'Not set' : `Set on ${dayText(setAt.slice(0, 10))}`,
            ])}
          />
        </Panel>
        <Panel title="Filters" actions={edit('filters')}>
          <Facts facts={filterFacts(toIntegrationDraft(form, fields))} />
        </Panel>
      </div>
    </div>
  )
}
