import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { RadioGroup } from '../../parts/field.tsx'
import type { AccessRequestDraft } from './request-draft.ts'

const PRODUCTS_MAX = 100

interface ConsumerFieldProps {
  draft: AccessRequestDraft
  onChange: (patch: Partial<AccessRequestDraft>) => void
}

/** Chooses the consumer: the person, one of their teams, or a data product of these teams. */
export function ConsumerField({ draft, onChange }: ConsumerFieldProps) {
  const session = useSession()
  const teams = session.teams.filter(({ permissions }) => permissions.includes('ACCESS_REQUEST'))
  const noTeam = teams.length === 0 ? 'You are a member of no team.' : undefined
  return (
    <div className="grid gap-3">
      <RadioGroup
        label="Access for"
        name="consumer"
        value={draft.consumer}
        options={[
          { value: 'me', label: 'Me', hint: session.user.name },
          {
            value: 'team',
            label: 'A team of mine',
            hint: 'Access belongs to the team and stays when people leave it.',
            reason: noTeam,
          },
          {
            value: 'product',
            label: 'A data product of my teams',
            hint: 'It reads the data to build its own, and appears in the lineage.',
            reason: noTeam,
          },
        ]}
        onChange={(consumer) => onChange({ consumer })}
      />
      {draft.consumer === 'team' && (
        <ChoiceField
          label="Team"
          field="consumer"
          required
          value={draft.team}
          choices={teams.map(({ id, name }) => ({ value: id, label: name, detail: id }))}
          onChange={(team) => onChange({ team })}
        />
      )}
      {draft.consumer === 'product' && (
        <ProductChoice
          teams={teams.map(({ id }) => id)}
          value={draft.product}
          onChange={(product) => onChange({ product })}
        />
      )}
    </div>
  )
}

interface ProductChoiceProps {
  teams: string[]
  value: string
  onChange: (product: string) => void
}

function ProductChoice({ teams, value, onChange }: ProductChoiceProps) {
  const { data } = api.useQuery('get', '/api/search', {
    params: {
      query: {
        resourceType: ['DATA_PRODUCT'],
        teamId: teams,
        limit: PRODUCTS_MAX,
        facets: false,
      },
    },
  })
  const choices = (data?.results ?? []).map(({ id, name }) => ({
    value: id,
    label: name,
    detail: id,
  }))
  const isNone = data !== undefined && choices.length === 0
  return (
    <ChoiceField
      label="Data product"
      field="consumer"
      required
      hint={isNone ? 'Your teams own no data products yet.' : undefined}
      value={value}
      choices={choices}
      onChange={onChange}
    />
  )
}
